import { type JsonObject, textAt } from "../../model/json.ts";
import { type Version, minorPlace, parseMinor } from "../../model/version.ts";

export type Infrastructure = { readonly platform: string; readonly hosted: boolean };

export function keepInfrastructure(object: JsonObject): Infrastructure {
  return {
    platform: textAt(object, "status", "platformStatus", "type") ?? textAt(object, "status", "platform") ?? "",
    hosted: textAt(object, "status", "controlPlaneTopology") === "External",
  };
}

/** Platforms on which every release of the operator asks for the annotation in manual mode; on others there may be no cloud at all. */
const WITH_CREDENTIALS = new Set([
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
  return WITH_CREDENTIALS.has(platform);
}

/** The Secrets in kube-system from which the operator makes all others. Named in texts only: no check reads a Secret. */
const ROOT_SECRETS: ReadonlyMap<string, string> = new Map([
  ["AWS", "aws-creds"],
  ["Azure", "azure-credentials"],
  ["GCP", "gcp-credentials"],
  ["OpenStack", "openstack-credentials"],
  ["VSphere", "vsphere-creds"],
  ["oVirt", "ovirt-credentials"],
]);

export function rootSecret(platform: string): string | undefined {
  return ROOT_SECRETS.get(platform);
}

/** Hosted clusters have a cloud-credential-operator from this release on. */
const HOSTED_SINCE = parseMinor("4.22");

export function isHostedWithout({ hosted }: Infrastructure, source: Version): boolean {
  return hosted && HOSTED_SINCE !== undefined && minorPlace(source) < minorPlace(HOSTED_SINCE);
}
