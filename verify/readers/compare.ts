import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "../../src/format/document/document-parser.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { playCase } from "../kit/our-reader.ts";
import { readKitDocuments } from "../kit/kit-files.ts";
import type { KitReader } from "../kit/readers.ts";
import type { Random } from "../schema/random/random.ts";
import { editDocument } from "./documents.ts";
import { drawScenario } from "./scenarios.ts";

/** What a reader makes of something otherwise than ours. */
export type Difference = {
  readonly reader: string;
  readonly input: Json;
  readonly ours: Json;
  readonly theirs: Json;
};

const NOTHING = { cases: [], documents: [] };

/** Every reader beside ours, over random clusters and documents. */
export async function compareScenarios(
  readers: readonly KitReader[],
  random: Random,
  count: number,
): Promise<readonly Difference[]> {
  const cases = Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), drawScenario(random)]));
  const ours: Record<string, Json> = {};
  for (const [name, scenario] of Object.entries(cases)) ours[name] = await playOurs(scenario);
  return readers.flatMap((reader) => {
    const run = reader.run({ index: NOTHING, cases, documents: {} });
    return compare(reader, cases, ours, withoutFreeTimes(run.cases));
  });
}

async function playOurs(scenario: JsonObject): Promise<Json> {
  const outcomes: unknown = JSON.parse(JSON.stringify(await playCase(scenario)));
  return withoutFreeTimes(Array.isArray(outcomes) ? outcomes : null);
}

/** Whether every reader beside ours accepts and refuses the same documents: valid ones, edited up to twice. */
export async function compareDocuments(
  readers: readonly KitReader[],
  random: Random,
  count: number,
): Promise<readonly Difference[]> {
  const valid = readKitDocuments().filter(({ isValid }) => isValid);
  const texts: Record<string, string> = {};
  const ours: Record<string, Json> = {};
  for (let i = 0; i < count; i += 1) {
    const base: unknown = JSON.parse(random.oneOf(valid)?.text ?? "{}");
    let document = isObject(base) ? base : {};
    for (let edits = 1 + random.below(2); edits > 0; edits -= 1) document = editDocument(random, document);
    const text = JSON.stringify(document);
    texts[i] = text;
    ours[i] = (await parseDocument(text)).kind === "valid";
  }
  return readers.flatMap((reader) => {
    const { documents } = reader.run({ index: NOTHING, cases: {}, documents: texts });
    const theirs = Object.entries(documents).map(
      ([name, problems]) => [name, isDeepStrictEqual(problems, [])] as const,
    );
    return compare(reader, texts, ours, Object.fromEntries(theirs));
  });
}

function compare(
  reader: KitReader,
  inputs: Readonly<Record<string, Json>>,
  ours: Readonly<Record<string, Json>>,
  theirs: Json,
): readonly Difference[] {
  const made = isObject(theirs) ? theirs : {};
  return Object.entries(inputs).flatMap(([name, input]) => {
    const own = ours[name] ?? null;
    const other = made[name] ?? null;
    return isDeepStrictEqual(own, other) ? [] : [{ reader: reader.name, input, ours: own, theirs: other }];
  });
}

/** A reader beside an operator may keep the time of its own earlier Recommended; ours does. */
function withoutFreeTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutFreeTimes);
  if (!isObject(value)) return value;
  const { lastTransitionTime: _, ...timeless } = value;
  const entries = Object.entries(value["type"] === "Recommended" ? timeless : value);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutFreeTimes(item ?? null)]));
}
