import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildStorageMigration, getCommandName, quoteArgument } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import {
  areUnmergeable,
  describeDropped,
  describeFrozenWrites,
  describeRejectedWrites,
  describeRejecting,
  describeSourceApiServers,
  describeStatusWriters,
  describeThrough,
  describeUnreadable,
  isOfCreate,
  isOfNoValue,
  isOfScale,
} from "./write-texts.ts";
import { isPathUnder } from "./writes.ts";

/** Names never change, since administrators accept risks by name. */
export const CRD_REFUSED = "CrdRefused";
export const OBJECT_INVALID = "CustomResourceInvalid";
export const FIELDS_FROZEN = "CustomResourceFieldsFrozen";
export const FIELDS_DROPPED = "CustomResourceFieldsDropped";
export const STORED_VERSION_REMOVED = "CrdStoredVersionRemoved";
export const SERVED_VERSION_REMOVED = "CrdServedVersionRemoved";
export const SUBRESOURCE_REMOVED = "CrdSubresourceRemoved";
export const CONVERSION_UNAVAILABLE = "CrdConversionUnavailable";
export const CRD_DELETED = "CrdDeletedWithObjects";
export const SCOPE_OR_KIND_CHANGED = "CrdScopeOrKindChanged";
export const NAMES_CHANGED = "CrdNamesChanged";

export function describeUpdate({ update, target, release }: Context): string {
  if (release.crdFolder !== undefined) return `Applying ${release.crdFolder}`;
  return update === "rollback" ? `Rolling back to ${target.text}` : `Updating to ${target.text}`;
}

/** The longest reason quoted in a risk's message; the finding has the full text. */
const MAX_REASON_LENGTH = 240;

/** ": it is ..." if all findings share one message, else ", the first because it is ...". */
export function describeReason(findings: readonly Finding[]): string {
  const [text = ""] = findings.map(({ message }) => toClause(message));
  const same = new Set(findings.map(({ message }) => message)).size === 1;
  return same ? `: ${text}` : `, the first because ${text}`;
}

function toClause(message: string): string {
  const text = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
  if (text.length <= MAX_REASON_LENGTH) return text;
  return `${text.slice(0, MAX_REASON_LENGTH).replace(/[,;]?\s+\S*$/, "")} (shortened)`;
}

/** Managed fields in a version that the CRD no longer has fail every server-side apply; any other write drops them. */
export function describeApplyOfRemoved(findings: readonly Finding[]): string {
  if (!findings.some(({ detail }) => detail?.["effect"] === "applyRefused")) return "";
  return ", and every server-side apply of an object with managed fields in a removed version fails until another kind of write, such as a new label, removes these managed fields";
}

/** What to do before an update; and if single CRDs are checked (`--crds`), where no release is the target and nothing is updated. */
export function byTarget(ofRelease: string, ofFolder: string): (context?: Context) => string {
  return (context) => (context?.release.crdFolder === undefined ? ofRelease : ofFolder);
}

/** What has to be done first, whether a release or somebody brings the new CRDs. */
function doFirst(step: string, ofFolder = step): (context?: Context) => string {
  return byTarget(`Before the update, ${step}`, `Before you apply them, ${ofFolder}`);
}

const changeValues = doFirst(
  "change these fields to values that both releases accept.",
  "change these fields to values that both the installed and the new CRD accept.",
);
const chooseDefinition = byTarget(
  "Choose a target whose CRDs still allow this, or report it to whoever publishes them.",
  "Let the new CRDs allow this, or report it to whoever publishes them.",
);

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

