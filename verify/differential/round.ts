import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import { generateStoredObject } from "./round-objects.ts";

/** A CRD, the one that replaces it, and objects that were made for either. All are of a group that no other round has. */
export type Round = {
  readonly name: string;
  readonly group: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly objects: readonly JsonObject[];
};

/** A version of a CRD in which objects can be written, and its schema. */
export type RoundVersion = { readonly apiVersion: string; readonly kind: string; readonly schema: JsonObject };

export function getRoundGroup(index: number): string {
  return `r${index}.example.com`;
}

/** Versions that the CRD of before serves, as either CRD defines them, the stored one first. */
function listVersions(crd: JsonObject, before: JsonObject): readonly RoundVersion[] {
  const served = new Set(
    listAt(before, "spec", "versions")
      .filter((version) => at(version, "served") === true)
      .map((version) => textAt(version, "name")),
  );
  const group = textAt(crd, "spec", "group") ?? "";
  const kind = textAt(crd, "spec", "names", "kind") ?? "";
  const versions = listAt(crd, "spec", "versions").filter((version) => served.has(textAt(version, "name")));
  const stored = versions.filter((version) => at(version, "storage") === true);
  return [...stored, ...versions.filter((version) => !stored.includes(version))].map((version) => ({
    apiVersion: `${group}/${textAt(version, "name") ?? ""}`,
    kind,
    schema: objectAt(version, "schema", "openAPIV3Schema"),
  }));
}

/** Objects for the CRD of before, and fewer for the one of after, mostly of the stored version. */
export function generateObjects(
  before: JsonObject,
  after: JsonObject,
  count: number,
  random: Random,
): readonly JsonObject[] {
  const old = listVersions(before, before);
  const next = listVersions(after, before);
  const isNamespaced = at(before, "spec", "scope") === "Namespaced";
  return Array.from({ length: count }, (_, i) => {
    const versions = random.chance(0.75) || next.length === 0 ? old : next;
    const version = (random.chance(0.75) ? versions[0] : random.oneOf(versions)) ?? versions[0];
    if (version === undefined) throw new Error("the CRD serves no version");
    const generated = generateStoredObject(version, random);
    const metadata: Json = {
      ...objectAt(generated, "metadata"),
      name: `o${i}`,
      ...(isNamespaced ? { namespace: "default" } : {}),
    };
    return { ...generated, metadata };
  });
}

/** The same round in another group, so that it can stand beside others in one cluster. */
export function regroup(round: Round, group: string): Round {
  const rename = (crd: JsonObject): JsonObject => ({
    ...crd,
    metadata: { ...objectAt(crd, "metadata"), name: `${textAt(crd, "spec", "names", "plural") ?? ""}.${group}` },
    spec: { ...objectAt(crd, "spec"), group },
  });
  const move = (object: JsonObject): JsonObject => {
    const version = textAt(object, "apiVersion")?.split("/").at(-1) ?? "";
    return { ...object, apiVersion: `${group}/${version}` };
  };
  return {
    ...round,
    group,
    before: rename(round.before),
    after: rename(round.after),
    objects: round.objects.map(move),
  };
}
