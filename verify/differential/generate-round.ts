import { changeCrd } from "../schema/random/crd-changes.ts";
import { generateCrd } from "../schema/random/crd-generator.ts";
import type { Random } from "../schema/random/random.ts";
import { type Round, generateObjects, getRoundGroup } from "./round.ts";

/** A round with a random CRD and a random change of it. */
export function generateRound(random: Random, index: number, objects: number): Round {
  const group = getRoundGroup(index);
  const before = generateCrd(random, group);
  const after = changeCrd(before, random);
  return { name: `random ${index}`, group, before, after, objects: generateObjects(before, after, objects, random) };
}