/** Fields of the status are the operator's to write, and an edit leaves them as they are. It mends nothing of new objects, or of another scale. */
function buildEdit(finding: Finding, { platform }: Context): readonly string[] {
  const { object, path = "" } = finding;
  return isPathUnder(path, "status") || isOfCreate(finding) || isOfScale(finding)
    ? []
    : [buildObjectCommand(platform, "edit", object)];
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

export const risks: readonly RiskText[] = [
  {
    name: CRD_REFUSED,
    effect: "stuck",
    leadTime: "days",
    title: "CRDs that the API server refuses",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. Until these definitions are corrected, nothing in these CRDs changes, and all writes of their objects pass as before.`,
    remediation: byTarget(
      "Choose a target with valid definitions, and report the fault to whoever publishes them.",
      "Correct the new CRDs, or report the fault to whoever publishes them.",
    ),
  },
  {
    name: OBJECT_INVALID,
    effect: "broken",
    leadTime: "hours",
    title: "Objects that the target's CRDs reject",
    url: `${CRD_URL}#validation`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} ${describeRejecting(findings)} ${objects}${describeReason(findings)}. From then on the API server refuses ${describeRejectedWrites(findings)}${describeStatusWriters(findings)}.${describeUnreadable(findings)}`,
    remediation: changeValues,
    example: { object: CUSTOM_RESOURCE },
    fixKind: "disruptive",
    fix: buildEdit,
  },
  {
    name: FIELDS_FROZEN,
    effect: "broken",
    leadTime: "hours",
    title: "Objects with values that the target's CRDs no longer accept in new writes",
    url: `${CRD_URL}#validation-ratcheting`,
    describe: (objects, context, findings) => {
      const update = describeUpdate(context);
      const through = describeThrough(findings);
      if (findings.every(isOfCreate))
        return `${update} ${describeRejecting(findings)} new objects like ${objects}${describeReason(findings)}. From then on none can be created${through}, nor created again from a backup or from Git. All other writes pass.`;
      if (findings.every(isOfScale))
        return `${update} ${describeRejecting(findings)} another number of replicas of ${objects}${describeReason(findings)}. From then on scaling these objects${through} fails. Writes that leave the number as it is pass.`;
      if (areUnmergeable(findings))
        return `${update} replaces CRDs, and server-side apply can't convert values of ${objects} to their new schemas${describeReason(findings)}. From then on every server-side apply${through} of these objects fails, whatever it sets, until a replacement or a patch changes these values. Creates, replacements and patches pass.`;
      return `${update} ${describeRejecting(findings)} values of ${objects}${describeReason(findings)}. From then on, ${describeFrozenWrites(findings)} setting such a value${through} fails. So does creating the objects again${through} from a backup or from Git, or replacing a whole list that contains them${describeStatusWriters(findings)}${describeSourceApiServers(context)}.`;
    },
    remediation: (context, findings = []) =>
      findings.length > 0 && findings.every(isOfNoValue) ? chooseDefinition(context) : changeValues(context),
    example: { object: CUSTOM_RESOURCE },
    fixKind: "disruptive",
    fix: buildEdit,
  },
  {
    name: FIELDS_DROPPED,
    effect: "broken",
    leadTime: "hours",
    title: "Objects with fields that the target's CRDs no longer know",
    url: `${CRD_URL}#field-pruning`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} replaces CRDs, and ${describeDropped(objects, findings)}`,
    remediation: doFirst(
      "back up the objects, and find out what replaces these fields. Remove the fields once nothing needs them.",
    ),
  },
  {
    name: STORED_VERSION_REMOVED,
    effect: "stuck",
    leadTime: "hours",
    title: "Stored CRD versions that the target removes",
    url: `${VERSIONS_URL}#upgrade-existing-objects-to-a-new-stored-version`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. The API server refuses such a CRD until the version is removed there: nothing in these CRDs changes, and all writes of their objects pass as before.`,
    remediation: doFirst(
      "make sure that spec.versions has storage: true for a version that both releases have, and rewrite all objects. Once none failed, remove the old version from status.storedVersions: an object still stored in it can no longer be read after the update.",
      "make sure that spec.versions of the installed CRD has storage: true for a version that the new CRD has too. Then rewrite all objects, and remove the old version from status.storedVersions.",
    ),
    example: { object: CRD },
    fixKind: "weakening",
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
    remediation: doFirst(
      "move these clients to a version that both releases serve.",
      "move these clients to a version that both the installed and the new CRD serve.",
    ),
  },
  {
    name: SCOPE_OR_KIND_CHANGED,
    effect: "stuck",
    leadTime: "days",
    title: "CRDs whose scope or kind changes",
    url: CRD_URL,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} stalls at ${objects}${describeReason(findings)}. The API server refuses to change the scope or kind of a CRD that is in use. These CRDs and the writes of their objects stay as they are.`,
    remediation: byTarget(
      "Choose a target that keeps them; a CRD that no release manifest created can be deleted together with its objects instead.",
      "Keep the scope and the kind of the installed CRD, or delete it together with its objects first.",
    ),
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
    remediation: doFirst(
      "move these clients to names that both releases have, or choose a target that keeps them.",
      "move these clients to names that both CRDs have, or keep the names in the new CRD.",
    ),
  },
  {
    name: SUBRESOURCE_REMOVED,
    effect: "broken",
    title: "CRDs that lose a subresource",
    url: `${CRD_URL}#subresources`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} removes subresources of ${objects}${describeReason(findings)}. From then on requests to them fail with 404, including those of operators that write status.`,
    remediation: doFirst(
      "move the clients that use them to a version that does not need them, or choose a target that keeps them.",
      "move the clients that use them to a version that does not need them, or keep them in the new CRD.",
    ),
  },
  {
    name: CONVERSION_UNAVAILABLE,
    effect: "broken",
    title: "CRDs whose new conversion webhook cannot answer",
    url: `${VERSIONS_URL}#webhook-conversion`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} gives ${objects} a conversion webhook that cannot answer${describeReason(findings)}. Until it answers, objects can only be read and written in the version in which they are stored.`,
    remediation: doFirst("make sure that the Service exists and has a ready endpoint."),
  },
  {
    name: CRD_DELETED,
    effect: "broken",
    leadTime: "hours",
    title: "CRDs with objects that the target deletes",
    url: `${CRD_URL}#delete-a-customresourcedefinition`,
    describe: (objects, context, findings) =>
      `${describeUpdate(context)} deletes ${objects}${describeReason(findings)}. The objects are lost, and so is everything that depends on them.`,
    remediation: doFirst("replace what these objects do and delete them, or back them up."),
    see: (finding, context) => [buildListCommand(finding, context)],
  },
];
