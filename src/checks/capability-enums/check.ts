import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Crd, parseCrd } from "../../model/crd.ts";
import { textAt } from "../../model/json.ts";
import { type GetResult, get } from "../../model/read.ts";
import {
  type CapabilityEnums,
  type CapabilityValue,
  parseEnums,
  keepCapabilityValues,
  selectRejectedValues,
  selectValues,
} from "./enums.ts";
import { buildImplicitNotices, buildAddedNotices, buildTableNotice } from "./notices.ts";
import { capabilityRejected, buildFinding } from "./rejection.ts";
import { getTargetEnums } from "./target-enums.ts";

const CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";

export default defineCheck({
  id: "capability-enums",
  title: "The target's ClusterVersion API accepts the cluster's capabilities",
  risks: [capabilityRejected],
  applies: { kind: "updates", kinds: ["minor", "rollback"] },
  basis: "manifests",
  reads: () => ({
    clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepCapabilityValues),
    installed: get(CRDS, "clusterversions.config.openshift.io", parseCrd),
    featureSet: get(
      "config.openshift.io/v1/featuregates",
      "cluster",
      (gate) => textAt(gate, "spec", "featureSet") ?? "",
    ),
  }),
  evaluate({ clusterVersion, installed, featureSet }, context): Judgement {
    if (clusterVersion.kind === "absent") return { notApplicable: "The cluster has no ClusterVersion version." };
    const target = getTargetEnums(context.release, featureSet.kind === "found" ? featureSet.value : "");
    if (target.kind === "unknown") return { unknowns: [target.unknown] };
    const values = clusterVersion.value;
    return {
      findings: selectRejectedValues(target.enums, values).map((one) => buildFinding(one, context)),
      notices: [
        ...(target.kind === "table" ? [buildTableNotice(context)] : []),
        ...buildForwardNotices(values, getInstalledEnums(installed, values), target.enums, context),
      ],
    };
  },
});

/** Without a readable CRD, the capabilities that the running release reports to know are the ones that its API accepts. */
function getInstalledEnums(installed: GetResult<Crd | undefined>, values: readonly CapabilityValue[]): CapabilityEnums {
  const crd = installed.kind === "found" ? installed.value : undefined;
  const enums = crd === undefined ? undefined : parseEnums(crd);
  const known = selectValues(values, "known");
  return enums ?? (known.length === 0 ? {} : { known });
}

function buildForwardNotices(
  values: readonly CapabilityValue[],
  installed: CapabilityEnums,
  target: CapabilityEnums,
  context: Context,
): readonly string[] {
  if (context.update !== "minor") return [];
  return [...buildAddedNotices(installed, target, context), ...buildImplicitNotices(values, context)];
}
