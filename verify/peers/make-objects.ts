import { type Json, type JsonObject, isObject, parseJson, textAt } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import { applyJsonPatch } from "../shared/json-patch.ts";
import { type Change, type FaultKind, type Plant, readFaults, readObjects, readVariants } from "./data.ts";

/** An object of a manifest; `planted`: its one fault. */
export type MadeObject = {
  readonly object: JsonObject;
  readonly planted?: Pick<FaultKind, "fault" | "asks" | "truth"> & { readonly change: string };
  readonly repeat?: Plant["repeat"];
};

/** About `count` objects: each fault of faults.yaml once, and copies of objects.yaml without one. */
export function makeObjects(random: Random, count: number): readonly MadeObject[] {
  const sources = new Map(readObjects("objects.yaml").map((object) => [getName(object), object]));
  const variants = Map.groupBy(readVariants(), ({ of }) => of);
  let made = 0;
  const copy = (name: string, changes: readonly Change[], label?: string): JsonObject => {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`objects.yaml has no ${name}`);
    made += 1;
    return change(rename(source, name, made, label), changes);
  };
  const beside = (name: string | undefined, object: JsonObject): readonly MadeObject[] =>
    name === undefined ? [] : [{ object: copy(name, [], findLabel(object)) }];
  const faulty = readFaults().flatMap(({ plants, ...kind }) =>
    plants.flatMap((plant): readonly MadeObject[] => {
      const object = copy(plant.of, [plant]);
      const planted = { ...kind, change: JSON.stringify(plant.repeat ?? plant.operations) };
      const repeat = plant.repeat === undefined ? {} : { repeat: plant.repeat };
      return [{ object, planted, ...repeat }, ...beside(plant.with, object)];
    }),
  );
  const right: MadeObject[] = [];
  while (faulty.length + right.length < count) {
    const name = random.oneOf([...sources.keys()]) ?? "";
    const changes = (variants.get(name) ?? []).filter(() => random.chance(0.3));
    const object = copy(name, pickOfEach(changes));
    right.push({ object }, ...beside(name === "budget" ? "deployment" : undefined, object));
  }
  return [...faulty, ...right];
}

/** Of changes to the same field, the first. */
function pickOfEach(changes: readonly Change[]): readonly Change[] {
  const taken = new Set<string>();
  return changes.filter(({ operations }) => {
    const paths = operations.map((operation) => textAt(operation, "path") ?? "");
    if (paths.some((path) => taken.has(path))) return false;
    for (const path of paths) taken.add(path);
    return true;
  });
}

function getName(object: JsonObject): string {
  return textAt(object, "metadata", "name") ?? "";
}

/** A copy of its own: its name, its label `app`, and of a CRD its group, so that no two of them meet. */
function rename(source: JsonObject, name: string, index: number, label = `${name}-${index}`): JsonObject {
  const own = name.includes(".") ? name.replace("crd.", `g${index}.`) : `${name}-${index}`;
  const text = JSON.stringify(source)
    .replaceAll("crd.example.org", `g${index}.example.org`)
    .replaceAll(/"app":"[a-z]+"/g, `"app":${JSON.stringify(label)}`);
  return change(toObject(parseJson(text)), [
    { of: name, operations: [{ op: "add", path: "/metadata/name", value: own }] },
  ]);
}

function findLabel(object: JsonObject): string | undefined {
  return textAt(object, "spec", "selector", "matchLabels", "app");
}

function change(object: JsonObject, changes: readonly Change[]): JsonObject {
  return toObject(
    applyJsonPatch(
      object,
      changes.flatMap(({ operations }) => operations),
    ),
  );
}

function toObject(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new Error("a change makes it no object");
  return value;
}
