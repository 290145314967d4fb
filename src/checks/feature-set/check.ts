import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, formatMinor, type Version } from "../../model/version.ts";
import { featureSetForbidsUpdates } from "./risks.ts";
import { type Json, type JsonObject, at } from "../../model/json.ts";

const FEATURE_GATE: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "FeatureGate", name: "cluster" };

export default defineCheck({
  id: "feature-set",
  name: "FeatureSetNotUpdatable",
  title: "The cluster's feature set allows updates to a later minor",
  risks: [featureSetForbidsUpdates],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({ featureSet: get("config.openshift.io/v1/featuregates", "cluster", keepFeatureSet) }),
  evaluate: ({ featureSet }, context) =>
    featureSet.kind === "absent"
      ? { notApplicable: "The cluster has no featuregates.config.openshift.io cluster." }
      : judge(featureSet.value, context),
});

function judge(featureSet: FeatureSet, context: Context): Judgement {
  if (!leavesMinor(context))
    return { notApplicable: `Every feature set allows updates within ${formatMinor(context.source)}.` };
  if (featureSet.kind === "unreadable") {
    const where = "featuregates.config.openshift.io cluster spec.featureSet";
    return { unknowns: [{ reason: "NotUnderstood", where, message: "it is not a string" }] };
  }
  return judgeNamedSet(featureSet.name, classifyFeatureSet(featureSet.name, context.source), context);
}

function judgeNamedSet(name: string, featureSetClass: FeatureSetClass, { source, target }: Context): Judgement {
  if (featureSetClass === "updatable") return {};
  if (featureSetClass === "obsolete") return { notices: [buildObsoleteNotice(name)] };
  const fault = describeFault(name, featureSetClass, source, target);
  return {
    findings: [
      {
        risk: featureSetForbidsUpdates.name,
        object: FEATURE_GATE,
        path: "spec.featureSet",
        message: `It ${fault}.`,
        detail: { featureSet: name, fault },
      },
    ],
  };
}

function buildObsoleteNotice(name: string): string {
  return `The feature set ${name} no longer exists: the cluster-config-operator replaces it with the default one, and may report Upgradeable=False until it has done so.`;
}

/** spec.featureSet of featuregates.config.openshift.io/cluster; "" is the default set. */
type FeatureSet = { readonly kind: "named"; readonly name: string } | { readonly kind: "unreadable" };

function keepFeatureSet(object: JsonObject): FeatureSet {
  const name: Json = at(object, "spec", "featureSet") ?? "";
  return typeof name === "string" ? { kind: "named", name } : { kind: "unreadable" };
}

/** `obsolete`: the operator replaces it with the default set. `final`: it can't be removed. */
type FeatureSetClass = "updatable" | "obsolete" | "final" | "unknown";

const FINAL_SETS = new Set(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"]);

/** The cluster-config-operator allows updates only with the default set. */
export function classifyFeatureSet(name: string, source: Version): FeatureSetClass {
  if (name === "") return "updatable";
  // LatencySensitive never blocked an update; releases since 2023 replace it with the default set.
  if (name === "LatencySensitive") return "obsolete";
  if (FINAL_SETS.has(name)) return "final";
  return name === "OKD" && isOkd(source) ? "updatable" : "unknown";
}

/** OKD is the default of OKD's own releases, such as 4.21.0-okd-scos.3. */
function isOkd({ pre }: Version): boolean {
  return pre.some((identifier) => /^okd\b/.test(identifier));
}

function describeFault(name: string, featureSetClass: FeatureSetClass, source: Version, target: Version): string {
  const update = `the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)}`;
  if (featureSetClass === "final") return `selects the feature set ${name}, which can't be removed: with it, ${update}`;
  return `selects the feature set ${name}, which ${source.text} doesn't list among those that allow updates: with it, ${update}`;
}
