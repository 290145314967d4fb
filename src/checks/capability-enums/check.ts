import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Crd, parseCrd } from "../../model/crd.ts";
import { textAt } from "../../model/json.ts";
import { type Got, get } from "../../model/read.ts";
import { type Enums, type Stated, enumsOf, keepStated, rejectedBy, valuesIn } from "./enums.ts";
import { implicitNotice, rollbackNotice, tableNotice } from "./notices.ts";
import { capabilityRejected, rejection } from "./rejected.ts";
import { targetEnums } from "./target.ts";

const CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";

export default defineCheck({
  id: "capability-enums",
  name: "CapabilityEnums",
  title: "The target's ClusterVersion API accepts the cluster's capabilities",
  risks: [capabilityRejected],
  applies: { kind: "updates", kinds: ["minor", "rollback"] },
  needsManifests: true,
  reads: () => ({
    clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepStated),
    installed: get(CRDS, "clusterversions.config.openshift.io", parseCrd),
    featureSet: get(
      "config.openshift.io/v1/featuregates",
      "cluster",
      (gate) => textAt(gate, "spec", "featureSet") ?? "",
    ),
  }),
  evaluate({ clusterVersion, installed, featureSet }, context): Judgement {
    if (clusterVersion.kind === "absent") return { notApplicable: "There is no ClusterVersion version." };
    const target = targetEnums(context.release, featureSet.kind === "found" ? featureSet.value : "");
    if (target.kind === "unknown") return { blind: [target.blind] };
    const stated = clusterVersion.value;
    return {
      findings: rejectedBy(target.enums, stated).map((one) => rejection(one, context)),
      notices: [
        ...(target.kind === "table" ? [tableNotice(context)] : []),
        ...forwardNotices(stated, installedEnums(installed, stated), target.enums, context),
      ],
    };
  },
});

/** An installed CRD that can't be understood is stood in for by what the running release says that it knows. */
function installedEnums(installed: Got<Crd | undefined>, stated: readonly Stated[]): Enums {
  const crd = installed.kind === "found" ? installed.value : undefined;
  const enums = crd === undefined ? undefined : enumsOf(crd);
  const known = valuesIn(stated, "known");
  return enums ?? (known.length === 0 ? {} : { known });
}

function forwardNotices(
  stated: readonly Stated[],
  installed: Enums,
  target: Enums,
  context: Context,
): readonly string[] {
  if (context.update !== "minor") return [];
  return [...rollbackNotice(installed, target, context), ...implicitNotice(stated, context)];
}
