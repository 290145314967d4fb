import type { Context, Finding } from "../../model/check.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { isPathUnder } from "./writes.ts";

/** During the update, API servers of the source release still answer, and they may refuse invalid values that a write leaves unchanged. */
export function describeSourceApiServers({ source, kubernetes, release }: Context): string {
  if (hasFeature("ratcheting", kubernetes.source) || release.crdFolder !== undefined) return "";
  return `; until its API servers are replaced, those of ${source.text} refuse every write to these objects`;
}

/** " through v1beta1" if findings are of some versions alone, which others that the kind has don't share. */
export function describeThrough(findings: readonly Finding[]): string {
  const lists = new Set(findings.map(({ detail }) => detail?.["versions"] ?? ""));
  const [versions = ""] = lists;
  if (lists.size > 1) return " through the version that is named";
  return versions === "" ? "" : ` through ${versions.replaceAll(",", " or ")}`;
}

/** What rejects the objects. */
export function describeRejecting(findings: readonly Finding[]): string {
  return findings.every(({ detail }) => detail?.["cause"] === "apiServer")
    ? "replaces the API servers, and the new ones apply the same CRDs more strictly: they reject"
    : "replaces CRDs, and their new schemas reject";
}

/** Status fields are written by operators. */
export function describeStatusWriters(findings: readonly Finding[]): string {
  const ofStatus = findings.filter((one) => isPathUnder(one.path ?? "", "status") && !isOfCreate(one));
  if (ofStatus.length === 0) return "";
  const which = ofStatus.length === findings.length ? "These fields are" : "Those under status are";
  return `; ${which.charAt(0).toLowerCase()}${which.slice(1)} written by the operator itself, which then fails to update its status`;
}

/** Does only a create fail, since the API server drops the status of a new object? */
export function isOfCreate({ detail }: Finding): boolean {
  return detail?.["kind"] === "create";
}

/** Does a rule that compares with the stored value refuse another number of replicas, and no other write? */
export function isOfScale({ detail }: Finding): boolean {
  return detail?.["kind"] === "transition" && detail["scale"] === "refused";
}

/** Does no other value of the object mend it? */
export function isOfNoValue(finding: Finding): boolean {
  return isOfCreate(finding) || isOfScale(finding);
}

/** Which writes of rejected objects fail. A rule that compares with the stored value refuses no create. */
export function describeRejectedWrites(findings: readonly Finding[]): string {
  const transitions = findings.filter(({ detail }) => detail?.["kind"] === "transition");
  const writes = `replacement, patch and server-side apply${describeThrough(findings)} that keeps these values, including those of operators`;
  if (transitions.length === 0) return `every create, ${writes}`;
  const which =
    transitions.length === findings.length ? "with these values" : "with values that such rules alone refuse";
  return `every ${writes}, since rules compare with the stored value; creates ${which} pass`;
}

/** Embedded metadata that is no object can't be read at all. */
export function describeUnreadable(findings: readonly Finding[]): string {
  const count = findings.filter(({ detail }) => detail?.["effect"] === "unreadable").length;
  if (count === 0) return "";
  const which = count === findings.length ? "these objects" : "those whose embedded metadata is not an object";
  return ` Nor can it read ${which}: gets and deletions fail too, and so does every list of the whole kind.`;
}

/** Do the new schemas accept all these values, and only server-side apply doesn't? */
export function areUnmergeable(findings: readonly Finding[]): boolean {
  return findings.every(({ detail }) => detail?.["kind"] === "unmergeable");
}

/** What becomes of fields that the API server drops, and of those that a default alone shows. */
export function describeDropped(objects: string, findings: readonly Finding[]): string {
  const dropped = findings.filter(({ detail }) => detail?.["kind"] !== "default");
  const defaults =
    "no default any more for fields that nothing else sets. From then on these fields are gone, until a server-side apply that sets them stores them";
  if (dropped.length === 0) return `their new schemas have, in ${objects}, ${defaults}.`;
  const hidden = `their new schemas ${describeDropping(dropped)} fields that are set in ${objects}. From then on these fields are hidden, and the next write of an object${describeThrough(dropped)} silently deletes them; a server-side apply or a kubectl command that sets them fails.`;
  return dropped.length === findings.length ? hidden : `${hidden} In some of these objects they have ${defaults}.`;
}

/** What the new schemas do to fields that the API server drops. */
function describeDropping(findings: readonly Finding[]): string {
  return findings.some(({ detail }) => detail?.["kind"] === "malformed") ? "lack, or can't read," : "lack";
}

/**
 * Which writes of objects with frozen fields pass. Server-side apply, by which Argo CD, Flux and many operators write, converts the whole
 * stored object to the schema's types.
 */
export function describeFrozenWrites(findings: readonly Finding[]): string {
  const refused = findings.filter(({ detail }) => detail?.["effect"] === "applyRefused");
  const pass = "that leave these fields unchanged still pass";
  const scaling = describeScaling(findings);
  if (refused.length === 0) return `replacements, patches and server-side applies ${pass}, but${scaling}`;
  const which = refused.length === findings.length ? "of these objects" : "of those with a value that it can't convert";
  return `replacements and patches ${pass}, but every server-side apply${describeThrough(refused)} ${which} fails until a replacement or a patch corrects the value;${scaling}`;
}

/** A number of replicas that changes makes what is around it count as changed. */
function describeScaling(findings: readonly Finding[]): string {
  const refused = findings.filter(({ detail }) => detail?.["scale"] === "refused");
  if (refused.length === 0) return "";
  return ` scaling ${refused.length === findings.length ? "these objects" : "some of these objects"} fails, and`;
}
