import { type Json, type JsonObject, formatCanonicalJson, listAt, objectAt, textAt } from "../../src/model/json.ts";

/** A version that is served before and after the update; two if no version is served both times. */
export type PlayedVersion = { readonly before: string; readonly after: string };

/** A definition that the cluster has, and the one of the target if the update replaces it. */
export type PlayedCrd = {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
  /** The versions through which objects are read and written, those that objects are stored in first. */
  readonly versions: readonly [PlayedVersion, ...PlayedVersion[]];
  readonly isChanged: boolean;
  /** What was changed beside what the release changes, in words that name the kind of change. */
  readonly changes: readonly string[];
};

/** Undefined if the source serves no version. */
export function pairCrd(before: JsonObject, after: JsonObject | undefined): PlayedCrd | undefined {
  const [first, ...more] = pairVersions(before, after ?? before);
  if (first === undefined) return undefined;
  const versions = [first, ...more] as const;
  const isOther = (version: PlayedVersion): boolean =>
    !isSame(findSchema(before, version.before), findSchema(after ?? before, version.after));
  const name = textAt(before, "metadata", "name") ?? "";
  const isChanged = versions.some(isOther) || !isSame(listShapes(before), listShapes(after ?? before));
  return { name, before, after, versions, isChanged, changes: [] };
}

type ServedVersion = { readonly name: string; readonly storage: boolean };

function listServed(crd: JsonObject): readonly ServedVersion[] {
  return listAt(crd, "spec", "versions")
    .map((version) => objectAt(version))
    .filter((version) => version["served"] === true)
    .map((version) => ({ name: textAt(version, "name") ?? "", storage: version["storage"] === true }))
    .toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

function pairVersions(before: JsonObject, after: JsonObject): readonly PlayedVersion[] {
  const old = listServed(before);
  const next = listServed(after);
  const common = next.filter(({ name }) => old.some((one) => one.name === name));
  if (common.length > 0) return common.map(({ name }) => ({ before: name, after: name }));
  const first = old[0];
  const last = next[0] ?? old[0];
  return first && last ? [{ before: first.name, after: last.name }] : [];
}

/** The schema of a version, without descriptions. */
export function findSchema(crd: JsonObject, name: string): JsonObject {
  const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === name);
  return objectAt(version, "schema", "openAPIV3Schema");
}

function listShapes(crd: JsonObject): Json {
  return listAt(crd, "spec", "versions").map((version) => {
    const { schema: _schema, additionalPrinterColumns: _columns, ...shape } = objectAt(version);
    return shape;
  });
}

function isSame(a: Json, b: Json): boolean {
  return formatCanonicalJson(withoutDescriptions(a)) === formatCanonicalJson(withoutDescriptions(b));
}

function withoutDescriptions(value: Json): Json {
  const text = JSON.stringify(value, (key, item: Json) =>
    key === "description" && typeof item === "string" ? undefined : item,
  );
  const parsed: Json = JSON.parse(text);
  return parsed;
}

/** Where objects of a version are listed and created: all namespaces if none is given. */
export function buildCollectionPath(crd: JsonObject, version: string, namespace?: string): string {
  const group = textAt(crd, "spec", "group");
  const plural = textAt(crd, "spec", "names", "plural");
  const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `/apis/${group}/${version}${within}/${plural}`;
}
