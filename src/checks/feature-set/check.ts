import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import {
  type FeatureSet,
  type FeatureSetClass,
  describeFault,
  keepFeatureSet,
  classifyFeatureSet,
} from "./feature-set.ts";
import { featureSetForbidsUpdates } from "./risks.ts";

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
