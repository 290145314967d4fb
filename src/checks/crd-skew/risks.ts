import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildStorageMigration, getCommandName, quoteArgument } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { withCrdRemediation } from "./crd-remediations.ts";
import {
  CONVERSION_UNAVAILABLE,
  CRD_DELETED,
  CRD_REFUSED,
  FIELDS_DROPPED,
  FIELDS_FROZEN,
  NAMES_CHANGED,
  OBJECT_INVALID,
  SCOPE_OR_KIND_CHANGED,
  SERVED_VERSION_REMOVED,
  STORED_VERSION_REMOVED,
  SUBRESOURCE_REMOVED,
} from "./risk-names.ts";

/** As `explain` shows them. */
const CRD: ObjectRef = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: "<name>" };
const CUSTOM_RESOURCE: ObjectRef = {
  apiVersion: "<group>/<version>",
  kind: "<kind>",
  namespace: "<namespace>",
  name: "<name>",
};

const CRD_URL = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/";
const VERSIONS_URL =
  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/";

function describeUpdate({ update, target, release }: Context): string {
  if (release.crdFolder !== undefined) return `Applying ${release.crdFolder}`;
  return update === "rollback" ? `Rolling back to ${target.text}` : `Updating to ${target.text}`;
}

/** The longest reason quoted in a risk's message; the finding has the full text. */
const MAX_REASON_LENGTH = 240;

/** ": it is ..." if all findings share one message, else ", the first because it is ...". */
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

/** Since Kubernetes 1.30 (OpenShift 4.17) the API server tolerates invalid values that a write leaves unchanged. */
const RATCHETING_SINCE_MINOR = 30;

/** During the update, API servers of the source release still answer, and they may not ratchet. */
function describeSourceApiServers({ source, kubernetes, release }: Context): string {
  if (kubernetes.source >= RATCHETING_SINCE_MINOR || release.crdFolder !== undefined) return "";
  return `; until its API servers are replaced, those of ${source.text} refuse every write to these objects`;
}

