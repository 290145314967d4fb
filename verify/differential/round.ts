import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import { generateStoredObject } from "./round-objects.ts";

/**
 * A CRD, the one that replaces it, and objects that were made for either. All are of a group that no other round has. `older`: the CRD that
 * the first one replaced, under which every other object was stored.
 */
export type Round = {
  readonly name: string;
  readonly group: string;
  readonly older?: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly objects: readonly JsonObject[];
};

/** A version of a CRD in which objects can be written, and its schema. */
export type RoundVersion = { readonly apiVersion: string; readonly kind: string; readonly schema: JsonObject };

export function getRoundGroup(index: number): string {
  return `r${index}.example.com`;
}

/** The number of an object, which its name begins with. */
export function getNumber(object: JsonObject): number {
  return Number(/^o(\d+)/.exec(textAt(object, "metadata", "name") ?? "")?.[1] ?? 1);
}

/** The CRD under which an object of a round is stored. */
export function getStoringCrd({ older, before }: Pick<Round, "older" | "before">, number: number): JsonObject {
  return older !== undefined && number % 2 === 0 ? older : before;
}

/** The names of the versions that a CRD serves, the stored one first. */
export function listServed(crd: JsonObject): readonly string[] {
  const served = listAt(crd, "spec", "versions").filter((version) => at(version, "served") === true);
  return served
    .toSorted((a, b) => Number(at(b, "storage") === true) - Number(at(a, "storage") === true))
    .flatMap((version) => textAt(version, "name") ?? []);
}

export function findStorageVersion(crd: JsonObject): string {
  const version = listAt(crd, "spec", "versions").find((one) => at(one, "storage") === true);
  return textAt(version, "name") ?? "";
}

/** Versions that a CRD serves, as another one defines them, the stored one first. */
function listVersions(crd: JsonObject, serving: JsonObject): readonly RoundVersion[] {
  const kind = textAt(crd, "spec", "names", "kind") ?? "";
  const group = textAt(crd, "spec", "group") ?? "";
  return listServed(serving).flatMap((name) => {
    const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === name);
    if (version === undefined) return [];
    return [{ apiVersion: `${group}/${name}`, kind, schema: objectAt(version, "schema", "openAPIV3Schema") }];
  });
}

/** The longest name that an object may have. */
const LONGEST_NAME = 253;

/** Objects for the CRD of before, and fewer for the one of after, mostly of the stored version. */
export function generateObjects(
  crds: Pick<Round, "older" | "before" | "after">,
  count: number,
  random: Random,
): readonly JsonObject[] {
  const isNamespaced = at(crds.before, "spec", "scope") === "Namespaced";
  return Array.from({ length: count }, (_, i) => i).flatMap((i): readonly JsonObject[] => {
    const storing = getStoringCrd(crds, i);
    const old = listVersions(storing, storing);
    const next = listVersions(crds.after, storing);
    const versions = random.chance(0.75) || next.length === 0 ? old : next;
    const version = (random.chance(0.6) ? versions[0] : random.oneOf(versions)) ?? versions[0];
    if (version === undefined) return [];
    const generated = generateStoredObject(version, random);
    const name = random.chance(0.03) ? `o${i}-`.padEnd(LONGEST_NAME, "x") : `o${i}`;
    const metadata: Json = {
      ...objectAt(generated, "metadata"),
      name,
      ...(isNamespaced ? { namespace: "default" } : {}),
      ...(random.chance(0.1) ? { finalizers: ["example.com/finalizer"] } : {}),
    };
    return [{ ...generated, metadata }];
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
    ...(round.older ? { older: rename(round.older) } : {}),
    before: rename(round.before),
    after: rename(round.after),
    objects: round.objects.map(move),
  };
}
