import type { Context, Finding, RiskText } from "../../model/check.ts";

export const OBJECT_INVALID = "CustomResourceInvalid";
export const FIELDS_FROZEN = "CustomResourceFieldsFrozen";
export const FIELDS_DROPPED = "CustomResourceFieldsDropped";
export const STORED_VERSION_REMOVED = "CrdStoredVersionRemoved";
export const SERVED_VERSION_REMOVED = "CrdServedVersionRemoved";
export const SUBRESOURCE_REMOVED = "CrdSubresourceRemoved";
export const CONVERSION_UNAVAILABLE = "CrdConversionUnavailable";
export const CRD_DELETED = "CrdDeletedWithObjects";
export const NAMES_CHANGED = "CrdNamesChanged";

const CRD_URL = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/";
const VERSIONS_URL =
  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/";

function describeUpdate({ update, target, release }: Context): string {
  if (release.crdFolder !== undefined) return `Applying ${release.crdFolder}`;
  return update === "rollback" ? `Rolling back to ${target.text}` : `Updating to ${target.text}`;
}

/** What is told of one finding in a risk's text; all of it is in the finding. */
const MAX_REASON_LENGTH = 240;

/** ": it is ..." where all findings say the same, else ", the first because it is ...". */
function describeReason(findings: readonly Finding[]): string {
  const [text = ""] = findings.map(({ message }) => toClause(message));
  const same = new Set(findings.map(({ message }) => message)).size === 1;
  return same ? `: ${text}` : `, the first because ${text}`;
}

function toClause(message: string): string {
  const text = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
  if (text.length <= MAX_REASON_LENGTH) return text;
  return `${text.slice(0, MAX_REASON_LENGTH).replace(/[,;]?\s+\S*$/, "")} (shortened)`;
}

/** From Kubernetes 1.30 (OpenShift 4.17) on, the API server lets a value stand that a write doesn't change. */
const RATCHETING_SINCE_MINOR = 30;

/** During the update the earlier release's API servers answer as well, and may not know how to let a value stand. */
function describeSourceApiServers({ source, kubernetes, release }: Context): string {
  if (kubernetes.source >= RATCHETING_SINCE_MINOR || release.crdFolder !== undefined) return "";
  return `; until its API servers are replaced, those of ${source.text} refuse every write`;
}

/** Status is what operators write. */
function describeStatusWriters(findings: readonly Finding[]): string {
  const ofStatus = findings.filter(({ path }) => path !== undefined && /^status(?:$|[.[])/.test(path));
  if (ofStatus.length === 0) return "";
  const which = ofStatus.length === findings.length ? "These fields are" : "Those under status are";
  return `; ${which.charAt(0).toLowerCase()}${which.slice(1)} written by the operator itself, so that it fails when it sets them`;
}

/** Scope and kind can't be changed in a CRD that is established; a list kind or singular can. */
function describeNamesEffect(findings: readonly Finding[]): string {
  const fixed = findings.some(({ path }) => path !== undefined && IMMUTABLE_PATHS.has(path));
  const free = findings.some(({ path }) => path !== undefined && !IMMUTABLE_PATHS.has(path));
  const stalls = "The API server refuses another scope or kind for a CRD in use, so the update stalls";
  if (fixed && free) return `${stalls}; clients that know an old list kind or singular fail.`;
  return fixed ? `${stalls}.` : "Clients that know the old list kind or singular fail from then on.";
}

/** What the API server lets nobody change in a CRD that is established (ValidateCustomResourceDefinitionSpecUpdate). */
const IMMUTABLE_PATHS: ReadonlySet<string> = new Set(["spec.names.kind", "spec.scope"]);

export const risks: readonly RiskText[] = [
  {
    name: OBJECT_INVALID,
    title: "Objects that the target's CRDs reject",
    url: `${CRD_URL}#validation`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas reject ${objects}${describeReason(findings)}. From then on the API server refuses every write that leaves an object so, whoever makes it, operators included${describeStatusWriters(findings)}.`,
    remediation: "First change these fields to values that both releases accept.",
  },
  {
    name: FIELDS_FROZEN,
    title: "Objects with fields that the target's CRDs no longer let anyone set so",
    url: `${CRD_URL}#validation-ratcheting`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas reject values of ${objects}${describeReason(findings)}. From then on writes that leave these fields alone still pass, but setting them to such values fails, and so does creating the objects anew from a backup or from Git, and a controller that replaces a whole list around them${describeStatusWriters(findings)}${describeSourceApiServers(context)}.`,
    remediation: "First change these fields to values that both releases accept.",
  },
  {
    name: FIELDS_DROPPED,
    title: "Objects with fields that the target's CRDs no longer know",
    url: `${CRD_URL}#field-pruning`,
    describe: (objects, context) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas don't know fields that are set in ${objects}. From then on nobody sees these fields, and the next write of an object drops them for good, without a word.`,
    remediation: "First find out what replaces these fields, and save the objects.",
  },
  {
    name: STORED_VERSION_REMOVED,
    title: "CRD versions that objects are stored in and the target drops",
    url: `${VERSIONS_URL}#upgrade-existing-objects-to-a-new-stored-version`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. The API server refuses a definition without a version that status.storedVersions names.`,
    remediation:
      "First rewrite the stored objects in a version that both releases have, and take the old one out of status.storedVersions.",
  },
  {
    name: SERVED_VERSION_REMOVED,
    title: "CRD versions in use that the target no longer serves",
    url: VERSIONS_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} ends versions of ${objects} that are in use${describeReason(findings)}. Requests in such a version fail with 404 from then on.`,
    remediation: "First move these clients to a version that both releases serve.",
  },
  {
    name: NAMES_CHANGED,
    title: "CRDs whose scope or names change",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} changes the scope or names of ${objects}${describeReason(findings)}. ${describeNamesEffect(findings)}`,
    remediation:
      "Choose a target that keeps them; a CRD that no release manifest made can be removed with its objects instead.",
  },
  {
    name: SUBRESOURCE_REMOVED,
    title: "CRDs that lose a subresource",
    url: `${CRD_URL}#subresources`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} takes subresources away from ${objects}${describeReason(findings)}. Requests to them fail with 404 from then on, those of operators that write status included.`,
    remediation: "First update what uses them to a version that doesn't need them, or choose a target that keeps them.",
  },
  {
    name: CONVERSION_UNAVAILABLE,
    title: "CRDs whose new conversion webhook can't answer",
    url: `${VERSIONS_URL}#webhook-conversion`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} gives ${objects} a conversion webhook that can't answer${describeReason(findings)}. Until it does, objects that are stored in another version than is asked for can be neither read nor written.`,
    remediation: "First see to it that the Service is there and has a ready endpoint.",
  },
  {
    name: CRD_DELETED,
    title: "CRDs that the target deletes while they have objects",
    url: `${CRD_URL}#delete-a-customresourcedefinition`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} deletes ${objects}${describeReason(findings)}. They are gone from then on, and so is all that depends on them.`,
    remediation: "First move what these objects do elsewhere, or save them.",
  },
];
