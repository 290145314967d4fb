import { type Context, type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { compareVersions, getKubernetesMinor, formatMinor } from "../../model/version.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { readRisks } from "../shared/risks.ts";
import { type Crd, parseCrd } from "../../model/crd.ts";
import { type Json, type JsonObject, textAt, at, isList, listAt } from "../../model/json.ts";
import { type GetResult, get } from "../../model/read.ts";
import { getBaselineSets, getKnownCapabilities } from "../../model/capabilities.ts";
import type { Release } from "../../model/release.ts";

const risks = readRisks("capability-enums", {
  CapabilityRejected: { message: { values: formatValues, writes: (_, context) => describeWrites(context) } },
});

function formatValues(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ message }) => /^"([^"]*)"/.exec(message)?.[1] ?? [])));
}

function describeWrites({ source, target }: Context): string {
  const earlier = compareVersions(source, target) < 0 ? source : target;
  return hasFeature("ratcheting", getKubernetesMinor(earlier))
    ? "each write that changes such a field but keeps the value"
    : "every write of ClusterVersion";
}

function buildFinding({ path, value }: CapabilityValue, { target }: Context): Finding {
  const message = `"${value}" is not a value that ${target.text} accepts here.`;
  return { risk: risks.CapabilityRejected.name, object: CLUSTER_VERSION, path, message };
}

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
    `The update to ${after} begins with its ClusterVersion CRD. Until that is installed, the API of ${before} may reject the operator's writes of ClusterVersion's status ("Unsupported value" of ${names}), and ${context.isHosted ? "ClusterVersion" : '"oc adm upgrade"'} then shows no progress. Nothing has to be done about it.`,
  ];
}

/** The set vCurrent, which is the default, requests every capability, so the update enables none of them implicitly. */
function buildImplicitNotices(
  values: readonly CapabilityValue[],
  { source, target, release, isHosted }: Context,
): readonly string[] {
  const [baseline = "vCurrent"] = selectValues(values, "baseline");
  // There, HyperShift requests each capability by its name.
  if (isHosted) return [];
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

/** The fields of ClusterVersion that hold capabilities or sets of them. */
type CapabilityField = "baseline" | "additional" | "enabled" | "known";

const FIELDS: readonly { readonly field: CapabilityField; readonly path: readonly string[] }[] = [
  { field: "baseline", path: ["spec", "capabilities", "baselineCapabilitySet"] },
  { field: "additional", path: ["spec", "capabilities", "additionalEnabledCapabilities"] },
  { field: "enabled", path: ["status", "capabilities", "enabledCapabilities"] },
  { field: "known", path: ["status", "capabilities", "knownCapabilities"] },
];

/** The values that an API accepts in each field; a field without an entry accepts every value. */
type CapabilityEnums = { readonly [F in CapabilityField]?: readonly string[] };

/** A value in ClusterVersion, and its path. */
type CapabilityValue = { readonly field: CapabilityField; readonly path: string; readonly value: string };

/** All capabilities and sets of them in ClusterVersion. */
function keepCapabilityValues(object: JsonObject): readonly CapabilityValue[] {
  return FIELDS.flatMap(({ field, path }) => {
    const value = at(object, ...path);
    const where = path.join(".");
    if (typeof value === "string") return [{ field, path: where, value }];
    if (!isList(value)) return [];
    return value.flatMap((item, i) =>
      typeof item === "string" ? [{ field, path: `${where}[${i}]`, value: item }] : [],
    );
  });
}

function selectValues(values: readonly CapabilityValue[], field: CapabilityField): readonly string[] {
  return values.filter((one) => one.field === field).map(({ value }) => value);
}

/** The values that a ClusterVersion CRD accepts; undefined if it has no schema for v1. */
export function parseEnums(crd: Crd): CapabilityEnums | undefined {
  const version = crd.versions.find(({ name }) => name === "v1");
  if (!version || version.schema === "") return undefined;
  const schema: Json = JSON.parse(version.schema);
  return Object.fromEntries(FIELDS.flatMap(({ field, path }) => parseEnumEntry(field, schema, path)));
}

function parseEnumEntry(
  field: CapabilityField,
  schema: Json,
  path: readonly string[],
): readonly (readonly [CapabilityField, readonly string[]])[] {
  const here = at(schema, ...path.flatMap((step) => ["properties", step]));
  const holder = textAt(here, "type") === "array" ? at(here, "items") : here;
  if (!isList(at(holder, "enum"))) return [];
  return [[field, listAt(holder, "enum").filter((value) => typeof value === "string")]];
}

function selectRejectedValues(enums: CapabilityEnums, values: readonly CapabilityValue[]): readonly CapabilityValue[] {
  return values.filter(({ field, value }) => enums[field]?.includes(value) === false);
}

const CLUSTER_VERSIONS = "clusterversions.config.openshift.io";

/** The values that the target's ClusterVersion accepts, by its CRD, or by the table of releases if the payload has no CRD. */
type TargetEnums =
  | { readonly kind: "crd" | "table"; readonly enums: CapabilityEnums }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/**
 * Before 4.11, ClusterVersion had no capabilities and so no enums of them. `featureSet` selects from the table; a payload's CRD is
 * already the one for the cluster's feature set.
 */
export function getTargetEnums({ crds, crdFiles, version }: Release, featureSet: string): TargetEnums {
  const crd = crds.find(({ name }) => name === CLUSTER_VERSIONS);
  if (crd) {
    const enums = parseEnums(crd);
    if (enums) return { kind: "crd", enums };
    const where = crdFiles.get(CLUSTER_VERSIONS) ?? CLUSTER_VERSIONS;
    return buildUnknownEnums("NotUnderstood", where, "the ClusterVersion CRD has no schema for v1");
  }
  const known = getKnownCapabilities(version, featureSet);
  const baseline = getBaselineSets(version);
  if (known?.length === 0) return { kind: "table", enums: {} };
  if (known && baseline) return { kind: "table", enums: { baseline, additional: known, enabled: known, known } };
  const message = `the target folder has no ClusterVersion CRD, and preflight's own table ends before ${formatMinor(version)}`;
  return buildUnknownEnums("TargetUnknown", `the capabilities of ${version.text}`, message);
}

function buildUnknownEnums(reason: Unknown["reason"], where: string, message: string): TargetEnums {
  return { kind: "unknown", unknown: { reason, where, message } };
}