/** Status fields are written by operators. */
function describeStatusWriters(findings: readonly Finding[]): string {
  const ofStatus = findings.filter(({ path }) => path !== undefined && /^status(?:$|[.[])/.test(path));
  if (ofStatus.length === 0) return "";
  const which = ofStatus.length === findings.length ? "These fields are" : "Those under status are";
  return `; ${which.charAt(0).toLowerCase()}${which.slice(1)} written by the operator itself, which then fails to update its status`;
}

/**
 * Which writes of objects with frozen fields pass. Server-side apply, by which Argo CD, Flux and many operators write, converts the whole
 * stored object to the schema's types.
 */
function describeFrozenWrites(findings: readonly Finding[]): string {
  const refused = findings.filter(({ detail }) => detail?.["effect"] === "applyRefused");
  const pass = "that leave these fields unchanged still pass";
  if (refused.length === 0) return `replacements, patches and server-side applies ${pass}, but`;
  const which = refused.length === findings.length ? "of these objects" : "of those with a value of another type";
  return `replacements and patches ${pass}, but every server-side apply ${which} fails until a replacement or a patch corrects the value;`;
}

/** Managed fields in a version that the CRD no longer has fail every server-side apply; any other write drops them. */
function describeApplyOfRemoved(findings: readonly Finding[]): string {
  if (!findings.some(({ detail }) => detail?.["effect"] === "applyRefused")) return "";
  return ", and every server-side apply of an object with managed fields in a removed version fails until another kind of write, such as a new label, removes these managed fields";
}

/** Fields of the status are the operator's to write, and an edit leaves them as they are. */
function buildEdit({ object, path = "" }: Finding, { platform }: Context): readonly string[] {
  return path.startsWith("status") ? [] : [buildObjectCommand(platform, "edit", object)];
}

/** All objects of a CRD. */
function buildListCommand({ object }: Finding, { platform }: Context): string {
  return `${getCommandName(platform)} get ${quoteArgument(object.name)} -A`;
}

/** Until the CRD stores another version, objects that are written again are stored in the removed one as before. */
function buildMigration({ object, detail }: Finding, { platform }: Context): readonly string[] {
  const kept = detail?.["kept"]?.split(",") ?? [];
  if (kept.length > 0) return buildStorageMigration(platform, object, kept);
  return [buildObjectCommand(platform, "edit", object), ...buildStorageMigration(platform, object, ["<version>"])];
}

/** Fields that the API server never lets change in an established CRD (ValidateCustomResourceDefinitionSpecUpdate). */
export const IMMUTABLE_PATHS: ReadonlySet<string> = new Set(["spec.names.kind", "spec.scope"]);

const RELEASE_RISKS: readonly RiskText[] = [
  {
    name: CRD_REFUSED,
    effect: "stuck",
    leadTime: "days",
    title: "CRDs that the API server refuses",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. Until these definitions are corrected, nothing in these CRDs changes, and all writes of their objects pass as before.`,
    remediation: "Choose a target with valid definitions, and report the fault to whoever publishes them.",
  },
  {
    name: OBJECT_INVALID,
    effect: "broken",
    leadTime: "hours",
    title: "Objects that the target's CRDs reject",
    url: `${CRD_URL}#validation`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas reject ${objects}${describeReason(findings)}. From then on the API server refuses every create, replacement, patch and server-side apply that keeps these values, including those of operators${describeStatusWriters(findings)}.`,
    remediation: "Before the update, change these fields to values that both releases accept.",
    example: { object: CUSTOM_RESOURCE },
    fix: buildEdit,
  },
  {
    name: FIELDS_FROZEN,
    effect: "broken",
    leadTime: "hours",
    title: "Objects with values that the target's CRDs no longer accept in new writes",
    url: `${CRD_URL}#validation-ratcheting`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas reject values of ${objects}${describeReason(findings)}. From then on, ${describeFrozenWrites(findings)} setting such a value fails. So does creating the objects again from a backup or from Git, or replacing a whole list that contains them${describeStatusWriters(findings)}${describeSourceApiServers(context)}.`,
    remediation: "Before the update, change these fields to values that both releases accept.",
    example: { object: CUSTOM_RESOURCE },
    fix: buildEdit,
  },
  {
    name: FIELDS_DROPPED,
    effect: "broken",
    leadTime: "hours",
    title: "Objects with fields that the target's CRDs no longer know",
    url: `${CRD_URL}#field-pruning`,
    describe: (objects, context) =>
      `${describeUpdate(context)} replaces CRDs, and their new schemas lack fields that are set in ${objects}. From then on these fields are hidden, and the next write of an object silently deletes them; a server-side apply or a kubectl command that sets them fails.`,
    remediation: "Before the update, find out what replaces these fields, and back up the objects.",
  },
  {
    name: STORED_VERSION_REMOVED,
    effect: "stuck",
    leadTime: "hours",
    title: "Stored CRD versions that the target removes",
    url: `${VERSIONS_URL}#upgrade-existing-objects-to-a-new-stored-version`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. The API server refuses such a CRD until the version is removed there: nothing in these CRDs changes, and all writes of their objects pass as before.`,
    remediation:
      "Before the update, make sure that spec.versions has storage: true for a version that both releases have, and rewrite all objects. Once none failed, remove the old version from status.storedVersions: an object still stored in it can no longer be read after the update.",
    example: { object: CRD },
    fix: buildMigration,
  },
  {
    name: SERVED_VERSION_REMOVED,
    effect: "broken",
    leadTime: "hours",
    title: "CRD versions in use that the target no longer serves",
    url: VERSIONS_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} removes versions of ${objects} that are in use${describeReason(findings)}. From then on requests for such a version fail with 404${describeApplyOfRemoved(findings)}.`,
    remediation: "Before the update, move these clients to a version that both releases serve.",
  },
  {
    name: SCOPE_OR_KIND_CHANGED,
    effect: "stuck",
    leadTime: "days",
    title: "CRDs whose scope or kind changes",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. The API server refuses to change the scope or kind of a CRD that is in use. These CRDs and the writes of their objects stay as they are.`,
    remediation:
      "Choose a target that keeps them; a CRD that no release manifest created can be deleted together with its objects instead.",
    see: (finding, context) => [
      buildObjectCommand(context.platform, "get", finding.object),
      buildListCommand(finding, context),
    ],
  },
  {
    name: NAMES_CHANGED,
    effect: "broken",
    title: "CRDs whose list kind or singular name changes",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} changes the list kind or singular name of ${objects}${describeReason(findings)}. Clients that use the old one fail from then on.`,
    remediation:
      "Before the update, move these clients to names that both releases have, or choose a target that keeps them.",
  },
  {
    name: SUBRESOURCE_REMOVED,
    effect: "broken",
    title: "CRDs that lose a subresource",
    url: `${CRD_URL}#subresources`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} removes subresources of ${objects}${describeReason(findings)}. From then on requests to them fail with 404, including those of operators that write status.`,
    remediation:
      "Before the update, move the clients that use them to a version that does not need them, or choose a target that keeps them.",
  },
  {
    name: CONVERSION_UNAVAILABLE,
    effect: "broken",
    title: "CRDs whose new conversion webhook cannot answer",
    url: `${VERSIONS_URL}#webhook-conversion`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} gives ${objects} a conversion webhook that cannot answer${describeReason(findings)}. Until it answers, objects can only be read and written in the version in which they are stored.`,
    remediation: "Before the update, make sure that the Service exists and has a ready endpoint.",
  },
  {
    name: CRD_DELETED,
    effect: "broken",
    leadTime: "hours",
    title: "CRDs with objects that the target deletes",
    url: `${CRD_URL}#delete-a-customresourcedefinition`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} deletes ${objects}${describeReason(findings)}. The objects are lost, and so is everything that depends on them.`,
    remediation: "Before the update, replace what these objects do, or back them up.",
    see: (finding, context) => [buildListCommand(finding, context)],
  },
];

export const risks: readonly RiskText[] = RELEASE_RISKS.map(withCrdRemediation);
