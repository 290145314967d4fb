import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { readDefinitions } from "../schema/definition/release-crds.ts";
import type { Random } from "../schema/random/random.ts";
import { type Round, generateObjects, getRoundGroup } from "./round.ts";

/** A round with the CRDs of any two releases, in a group of its own and without webhooks. */
export function buildReleaseRound(
  random: Random,
  index: number,
  old: JsonObject,
  next: JsonObject,
  objects: number,
): Round {
  const group = getRoundGroup(index);
  const before = rename(old, group);
  const after = rename(next, group);
  const name = `${textAt(old, "metadata", "name") ?? ""} ${index}`;
  return { name, group, before, after, objects: generateObjects({ before, after }, objects, random) };
}

function rename(crd: JsonObject, group: string): JsonObject {
  const { conversion: _, ...spec } = objectAt(crd, "spec");
  const plural = textAt(spec, "names", "plural") ?? "";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { ...spec, group, names: withoutAliases(objectAt(spec, "names")), conversion: { strategy: "None" } },
  };
}

/** Short names and categories would be those of other rounds, too. */
function withoutAliases(names: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(names).filter(([key]) => key !== "shortNames" && key !== "categories"));
}

/** All distinct CRDs of all releases in the folder's `crds`, oldest release first, by their names. Only those that can serve anything. */
export function readReleaseCrds(folder: string): ReadonlyMap<string, readonly JsonObject[]> {
  const all = readDefinitions(folder, "all").map(({ definition }) => definition);
  const usable = all.filter((crd) => listAt(crd, "spec", "versions").some(isServed));
  return Map.groupBy(usable, (crd) => textAt(crd, "metadata", "name") ?? "");
}

function isServed(version: Json): boolean {
  return at(version, "served") === true && at(version, "schema") !== undefined;
}
