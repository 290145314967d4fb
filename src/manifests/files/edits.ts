import { dedentFlow } from "../../encoding/yaml-flow.ts";
import { type Json, type JsonObject, at, formatCanonicalJson, isList, isObject } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";
import { buildReplacement } from "./edit-text.ts";
import { type FileManifest, cutDocuments, indentDocument, parseContent } from "./parse-manifests.ts";
import { hasPlaceholder } from "./placeholders.ts";
import { findContent, findSource } from "./places.ts";

/** A text with edits, or why it keeps what it has. */
export type EditedText =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string };

type EditedManifest = Pick<FileManifest, "object" | "document" | "path">;

/**
 * Writes edits of a manifest into the text that it was read from. Only what they change is written anew, and the result is read again: a
 * text that would then say anything else is refused, such as one in which an alias repeats what is edited.
 */
export function applyEdits(text: string, manifest: EditedManifest, edits: readonly ManifestEdit[]): EditedText {
  const mark = text.startsWith(MARK) ? MARK : "";
  const content = text.slice(mark.length);
  const written = cutDocuments(content)[manifest.document];
  const { document, parsed } = written === undefined ? NOTHING : indentDocument(written);
  let value = parsed.kind === "documents" ? (parsed.documents[0] ?? null) : null;
  if (document === undefined || !isManifest(at(value, ...manifest.path), manifest.object))
    return refuse("the file has changed since it was read");
  const source = findSource(document.text);
  if (source !== undefined) return refuse(`it was rendered from ${source}, which has to be edited instead`);
  let edited = document.text;
  for (const edit of edits) {
    const next = applyEdit(edited, value, { ...edit, path: [...manifest.path, ...edit.path] });
    if (typeof next === "string") return refuse(next);
    edited = next.text;
    ({ value } = next);
  }
  const { start } = document;
  const end = start + (written?.text.length ?? 0);
  return { kind: "edited", text: mark + content.slice(0, start) + dedentFlow(edited) + content.slice(end) };
}

const MARK = "\ufeff";
const NOTHING = { document: undefined, parsed: { kind: "documents", documents: [] } } as const;

function refuse(message: string): EditedText {
  return { kind: "refused", message };
}

/** An item of a list may have its kind from the list. */
function isManifest(value: Json | undefined, object: JsonObject): boolean {
  const { apiVersion = null, kind = null } = object;
  return isObject(value) && isSame({ apiVersion, kind, ...value }, { apiVersion, kind, ...object });
}

function isSame(a: Json, b: Json): boolean {
  return formatCanonicalJson(a) === formatCanonicalJson(b);
}

function applyEdit(
  text: string,
  value: Json,
  edit: ManifestEdit,
): { readonly text: string; readonly value: Json } | string {
  const expected = editValue(value, edit);
  if (expected === undefined) return "it has no such field";
  if (hasPlaceholder(at(value, ...edit.path) ?? null)) return "the value is a placeholder";
  const root = findContent(text);
  const replacement = root && buildReplacement(text, root, keepParent(value, edit));
  if (replacement === undefined) return UNCERTAIN;
  const edited = text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end);
  const parsed = parseContent(edited);
  const isExact =
    parsed.kind === "documents" &&
    parsed.isRepeated !== true &&
    parsed.documents.length === 1 &&
    isSame(parsed.documents[0] ?? null, expected);
  return isExact ? { text: edited, value: expected } : UNCERTAIN;
}

const UNCERTAIN = "how it is written leaves no certain edit: edit it by hand";

/** Without its last field, a map would be null. */
function keepParent(value: Json, edit: ManifestEdit): ManifestEdit {
  const path = edit.path.slice(0, -1);
  const parent = at(value, ...path);
  if (edit.kind !== "remove" || path.length === 0 || Object.keys(Object(parent)).length !== 1) return edit;
  return { kind: "set", path, value: isList(parent) ? [] : {} };
}

/** A value with an edit; undefined if there is nothing that the edit could change. */
function editValue(value: Json, edit: ManifestEdit, path: ManifestPath = edit.path): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return edit.kind === "set" ? edit.value : undefined;
  if (rest.length === 0 && edit.kind !== "set")
    return isObject(value) || isList(value) ? dropStep(value, step, edit) : undefined;
  if (isList(value)) {
    const item = typeof step === "number" ? value[step] : undefined;
    const edited = item === undefined ? undefined : editValue(item, edit, rest);
    return edited === undefined ? undefined : value.map((one, i) => (i === step ? edited : one));
  }
  if (!isObject(value)) return undefined;
  const inner = Object.hasOwn(value, step) ? value[step] : undefined;
  // What is set may have no map around it yet.
  const edited = editValue(inner ?? (edit.kind === "set" ? {} : null), edit, rest);
  return edited === undefined ? undefined : { ...value, [step]: edited };
}

function dropStep(
  value: JsonObject | readonly Json[],
  step: string | number,
  edit: Exclude<ManifestEdit, { readonly kind: "set" }>,
): Json | undefined {
  if (isList(value))
    return edit.kind === "remove" && typeof step === "number" && step < value.length
      ? value.toSpliced(step, 1)
      : undefined;
  if (!Object.hasOwn(value, step)) return undefined;
  const { [step]: dropped = null, ...others } = value;
  if (edit.kind === "remove") return others;
  return Object.hasOwn(others, edit.to) ? undefined : { ...others, [edit.to]: dropped };
}
