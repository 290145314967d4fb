import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { type Crd, type CrdVersion, parseCrd } from "../../../../src/model/crd.ts";
import { type Json, type JsonObject, isList, isObject } from "../../../../src/model/json.ts";

/** A version of a CRD from some release, and the file that contains the CRD without its rules. */
export type SchemaKind = {
  readonly name: string;
  readonly file: string;
  readonly crd: Crd;
  readonly version: CrdVersion;
};

/** Applies `change` to every distinct CRD of the releases and writes the results to `folder` for the oracle. */
export function readKinds(
  crds: string,
  releases: readonly string[],
  folder: string,
  change: (crd: Json) => Json = removeRules,
): readonly SchemaKind[] {
  const hashes = new Set<string>();
  mkdirSync(folder, { recursive: true });
  return releases.flatMap((release) =>
    readdirSync(join(crds, release))
      .toSorted()
      .flatMap((name) => readKindsOf(join(crds, release, name), `${release}/${name}`, folder, hashes, change)),
  );
}

function readKindsOf(
  path: string,
  name: string,
  folder: string,
  hashes: Set<string>,
  change: (crd: Json) => Json,
): readonly SchemaKind[] {
  const text = readFileSync(path, "utf8");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  if (hashes.has(hash)) return [];
  hashes.add(hash);
  const document: Json = JSON.parse(JSON.stringify(loadAll(text)[0] ?? null));
  return writeKinds(change(document), name, join(folder, `${hash}.json`));
}

/** Writes a CRD to `file` for the oracle, and returns its versions. */
export function writeKinds(object: Json, name: string, file: string): readonly SchemaKind[] {
  const crd = isObject(object) ? parseCrd(object) : undefined;
  if (crd === undefined) return [];
  writeFileSync(file, JSON.stringify(object));
  return crd.versions
    .filter((version) => version.schema !== "")
    .map((version) => ({ name: `${name} ${version.name}`, file, crd, version }));
}

function removeRules(value: Json): Json {
  if (isList(value)) return value.map(removeRules);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key, item]) => !(key === "x-kubernetes-validations" && isList(item)));
  return Object.fromEntries(entries.map(([key, item]) => [key, removeRules(item)]));
}

export function parseSchema(kind: SchemaKind): JsonObject {
  const schema: Json = JSON.parse(kind.version.schema);
  return isObject(schema) ? schema : {};
}
