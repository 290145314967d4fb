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
  getTargetEnums,
} from "./enums.ts";
import { risks, buildFinding } from "./rejection.ts";
import { joinNames, sortNames } from "../../model/names.ts";

const CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";

export default defineCheck({
  id: "capability-enums",
  title: "The target's ClusterVersion API accepts the cluster's capabilities",
  risks: Object.values(risks),
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

/**
 * Warns before an update of what blocks the way back, and what fails on the way there: the operator writes new capabilities into the status
 * before it has installed the CRD that accepts them. `installed` is what the cluster's API accepts today.
 */
function buildAddedNotices(installed: CapabilityEnums, target: CapabilityEnums, context: Context): readonly string[] {
  const targetNames = target.known ?? context.release.capabilities.known;
  const added = targetNames.filter((name) => installed.known?.includes(name) === false);
  if (added.length === 0) return [];
  const before = context.source.text;
  const after = context.target.text;
  const names = joinNames(sortNames(added));
  return [
    `After this update, a rollback from ${after} to ${before} would fail: ${after} adds ${names} to status.capabilities of ClusterVersion version, and the API of ${before} rejects ${added.length === 1 ? "it" : "them"} as "Unsupported value".`,
    `The update to ${after} begins with its ClusterVersion CRD. Until that is installed, the API of ${before} may reject the operator's writes of ClusterVersion's status ("Unsupported value" of ${names}), and "oc adm upgrade" then shows no progress. Nothing has to be done about it.`,
  ];
}

/** The set vCurrent, which is the default, requests every capability, so the update enables none of them implicitly. */
function buildImplicitNotices(
  values: readonly CapabilityValue[],
  { source, target, release }: Context,
): readonly string[] {
  const [baseline = "vCurrent"] = selectValues(values, "baseline");
  if (baseline === "vCurrent" || baseline === "") return [];
  const requested = new Set([...selectValues(values, "additional"), ...selectValues(values, "enabled")]);
  const implicit = release.capabilities.implicit.filter((name) => !requested.has(name));
  if (implicit.length === 0) return [];
  return [
    `With baselineCapabilitySet ${baseline}, ClusterVersion version doesn't request ${joinNames(sortNames(implicit))}, but the update to ${target.text} enables any of these that ${source.text} already runs. An enabled capability can't be disabled.`,
  ];
}

function buildTableNotice({ target }: Context): string {
  return `The target folder has no ClusterVersion CRD ("oc adm release extract" omits it), so preflight's own table of releases decided what ${target.text} accepts.`;
}
