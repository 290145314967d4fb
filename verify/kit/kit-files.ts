import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import {
  at,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";

export const KIT_FOLDER = join(import.meta.dirname, "..", "..", "conformance");

/** What readers are given beside a document. */
export const SCHEMA_FILE = join(KIT_FOLDER, "..", "schemas", "preflight-v1.schema.json");
export const KIT_SCHEMA: unknown = JSON.parse(readFileSync(SCHEMA_FILE, "utf8"));

/** A file of the kit, with the name that its page lists. */
export type KitCase = { readonly file: string; readonly path: string; readonly scenario: JsonObject };

export function readKitCases(folder: "cases" | "producers"): readonly KitCase[] {
  const names = readdirSync(join(KIT_FOLDER, folder)).filter((name) => name.endsWith(".yaml"));
  return names.map((name) => {
    const path = join(KIT_FOLDER, folder, name);
    return { file: `${folder}/${name}`, path, scenario: parseYaml(readFileSync(path, "utf8")) };
  });
}

/** What a reader has to make of each step of a case. */
export function getExpected(scenario: JsonObject): readonly (Json | undefined)[] {
  return listAt(scenario, "steps").map((step) => at(step, "expected"));
}

export function parseYaml(text: string): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(load(text)));
  return isObject(value) ? value : {};
}

/** UPDATE=1 writes our own output as the expectation for every program; `key` is where a step has it. */
export function writeExpectations({ path, scenario }: KitCase, key: string, outcomes: readonly JsonObject[]): void {
  const steps = objectsAt(scenario, "steps").map((step, i) => ({ ...step, [key]: outcomes[i] ?? null }));
  const flowLevel = flagAt(scenario, "isCompact") === true ? 5 : 8;
  writeFileSync(path, dump({ ...scenario, steps }, { lineWidth: -1, noRefs: true, flowLevel }));
}

/** A file's text, and whether it is a document. `name`: of the part of the kit, as its index has it. */
export type KitDocument = { readonly name: string; readonly text: string; readonly isValid: boolean };

export function readKitDocuments(): readonly KitDocument[] {
  const kit = parseYaml(readFileSync(join(KIT_FOLDER, "documents.yaml"), "utf8"));
  const list = (key: string, isValid: boolean): readonly KitDocument[] =>
    objectsAt(kit, key).map((entry) => {
      const text = textAt(entry, "text") ?? JSON.stringify(changeBase(objectAt(kit, "base"), entry));
      return { name: `documents.yaml: ${key}: ${textAt(entry, "rule") ?? ""}`, text, isValid };
    });
  return [...list("accepted", true), ...list("refused", false), ...listProduced()];
}

/** What conformance/index.json lists: all that a run of the kit has to see. */
export function listKit() {
  return {
    cases: readKitCases("cases").map(({ file }) => file),
    documents: readKitDocuments().map(({ name }) => name),
    producers: readKitCases("producers").map(({ file }) => file),
  };
}

function changeBase(base: JsonObject, entry: JsonObject): JsonObject {
  const removed = textsAt(entry, "remove");
  const kept = Object.entries(base).filter(([key]) => !removed.includes(key));
  return { ...Object.fromEntries(kept), ...objectAt(entry, "set") };
}

/** What producers must write has to be valid for readers. */
function listProduced(): readonly KitDocument[] {
  return readKitCases("producers").flatMap(({ file, scenario }) =>
    listAt(scenario, "steps").map((step, i) => ({
      name: `${file}, step ${i + 1}`,
      text: JSON.stringify(objectAt(step, "document")),
      isValid: true,
    })),
  );
}
