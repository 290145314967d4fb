import { defined } from "../../model/optional.ts";
import { CRUN_MAY_RUN, RUNC_MAY_RUN } from "./container-runtime.ts";
import type { GetPredicate, ItemTest, Predicate, ReadPredicate, EachPredicate } from "./known-bug.ts";

/** A predicate that consists of reads only. */
export type CorePredicate =
  | { readonly kind: "always" }
  | { readonly kind: "read"; readonly predicate: ReadPredicate }
  | { readonly kind: "allOf" | "anyOf"; readonly of: readonly CorePredicate[] }
  | { readonly kind: "not"; readonly of: CorePredicate };

export function expand(predicate: Predicate): CorePredicate {
  if ("always" in predicate) return { kind: "always" };
  if ("allOf" in predicate) return { kind: "allOf", of: predicate.allOf.map(expand) };
  if ("anyOf" in predicate) return { kind: "anyOf", of: predicate.anyOf.map(expand) };
  if ("not" in predicate) return { kind: "not", of: expand(predicate.not) };
  if ("hosted" in predicate) return expandHosted(predicate.hosted);
  if ("mayRun" in predicate) return expand(predicate.mayRun === "runc" ? RUNC_MAY_RUN : CRUN_MAY_RUN);
  return { kind: "read", predicate: isReadPredicate(predicate) ? predicate : expandLeaf(predicate) };
}

function isReadPredicate(predicate: Leaf): predicate is ReadPredicate {
  return "get" in predicate || "each" in predicate || "dangling" in predicate;
}

type Leaf = Exclude<
  Predicate,
  | { readonly always: true }
  | { readonly allOf: readonly Predicate[] }
  | { readonly anyOf: readonly Predicate[] }
  | { readonly not: Predicate }
  | { readonly hosted: boolean }
  | { readonly mayRun: string }
>;

function expandLeaf(predicate: Exclude<Leaf, ReadPredicate>): ReadPredicate {
  if ("platform" in predicate)
    return buildInfrastructurePredicate({ at: "status.platformStatus.type", oneOf: predicate.platform });
  if ("aro" in predicate) return buildContextPredicate("config.openshift.io/v1/clusteroperators", "aro");
  if ("networkType" in predicate)
    return buildContextPredicate("config.openshift.io/v1/networks", "cluster", {
      at: "status.networkType",
      oneOf: predicate.networkType,
    });
  if ("bornBefore" in predicate) return buildClusterVersionPredicate(buildBornTest(predicate.bornBefore));
  if ("completed" in predicate) return buildClusterVersionPredicate(buildCompletedTest(predicate.completed));
  if ("capability" in predicate)
    return buildClusterVersionPredicate({
      at: "status.capabilities.enabledCapabilities[]",
      equals: predicate.capability,
    });
  return buildCsvPredicate(predicate);
}

/** Only a hosted control plane, which isn't on the cluster's own nodes, has the topology External. */
function expandHosted(isHosted: boolean): CorePredicate {
  const external: CorePredicate = {
    kind: "read",
    predicate: buildInfrastructurePredicate({ at: "status.controlPlaneTopology", equals: "External" }),
  };
  return isHosted ? external : { kind: "not", of: external };
}

/** Operators before 4.10 kept this many entries, and dropped the oldest ones. */
const OLD_HISTORY_LIMIT = 50;

function buildBornTest(before: string): ItemTest {
  const first = "status.history[-1].version";
  return {
    anyOf: [
      { at: first, version: { before } },
      {
        allOf: [
          { at: first, version: { before: "4.10.0-0" } },
          { items: "status.history", where: { at: "version", is: "present" }, least: OLD_HISTORY_LIMIT },
        ],
      },
    ],
  };
}

function buildCompletedTest(version: { readonly from: string; readonly before?: string }): ItemTest {
  return {
    items: "status.history",
    where: {
      allOf: [
        { at: "state", equals: "Completed" },
        { at: "version", version },
      ],
    },
  };
}

function buildInfrastructurePredicate(where: ItemTest): GetPredicate {
  return buildContextPredicate("config.openshift.io/v1/infrastructures", "cluster", where);
}

function buildClusterVersionPredicate(where: ItemTest): GetPredicate {
  return buildContextPredicate("config.openshift.io/v1/clusterversions", "version", where);
}

function buildContextPredicate(resource: string, name: string, where?: ItemTest): GetPredicate {
  return { get: resource, name, ...defined({ where }), unnamed: true };
}

const SUCCEEDED: readonly ItemTest[] = [
  { at: 'metadata.labels."olm.copiedFrom"', is: "absent" },
  { at: "status.phase", equals: "Succeeded" },
];

/** Operators that OLM installed, by the part of their names before the version. OLM's copies in other namespaces don't count. */
function buildCsvPredicate(of: {
  readonly csv: string;
  readonly before?: string;
  readonly where?: ItemTest;
}): EachPredicate {
  const before: readonly ItemTest[] = of.before ? [{ at: "spec.version", version: { before: of.before } }] : [];
  const where: readonly ItemTest[] = of.where ? [of.where] : [];
  return {
    each: "operators.coreos.com/v1alpha1/clusterserviceversions",
    where: { allOf: [{ at: "metadata.name", matches: `^(?:${of.csv})[.]` }, ...SUCCEEDED, ...before, ...where] },
  };
}
