import { type Context, type Unknown, type Judgement, defineCheck } from "../../model/check.ts";
import { type MinorVersion, type Version, getMinorOrdinal, leavesMinor, formatMinor } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";
import { type Get, type GetResult, get, withAnnotations } from "../../model/read.ts";
import { type JsonObject, at, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { getInfrastructurePlatform } from "../../model/infrastructure.ts";

/** `--included` limits the requests to those that the cluster's platform and capabilities need. An oc before this release lacks it. */
const INCLUDED_SINCE = { major: 4, minor: 14 } as const;

/** The documentation asks for the target's own oc, which nobody knows in the general form. */
const remediation = {
  included: (context?: Context) =>
    context === undefined || getMinorOrdinal(context.target) >= getMinorOrdinal(INCLUDED_SINCE) ? " --included" : "",
  note: (context?: Context) => (context === undefined ? " (an oc before 4.14 lacks --included)" : ""),
};

const risks = readRisks("cloud-credentials", {
  CloudCredentialsNotPrepared: { remediation },
  CloudCredentialsPreparedForEarlierRelease: { remediation },
});

type FirstReads = { readonly config: Get<CredentialsConfig>; readonly infrastructure: Get<Infrastructure> };
type FollowUpReads = { readonly disabled?: Get<boolean> };

export default defineCheck<FirstReads, FollowUpReads>({
  id: "cloud-credentials",
  name: "CloudCredentialsUnprepared",
  title: "Manually managed cloud credentials are ready for the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({
    config: withAnnotations(
      [ANNOTATION],
      get("operator.openshift.io/v1/cloudcredentials", "cluster", keepCredentialsConfig),
    ),
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", keepInfrastructure),
  }),
  mayRead: buildLegacyRead,
  follow: ({ config, infrastructure }, context) =>
    findReasonNotApplicable(config, infrastructure, context) === undefined && needsLegacyConfig(config, infrastructure)
      ? buildLegacyRead()
      : {},
  evaluate: ({ config, infrastructure }, context, { disabled }) => {
    const reason = findReasonNotApplicable(config, infrastructure, context);
    if (reason !== undefined) return { notApplicable: reason };
    if (config.kind !== "found") return {};
    if (infrastructure.kind !== "found" || infrastructure.value.platform === "")
      return { unknowns: [buildPlatformUnknown()] };
    if (disabled === undefined && needsLegacyConfig(config, infrastructure)) return {};
    return judge(applyLegacyConfig(config.value, disabled), infrastructure.value.platform, context);
  },
});

function buildLegacyRead(): Required<FollowUpReads> {
  const where = "openshift-cloud-credential-operator/cloud-credential-operator-config";
  return { disabled: get("v1/configmaps", where, keepLegacyDisabled) };
}

function needsLegacyConfig(config: GetResult<CredentialsConfig>, infrastructure: GetResult<Infrastructure>): boolean {
  if (config.kind === "absent" || infrastructure.kind === "absent") return false;
  return config.value.mode === "" && hasCredentials(infrastructure.value.platform);
}

function findReasonNotApplicable(
  config: GetResult<CredentialsConfig>,
  infrastructure: GetResult<Infrastructure>,
  context: Context,
): string | undefined {
  const { source } = context;
  if (!leavesMinor(context)) return `Updates within ${formatMinor(source)} require no new cloud credentials.`;
  if (config.kind === "absent") return "The cluster has no cloudcredentials.operator.openshift.io cluster.";
  if (infrastructure.kind === "found" && isHostedWithoutOperator(infrastructure.value, source))
    return `A hosted cluster of ${formatMinor(source)} on this platform has no cloud-credential-operator that checks the credentials.`;
  return undefined;
}

function applyLegacyConfig(config: CredentialsConfig, disabled: GetResult<boolean> | undefined): CredentialsConfig {
  return config.mode === "" && disabled?.kind === "found" && disabled.value ? { ...config, mode: "Manual" } : config;
}

function judge(config: CredentialsConfig, platform: string, { source, target }: Context): Judgement {
  if (config.mode === "unreadable") return { unknowns: [buildModeUnknown()] };
  if (!hasCredentials(platform)) return {};
  const verdict = judgeAnnotation(config.annotation, source, target);
  if (config.mode !== "Manual") return verdict === "refused" ? {} : { notices: buildUncheckedRootNotices(platform) };
  if (verdict === "enough") return {};
  const risk =
    verdict === "refused"
      ? risks.CloudCredentialsNotPrepared.name
      : risks.CloudCredentialsPreparedForEarlierRelease.name;
  const annotation = formatAnnotation(config.annotation);
  const message = `The cloud credentials are managed manually, and ${annotation}.`;
  return { findings: [{ risk, object: CLOUD_CREDENTIAL, message, detail: { annotation } }] };
}

/** The annotation also makes the operator skip its check of the root Secret. */
function buildUncheckedRootNotices(platform: string): readonly string[] {
  const secret = ROOT_SECRETS.get(platform);
  if (secret === undefined) return [];
  return [
    `CloudCredential cluster is annotated as ready although its credentials are not managed manually, so the cloud-credential-operator no longer checks that its root credentials exist. Check that Secret kube-system/${secret} exists before updating.`,
  ];
}

