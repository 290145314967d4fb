import { parseDocuments } from "../../encoding/yaml.ts";
import { type JsonObject, parseJson, parseObject } from "../../model/json.ts";
import type { ReleaseManifest } from "../../model/release.ts";
import { MAX_FILE_BYTES, decodeUtf8, readBoundedFile } from "./bounded-file.ts";
import { buildDigestEntry } from "./digest.ts";
import { parseManifests } from "./manifest-parser.ts";

/** A file of manifests that was read, with the digest of its content. */
export type ReadFile = {
  readonly path: string;
  readonly within: readonly string[];
  readonly digest: string;
  readonly isRendered: boolean;
};

/** Reads the objects of a file again: few checks ask for them, and all of a release have tens of MiB. */
export function createObjectReader(file: ReadFile): (index: number) => JsonObject | undefined {
  let known: WeakRef<readonly JsonObject[]> | undefined;
  return (index) => {
    const objects = known?.deref() ?? readObjects(file);
    known = new WeakRef(objects);
    return objects[index];
  };
}

function readObjects({ path, within, digest, isRendered }: ReadFile): readonly JsonObject[] {
  const read = readBoundedFile(path, within, MAX_FILE_BYTES);
  if (read.kind === "refused" || buildDigestEntry("", read.bytes).contentDigest !== digest) return [];
  const text = decodeUtf8(read.bytes) ?? "";
  return parseManifests(parseDocuments(isRendered ? (renderTemplate(text) ?? "") : text), "").objects;
}

/** Keeps the objects of a file that goes away, up to so many characters of all files. */
export function createObjectKeeper(maxCharacters: number): (object: JsonObject) => ReleaseManifest["read"] {
  let left = maxCharacters;
  return (object) => {
    const text = JSON.stringify(object);
    left -= text.length;
    return left < 0 ? undefined : () => parseObject(text);
  };
}

/** Replaces values that only the running operator knows; none of them affects whether or how a manifest applies. */
const PLACEHOLDER = "rendered";
const FIELD_VALUES: ReadonlyMap<string, string> = new Map([
  ["ReleaseImage", PLACEHOLDER],
  ["ClusterProfile", "self-managed-high-availability"],
]);

/** One action of a Go template in a form that can be rendered: a field, an image's name, a quoted text, a comment. */
const ACTION =
  /\{\{(?<trimBefore>- )?\s*(?:\.(?<field>\w+)|(?<image>index \.Images (?:"[^"\n]*"|`[^`]*`))|(?<quoted>"(?:[^"\\\n]|\\.)*")|`(?<raw>[^`]*)`|(?<comment>\/\*[^]*?\*\/))\s*(?<trimAfter> -)?\}\}/y;

/**
 * Renders the cluster-version operator's own manifests, which are templates. Undefined for anything beyond simple actions (conditions,
 * loops, unknown values), which only the operator can render.
 */
export function renderTemplate(template: string): string | undefined {
  let rendered = "";
  let end = 0;
  for (;;) {
    const start = template.indexOf("{{", end);
    if (start < 0) return rendered + template.slice(end);
    ACTION.lastIndex = start;
    const action = ACTION.exec(template);
    const value = action?.groups && evaluateAction(action.groups);
    if (!action?.groups || value === undefined) return undefined;
    const before = template.slice(end, start);
    rendered += (action.groups["trimBefore"] ? trimEnd(before) : before) + value;
    end = action.index + action[0].length;
    if (action.groups["trimAfter"]) end = skipWhitespace(template, end);
  }
}

function evaluateAction(action: Readonly<Record<string, string | undefined>>): string | undefined {
  const { field, image, quoted, raw } = action;
  if (field !== undefined) return FIELD_VALUES.get(field);
  if (image !== undefined) return PLACEHOLDER;
  return quoted === undefined ? (raw ?? "") : unquote(quoted);
}

function unquote(text: string): string | undefined {
  const value = parseJson(text);
  return typeof value === "string" ? value : undefined;
}

const WHITESPACE = new Set([" ", "\t", "\r", "\n"]);

/** A regular expression for trailing blanks would take quadratic time. */
function trimEnd(text: string): string {
  let end = text.length;
  while (WHITESPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function skipWhitespace(text: string, from: number): number {
  let end = from;
  while (WHITESPACE.has(text.charAt(end))) end += 1;
  return end;
}
