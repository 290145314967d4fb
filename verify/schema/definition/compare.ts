import { type JsonObject, textAt } from "../../../src/model/json.ts";
import type { Verdict } from "../../../src/schema/crd/index.ts";

const TYPES = "Invalid value|Required value|Forbidden|Unsupported value|Duplicate value|Internal error|Too many";
const FIELD = new RegExp(`(?:^\\[?|, )((?:spec|metadata)[^\\s:]*(?: [^\\s:]+)*?): (?:${TYPES})`, "g");

/** The path of the API server's error, without the version, down to the failing keyword. */
function theirPaths(error: string): readonly string[] {
  return [...error.matchAll(FIELD)].map(([, path = ""]) => normal(path));
}

/**
 * The API server reports paths of its internal form: what all versions share is in the spec, and some names differ. Rules that don't
 * compile are reported at a default that they would validate.
 */
function normal(path: string): string {
  return path
    .replace(/^spec\.versions\[\d+\]\./, "spec.")
    .replace(/^spec\.validation(?=\.)/, "spec.schema")
    .replace(/^spec\.conversion\.webhookClientConfig/, "spec.conversion.webhook.clientConfig")
    .replace(/^spec\.conversion\.conversionReviewVersions/, "spec.conversion.webhook.conversionReviewVersions")
    .replace(/\.JSONPath$/, ".jsonPath")
    .replace(/\.default(?:[.[].*)?$/, "");
}

function isNear(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** How both verdicts on a CRD differ. Undefined if both accept it, or if both refuse it and share at least one path. */
export function disagreement(ours: Verdict, theirs: JsonObject): string | undefined {
  const said = ours.refusals;
  const error = textAt(theirs, "error") ?? "";
  if (said.length > 0 !== (theirs["valid"] === false)) {
    return `ours: ${JSON.stringify(ours.refusals.slice(0, 3))}, theirs: ${error.slice(0, 600)}`;
  }
  if (ours.undecided.length > 0 && said.length === 0) return `undecided: ${JSON.stringify(ours.undecided.slice(0, 3))}`;
  const paths = theirPaths(error);
  if (paths.length === 0 || paths.some((path) => said.some((one) => isNear(normal(one.path), path)))) return undefined;
  return `other places: ours ${JSON.stringify(said.slice(0, 3))}, theirs: ${error.slice(0, 600)}`;
}
