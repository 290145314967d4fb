import type { Context, Finding, RiskText } from "../../model/check.ts";
import { hasFeature } from "../../schema/openapi/index.ts";

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

/** During the update, API servers of the source release still answer, and they may refuse invalid values that a write leaves unchanged. */
export function describeSourceApiServers({ source, kubernetes, release }: Context): string {
  if (hasFeature("ratcheting", kubernetes.source) || release.crdFolder !== undefined) return "";
  return `; until its API servers are replaced, those of ${source.text} refuse every write to these objects`;
}

/** Status fields are written by operators. */
export function describeStatusWriters(findings: readonly Finding[]): string {
  const ofStatus = findings.filter(({ path }) => path !== undefined && /^status(?:$|[.[])/.test(path));
  if (ofStatus.length === 0) return "";
  const which = ofStatus.length === findings.length ? "These fields are" : "Those under status are";
  return `; ${which.charAt(0).toLowerCase()}${which.slice(1)} written by the operator itself, which then fails to update its status`;
}

/** Which writes of rejected objects fail. A rule that compares with the stored value refuses no create. */
export function describeRejectedWrites(findings: readonly Finding[]): string {
  const transitions = findings.filter(({ detail }) => detail?.["kind"] === "transition");
  const writes = "replacement, patch and server-side apply that keeps these values, including those of operators";
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

/** What the new schemas do to fields that the API server drops. */
export function describeDropping(findings: readonly Finding[]): string {
  return findings.some(({ detail }) => detail?.["kind"] === "malformed") ? "lack, or can't read," : "lack";
}

/**
 * Which writes of objects with frozen fields pass. Server-side apply, by which Argo CD, Flux and many operators write, converts the whole
 * stored object to the schema's types.
 */
export function describeFrozenWrites(findings: readonly Finding[]): string {
  const refused = findings.filter(({ detail }) => detail?.["effect"] === "applyRefused");
  const pass = "that leave these fields unchanged still pass";
  if (refused.length === 0) return `replacements, patches and server-side applies ${pass}, but`;
  const which = refused.length === findings.length ? "of these objects" : "of those with a value that it can't convert";
  return `replacements and patches ${pass}, but every server-side apply ${which} fails until a replacement or a patch corrects the value;`;
}

/** Managed fields in a version that the CRD no longer has fail every server-side apply; any other write drops them. */
export function describeApplyOfRemoved(findings: readonly Finding[]): string {
  if (!findings.some(({ detail }) => detail?.["effect"] === "applyRefused")) return "";
  return ", and every server-side apply of an object with managed fields in a removed version fails until another kind of write, such as a new label, removes these managed fields";
}

/** What to do before an update; and if single CRDs are checked (`--crds`), where no release is the target and nothing is updated. */
export function byTarget(ofRelease: string, ofFolder: string): RiskText["remediation"] {
  return (context) => (context?.release.crdFolder === undefined ? ofRelease : ofFolder);
}
