import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { type Crd, type CrdVersion, parseCrd } from "../../../src/model/crd.ts";
import { type Json, type JsonObject, isList, isObject } from "../../../src/model/json.ts";

/** A version of a CRD of some release, and the file that holds the CRD without its rules. */
export type Kind = { readonly name: string; readonly file: string; readonly crd: Crd; readonly version: CrdVersion };

/** Every distinct CRD of the releases, which are written to `folder` for the oracle, as `change` leaves them. */
export function readKinds(
  crds: string,
  releases: readonly string[],
  folder: string,
  change: (crd: Json) => Json = withoutRules,
): readonly Kind[] {
  const seen = new Set<string>();
  mkdirSync(folder, { recursive: true });
  return releases.flatMap((release) =>
    readdirSync(join(crds, release))
      .toSorted()
      .flatMap((name) => kindsOf(join(crds, release, name), `${release}/${name}`, folder, seen, change)),
  );
}

function kindsOf(
  path: string,
  name: string,
  folder: string,
  seen: Set<string>,
  change: (crd: Json) => Json,
): readonly Kind[] {
  const text = readFileSync(path, "utf8");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  if (seen.has(hash)) return [];
  seen.add(hash);
  const document: Json = JSON.parse(JSON.stringify(loadAll(text)[0] ?? null));
  return writtenKinds(change(document), name, join(folder, `${hash}.json`));
}

/** The versions of a CRD, which is written to `file` for the oracle. */
export function writtenKinds(object: Json, name: string, file: string): readonly Kind[] {
  const crd = isObject(object) ? parseCrd(object) : undefined;
  if (crd === undefined) return [];
  writeFileSync(file, JSON.stringify(object));
  return crd.versions
    .filter((version) => version.schema !== "")
    .map((version) => ({ name: `${name} ${version.name}`, file, crd, version }));
}

function withoutRules(value: Json): Json {
  if (isList(value)) return value.map(withoutRules);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => !(key === "x-kubernetes-validations" && isList(item)));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutRules(item)]));
}

export function schemaOf(kind: Kind): JsonObject {
  const schema: Json = JSON.parse(kind.version.schema);
  return isObject(schema) ? schema : {};
}