function buildModeUnknown(): Unknown {
  const where = "cloudcredentials.operator.openshift.io cluster spec.credentialsMode";
  return { reason: "NotUnderstood", where, message: "it is not a known mode" };
}

function buildPlatformUnknown(): Unknown {
  const where = "infrastructures.config.openshift.io cluster status.platformStatus.type";
  return { reason: "NotFound", where, message: "the cluster does not report its platform" };
}

const CLOUD_CREDENTIAL: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "CloudCredential",
  name: "cluster",
};

/** Who manages the credentials: an administrator, the operator, or "" if the legacy ConfigMap decides. */
type CredentialsMode = "Manual" | "automatic" | "" | "unreadable";

type CredentialsConfig = { readonly mode: CredentialsMode; readonly annotation?: string };

function keepCredentialsConfig(object: JsonObject): CredentialsConfig {
  const annotation = textAt(object, "metadata", "annotations", ANNOTATION);
  return {
    mode: parseMode(at(object, "spec", "credentialsMode") ?? ""),
    annotation,
  };
}

function parseMode(value: unknown): CredentialsMode {
  if (value === "" || value === "Manual") return value;
  return value === "Mint" || value === "Passthrough" ? "automatic" : "unreadable";
}

const TRUE_TEXTS = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** The ConfigMap is older than credentialsMode and still counts if no mode is set. */
function keepLegacyDisabled(configMap: JsonObject): boolean {
  return TRUE_TEXTS.has(textAt(configMap, "data", "disabled") ?? "");
}

const ANNOTATION = "cloudcredential.openshift.io/upgradeable-to";

const NUMBER = "(0|[1-9]\\d{0,8})";
const PRE = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const VALUE = new RegExp(`^v?${NUMBER}(?:\\.${NUMBER}(?:\\.${NUMBER}(?:-${PRE})?(?:\\+${PRE})?)?)?$`);

/** The release that the annotation names, as the cloud-credential-operator parses it: "4.19", "v4.19.3"; 4 is 4.0. */
export function parseAnnotation(value: string): MinorVersion | undefined {
  const match = VALUE.exec(value);
  return match ? { major: Number(match[1]), minor: Number(match[2] ?? "0") } : undefined;
}

/** `refused`: the operator itself blocks updates to a later minor. `short`: it doesn't, but the annotation names a release before the target. */
type AnnotationVerdict = "refused" | "short" | "enough";

/** The operator compares with the running release by number: 5.0 comes after 4.23. As targets the two count as one. */
export function judgeAnnotation(value: string | undefined, source: Version, target: Version): AnnotationVerdict {
  const annotated = value === undefined ? undefined : parseAnnotation(value);
  if (!annotated || !isLater(annotated, source)) return "refused";
  return getMinorOrdinal(annotated) < getMinorOrdinal(target) ? "short" : "enough";
}

function isLater(a: MinorVersion, b: MinorVersion): boolean {
  return a.major > b.major || (a.major === b.major && a.minor > b.minor);
}

function formatAnnotation(value: string | undefined): string {
  if (value === undefined) return `the annotation ${ANNOTATION} is missing`;
  const annotated = parseAnnotation(value);
  if (!annotated) return `the annotation ${ANNOTATION} does not name a release`;
  return `the annotation ${ANNOTATION} names ${formatMinor(annotated)}`;
}

type Infrastructure = { readonly platform: string; readonly isHosted: boolean };

function keepInfrastructure(object: JsonObject): Infrastructure {
  return {
    platform: getInfrastructurePlatform(object),
    isHosted: textAt(object, "status", "controlPlaneTopology") === "External",
  };
}

/** Platforms on which every release of the operator requires the annotation in manual mode; others may have no cloud at all. */
const PLATFORMS_WITH_CREDENTIALS = new Set([
  "AWS",
  "AlibabaCloud",
  "Azure",
  "GCP",
  "IBMCloud",
  "Nutanix",
  "OpenStack",
  "PowerVS",
  "VSphere",
  "oVirt",
]);

function hasCredentials(platform: string): boolean {
  return PLATFORMS_WITH_CREDENTIALS.has(platform);
}

/** The Secrets in kube-system from which the operator creates all others. Only texts name them: this check reads no Secret. */
const ROOT_SECRETS: ReadonlyMap<string, string> = new Map([
  ["AWS", "aws-creds"],
  ["Azure", "azure-credentials"],
  ["GCP", "gcp-credentials"],
  ["OpenStack", "openstack-credentials"],
  ["VSphere", "vsphere-creds"],
  ["oVirt", "ovirt-credentials"],
]);

/** Hosted clusters have a cloud-credential-operator that checks the credentials from this release on, and on one platform only. */
const HOSTED_SINCE = { major: 4, minor: 22 } as const;
const HOSTED_PLATFORM = "AWS";

function isHostedWithoutOperator({ isHosted, platform }: Infrastructure, source: Version): boolean {
  return isHosted && (platform !== HOSTED_PLATFORM || getMinorOrdinal(source) < getMinorOrdinal(HOSTED_SINCE));
}
