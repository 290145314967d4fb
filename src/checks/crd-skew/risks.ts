import type { Context, Finding, RiskText } from "../../model/check.ts";

export const OBJECT_INVALID = "CustomResourceInvalid";
export const STORED_VERSION_REMOVED = "CrdStoredVersionRemoved";
export const SERVED_VERSION_REMOVED = "CrdServedVersionRemoved";
export const NAMES_CHANGED = "CrdNamesChanged";

const VERSIONS_URL =
  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/";

function going({ update, target }: Context): string {
  return update === "rollback" ? `Rolling back to ${target.text}` : `Updating to ${target.text}`;
}

function firstText([first]: readonly Finding[]): string {
  return first?.message ?? "";
}

export const risks: readonly RiskText[] = [
  {
    name: OBJECT_INVALID,
    title: "Objects that the target's CRDs reject",
    url: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation",
    describe: (objects, context, findings) =>
      `${going(context)} replaces CRDs, and their new schemas reject ${objects}: ${firstText(findings)}. ` +
      "From then on the API server refuses to store such values, so whoever writes these objects with them fails, operators included.",
    remediation: "Before updating, change these fields to values that both releases accept.",
  },
  {
    name: STORED_VERSION_REMOVED,
    title: "CRD versions that objects are stored in and the target drops",
    url: `${VERSIONS_URL}#upgrade-existing-objects-to-a-new-stored-version`,
    describe: (objects, context, findings) =>
      `${going(context)} can't put ${objects} in place: ${firstText(findings)}. The API server refuses such a definition, and the update stalls.`,
    remediation:
      "Rewrite the stored objects in the storage version and take the old one out of status.storedVersions before updating.",
  },
  {
    name: SERVED_VERSION_REMOVED,
    title: "CRD versions in use that the target no longer serves",
    url: VERSIONS_URL,
    describe: (objects, context, findings) =>
      `${going(context)} ends versions of ${objects} that are in use: ${firstText(findings)}. Their requests fail with 404 from then on.`,
    remediation: "Move these clients to a version that both releases serve before updating.",
  },
  {
    name: NAMES_CHANGED,
    title: "CRDs whose scope or names change",
    url: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
    describe: (objects, context, findings) =>
      `${going(context)} changes the scope or names of ${objects}: ${firstText(findings)}. ` +
      "The API server refuses another scope, kind or plural for a CRD in use, which stalls the update; clients that know the old list kind or singular fail.",
    remediation: "Remove the CRD with its objects before updating, or choose a target that keeps its names.",
  },
];
