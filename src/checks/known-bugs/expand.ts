import { everyCsv } from "./csv.ts";
import type { GetPredicate, ItemTest, Predicate, Reading } from "./vocabulary.ts";

/** A predicate in terms of what is read. */
export type Core =
  | { readonly kind: "always" }
  | { readonly kind: "reading"; readonly reading: Reading }
  | { readonly kind: "allOf" | "anyOf"; readonly of: readonly Core[] }
  | { readonly kind: "not"; readonly of: Core };

export function expand(predicate: Predicate): Core {
  if ("always" in predicate) return { kind: "always" };
  if ("allOf" in predicate) return { kind: "allOf", of: predicate.allOf.map(expand) };
  if ("anyOf" in predicate) return { kind: "anyOf", of: predicate.anyOf.map(expand) };
  if ("not" in predicate) return { kind: "not", of: expand(predicate.not) };
  if ("hosted" in predicate) return hosted(predicate.hosted);
  return { kind: "reading", reading: isReading(predicate) ? predicate : readingOf(predicate) };
}

function isReading(predicate: Leaf): predicate is Reading {
  return "get" in predicate || "each" in predicate || "dangling" in predicate;
}

type Leaf = Exclude<
  Predicate,
  | { readonly always: true }
  | { readonly allOf: readonly Predicate[] }
  | { readonly anyOf: readonly Predicate[] }
  | { readonly not: Predicate }
  | { readonly hosted: boolean }
>;

function readingOf(predicate: Exclude<Leaf, Reading>): Reading {
  if ("platform" in predicate) return infrastructure({ at: "status.platformStatus.type", oneOf: predicate.platform });
  if ("aro" in predicate) return about("config.openshift.io/v1/clusteroperators", "aro");
  if ("networkType" in predicate)
    return about("config.openshift.io/v1/networks", "cluster", {
      at: "status.networkType",
      oneOf: predicate.networkType,
    });
  if ("bornBefore" in predicate) return clusterVersion(born(predicate.bornBefore));
  if ("completed" in predicate) return clusterVersion(completed(predicate.completed));
  if ("capability" in predicate)
    return clusterVersion({ at: "status.capabilities.enabledCapabilities[]", equals: predicate.capability });
  return everyCsv(predicate);
}

/** Not `External` is a control plane of the cluster's own; a hosted one is not among its nodes. */
function hosted(wanted: boolean): Core {
  const external: Core = {
    kind: "reading",
    reading: infrastructure({ at: "status.controlPlaneTopology", equals: "External" }),
  };
  return wanted ? external : { kind: "not", of: external };
}

/** So many entries did the operators of old keep; they then dropped the oldest ones, which 4.10 no longer does. */
const KEPT_OF_OLD = 50;

function born(before: string): ItemTest {
  const first = "status.history[-1].version";
  return {
    anyOf: [
      { at: first, version: { before } },
      {
        allOf: [
          { at: first, version: { before: "4.10.0-0" } },
          { items: "status.history", where: { at: "version", is: "present" }, least: KEPT_OF_OLD },
        ],
      },
    ],
  };
}

function completed(version: { readonly from: string; readonly before?: string }): ItemTest {
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

function infrastructure(where: ItemTest): GetPredicate {
  return about("config.openshift.io/v1/infrastructures", "cluster", where);
}

function clusterVersion(where: ItemTest): GetPredicate {
  return about("config.openshift.io/v1/clusterversions", "version", where);
}

function about(resource: string, name: string, where?: ItemTest): GetPredicate {
  return { get: resource, name, ...(where ? { where } : {}), unnamed: true };
}
