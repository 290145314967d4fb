import { getInfrastructurePlatform } from "../shared/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type Version, getMinorOrdinal } from "../../model/version.ts";

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
const ROOT_SECRETS: ReadonlyMap<string, string> = new Map([
  ["AWS", "aws-creds"],
  ["Azure", "azure-credentials"],
  ["GCP", "gcp-credentials"],
  ["OpenStack", "openstack-credentials"],
  ["VSphere", "vsphere-creds"],
  ["oVirt", "ovirt-credentials"],
]);

export function findRootSecret(platform: string): string | undefined {
  return ROOT_SECRETS.get(platform);
}

/** Hosted clusters have a cloud-credential-operator that checks the credentials from this release on, and on one platform only. */
const HOSTED_SINCE = { major: 4, minor: 22 } as const;
const HOSTED_PLATFORM = "AWS";

export function isHostedWithoutOperator({ isHosted, platform }: Infrastructure, source: Version): boolean {
  return isHosted && (platform !== HOSTED_PLATFORM || getMinorOrdinal(source) < getMinorOrdinal(HOSTED_SINCE));
}
