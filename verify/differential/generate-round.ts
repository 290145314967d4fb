import { type JsonObject, isList, isObject, listAt, objectAt, parseObject } from "../../src/model/json.ts";
import { asInstalled, changeCrd } from "../schema/random/crd-changes.ts";
import { generateCrd, isAcceptable } from "../schema/random/crd-generator.ts";
import type { Random } from "../schema/random/random.ts";
import { type Chain, STEPS } from "./directed-changes.ts";
import { type Round, findStorageVersion, generateObjects, getRoundGroup } from "./round.ts";

/** A round with a random CRD and a random change of it; half of them have several versions, and some a third CRD that was there first. */
export function generateRound(random: Random, index: number, objects: number): Round {
  const group = getRoundGroup(index);
  const crd = addConversion(generateCrd(random, group, random.pick([1, 1, 1, 2, 2, 3])), random);
  const crds = random.chance(0.4) ? generateChain(crd, random) : { before: crd, after: changeCrd(crd, random) };
  const round = { name: `random ${index}`, group, ...crds, objects: generateObjects(crds, objects, random) };
  return readRound(JSON.stringify(round));
}

/** As it is sent: a number may have another form then. */
export function readRound(text: string): Round {
  const { name, group, older, before, after, objects } = parseObject(text) ?? {};
  if (typeof name !== "string" || typeof group !== "string") throw new Error("a round needs a name and a group");
  return {
    name,
    group,
    ...(isObject(older) ? { older } : {}),
    before: isObject(before) ? before : {},
    after: isObject(after) ? after : {},
    objects: isList(objects) ? objects.filter(isObject) : [],
  };
}

function generateChain(older: JsonObject, random: Random): Chain {
  const before = random.chance(0.5) ? changeCrd(older, random) : older;
  const stored = [older, before].map(findStorageVersion);
  const after = random.chance(0.7) ? changeCrd(before, random, stored) : before;
  let chain: Chain = { older, before, after };
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left--) {
    const next = random.oneOf(STEPS)?.(chain, random) ?? chain;
    if (areAcceptable(next)) chain = next;
  }
  return chain;
}

function areAcceptable({ older, before, after }: Chain): boolean {
  const stored = [older, before].map(findStorageVersion);
  return (
    isAcceptable(older) &&
    isAcceptable(before, asInstalled(older, [])) &&
    isAcceptable(after, asInstalled(before, stored))
  );
}

/** What the webhook of the comparison may do. */
const WEBHOOKS = ["none", "swap"] as const;

/** A webhook converts between the versions of one in five. */
function addConversion(crd: JsonObject, random: Random): JsonObject {
  if (listAt(crd, "spec", "versions").length === 1 || random.chance(0.8)) return crd;
  const clientConfig = { url: `https://127.0.0.1/${random.pick(WEBHOOKS)}` };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  return { ...crd, spec: { ...objectAt(crd, "spec"), conversion } };
}
