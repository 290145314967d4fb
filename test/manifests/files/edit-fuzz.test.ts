import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, isList, isObject } from "../../../src/model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../../src/model/manifest.ts";
import { applyEdits } from "../../../src/manifests/files/edits.ts";
import { parseManifests } from "../../../src/manifests/files/parse-manifests.ts";
import { type Random, createRandom } from "../../../verify/schema/random/random.ts";

const TEXTS: readonly [string, ...string[]] = ["x", "on", "1", "a: b", "it's", "# no", "", "two\nlines\n"];

/** A value as a person may write it, behind a colon or a dash. */
function write(value: Json, indent: string, random: Random): string {
  if (typeof value === "string" && value.endsWith("\n"))
    return ` |\n${value.replaceAll(/^(?=.)/gm, `${indent}  `).trimEnd()}`;
  if (!isObject(value) && !isList(value)) {
    const isQuoted = typeof value === "string" && random.chance(0.3) && !value.includes("\n");
    return ` ${isQuoted ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)}${random.chance(0.2) ? " # why" : ""}`;
  }
  if (Object.keys(value).length === 0 || random.chance(0.2)) return ` ${JSON.stringify(value)}`;
  const step = indent + random.pick(["  ", "    "]);
  const lines = isList(value)
    ? value.map((item) => `\n${step}-${write(item, step, random)}`)
    : Object.entries(value).map(
        ([key, item]) => `\n${step}${random.chance(0.1) ? JSON.stringify(key) : key}:${write(item, step, random)}`,
      );
  return lines.map((line) => (random.chance(0.1) ? `\n${step}# a comment${line}` : line)).join("");
}

function generate(random: Random, depth = 3): Json {
  const kind = depth === 0 ? "text" : random.pick(["text", "number", "map", "map", "list"]);
  if (kind === "text") return random.pick<string>(TEXTS);
  if (kind === "number") return random.pick([0, 7, true, null]);
  const items = ["a", "b", "c"]
    .slice(0, random.pick([0, 1, 2, 3]))
    .map((key) => [key, generate(random, depth - 1)] as const);
  return kind === "list" ? items.map(([, item]) => item) : Object.fromEntries(items);
}

function listPaths(value: Json, path: ManifestPath = []): readonly ManifestPath[] {
  const entries = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([step, item]) => [[...path, step], ...listPaths(item, [...path, step])]);
}

/** By walking all of a value, unlike what is tested. */
function change(value: Json, edit: ManifestEdit, here: ManifestPath = []): Json {
  const isEdited = (step: string | number): boolean => JSON.stringify([...here, step]) === JSON.stringify(edit.path);
  const visit = (step: string | number, item: Json): readonly (readonly [string, Json])[] => {
    if (!isEdited(step)) return [[String(step), change(item, edit, [...here, step])]];
    if (edit.kind === "remove") return [];
    return edit.kind === "set" ? [[String(step), edit.value]] : [[edit.to, item]];
  };
  if (isList(value)) return value.flatMap((item, i) => visit(i, item).map(([, edited]) => edited));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => visit(key, item)));
}

test("an edit of any text gives the object with the edit, and keeps every other line", () => {
  const random = createRandom(20);
  const counts = { edited: 0, refused: 0 };
  for (let round = 0; round < 600; round += 1) {
    const spec = { z: 1, v: generate(random), x: generate(random) };
    const eol = random.pick(["\n", "\n", "\r\n"]);
    const text = `# top\napiVersion: v1\nkind: A\nspec:${write(spec, "", random)}\n# end\n`.replaceAll("\n", eol);
    const [manifest] = parseManifests(text, { file: "a.yaml", isNamed: true });
    assert.ok(manifest && "object" in manifest, `${JSON.stringify(manifest)}\n${text}`);
    const path = random.oneOf(listPaths(spec, ["spec"])) ?? [];
    const value: Json = random.oneOf<Json>([...TEXTS, 5, { n: { m: "x" } }]) ?? null;
    const isItem = typeof path.at(-1) === "number";
    const edits: readonly ManifestEdit[] = [
      { kind: "set", path, value },
      ...(isItem ? [] : [{ kind: "rename", path, to: "renamed" } as const]),
      { kind: "remove", path },
    ];
    const edit = random.oneOf(edits) ?? { kind: "remove", path };
    const result = applyEdits(text, manifest, [edit]);
    counts[result.kind] += 1;
    if (result.kind === "refused") continue;
    const [after] = parseManifests(result.text, { file: "a.yaml", isNamed: true });
    assert.ok(after && "object" in after, `${text}\n${result.text}`);
    assert.deepEqual(after.object, change(manifest.object, edit), `${JSON.stringify(edit)}\n${text}\n${result.text}`);
    const lines = new Set(text.split(eol));
    const written = result.text.split(eol).filter((line) => !lines.has(line));
    if (edit.kind !== "set") assert.ok(written.length <= 1, `${JSON.stringify(edit)}\n${text}\n${result.text}`);
    const comments = (of: string): number => of.split(/# a comment/).length;
    if (edit.kind !== "remove") assert.equal(comments(result.text), comments(text), text);
    assert.equal(result.text.includes("\r\n") && /[^\r]\n/.test(result.text), false, result.text);
  }
  // Without this, all could be refused.
  assert.ok(counts.edited > 400, JSON.stringify(counts));
});
