import { type JsonObject, at, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type MinorVersion, type Version, formatMinor, getMinorOrdinal } from "../../model/version.ts";
import { getInfrastructurePlatform } from "../../model/infrastructure.ts";

export const CLOUD_CREDENTIAL: ObjectRef = {
  apiVersion: "operator.openshift.io/v1",
  kind: "CloudCredential",
  name: "cluster",
};

/** Who manages the credentials: an administrator, the operator, or "" if the legacy ConfigMap decides. */
type CredentialsMode = "Manual" | "automatic" | "" | "unreadable";

export type CredentialsConfig = { readonly mode: CredentialsMode; readonly annotation?: string };

export function keepCredentialsConfig(object: JsonObject): CredentialsConfig {
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
export function keepLegacyDisabled(configMap: JsonObject): boolean {
  return TRUE_TEXTS.has(textAt(configMap, "data", "disabled") ?? "");
}

export const ANNOTATION = "cloudcredential.openshift.io/upgradeable-to";

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

export function formatAnnotation(value: string | undefined): string {
  if (value === undefined) return `the annotation ${ANNOTATION} is missing`;
  const annotated = parseAnnotation(value);
  if (!annotated) return `the annotation ${ANNOTATION} does not name a release`;
  return `the annotation ${ANNOTATION} names ${formatMinor(annotated)}`;
}

export type Infrastructure = { readonly platform: string; readonly isHosted: boolean };

export function keepInfrastructure(object: JsonObject): Infrastructure {
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

export function hasCredentials(platform: string): boolean {
  return PLATFORMS_WITH_CREDENTIALS.has(platform);
}

/** The Secrets in kube-system from which the operator creates all others. Only texts name them: this check reads no Secret. */
export const ROOT_SECRETS: ReadonlyMap<string, string> = new Map([
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

export function isHostedWithoutOperator({ isHosted, platform }: Infrastructure, source: Version): boolean {
  return isHosted && (platform !== HOSTED_PLATFORM || getMinorOrdinal(source) < getMinorOrdinal(HOSTED_SINCE));
}
