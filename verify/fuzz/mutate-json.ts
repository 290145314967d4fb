import type { Random } from "../schema/random/random.ts";
import { type Json, isList, isObject, parseJson } from "../../src/model/json.ts";

type Material = { readonly texts: readonly string[]; readonly donor: string };

const LITERALS = [null, true, false];
const NUMBERS = [0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63)];
const TEXTS = ["", " ", "a", "constructor", "__proto__", "1", "\u202e", "é\ud800", "x".repeat(300)];
const INTERESTING: readonly Json[] = [...LITERALS, ...NUMBERS, ...TEXTS, [], {}, [[]], { constructor: 1 }];

/** Changes a JSON text in one place; undefined if it is not JSON. */
export function mutateJson(text: string, random: Random, { texts, donor }: Material): string | undefined {
  const value = tryParse(text);
  if (value === undefined) return undefined;
  const give = (): Json => pickValue(random, texts, tryParse(donor) ?? value);
  const changed = changeNode(value, random.below(countNodes(value)), (here) => changeValue(here, random, texts, give));
  return JSON.stringify(changed ?? null);
}

function tryParse(text: string): Json | undefined {
  return /^\s*[{["]/.test(text) ? parseJson(text) : undefined;
}

function countNodes(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countNodes(item), 1);
}

/** Calls `change` with the node of this number: 0 is the value itself, then come those within, in their order. */
function changeNode(value: Json, index: number, change: (node: Json) => Json | undefined): Json | undefined {
  if (index === 0) return change(value);
  let left = index - 1;
  const changeItem = (item: Json): Json | undefined => {
    const size = countNodes(item);
    const isHere = left >= 0 && left < size;
    left -= size;
    return isHere ? changeNode(item, left + size, change) : item;
  };
  if (isList(value)) return value.map(changeItem).filter((item) => item !== undefined);
  const entries = Object.entries(isObject(value) ? value : {}).map(([key, item]) => [key, changeItem(item)] as const);
  return Object.fromEntries(entries.flatMap(([key, item]) => (item === undefined ? [] : [[key, item]])));
}

function getNode(value: Json, index: number): Json {
  let node: Json = null;
  changeNode(value, index, (here) => {
    node = here;
    return here;
  });
  return node;
}

/** A value of the donor, of the code, or one that is often forgotten. */
function pickValue(random: Random, texts: readonly string[], donor: Json): Json {
  const choice = random.next();
  if (choice < 0.4) return getNode(donor, random.below(countNodes(donor)));
  if (choice < 0.7) return random.oneOf(texts) ?? "";
  return random.oneOf(INTERESTING) ?? null;
}

/** Undefined removes the value. */
function changeValue(here: Json, random: Random, texts: readonly string[], give: () => Json): Json | undefined {
  const choice = random.next();
  if (choice < 0.15) return undefined;
  if (isList(here) && choice < 0.5) return changeList(here, random, give);
  if (isObject(here) && choice < 0.5) return changeObject(here, random, texts, give);
  if (typeof here === "number" && choice < 0.5) return here + random.below(5) - 2;
  if (typeof here === "string" && choice < 0.6) return changeText(here, random, texts);
  return choice < 0.65 ? [here] : give();
}

function changeList(list: readonly Json[], random: Random, give: () => Json): readonly Json[] {
  const index = random.below(list.length + 1);
  const item = list[index] ?? null;
  if (random.chance(0.3)) return list.toSpliced(index, 1);
  if (random.chance(0.3)) return list.toSpliced(index, 0, ...Array.from({ length: 1 << random.below(8) }, () => item));
  return list.toSpliced(index, 0, give());
}

function changeObject(object: Json, random: Random, texts: readonly string[], give: () => Json): Json {
  const entries: readonly (readonly [string, Json])[] = Object.entries(isObject(object) ? object : {});
  const key = random.chance(0.8) ? (random.oneOf(texts) ?? "") : "__proto__";
  if (random.chance(0.5)) return Object.fromEntries([...entries, [key, give()]]);
  const renamed = random.below(entries.length);
  return Object.fromEntries(entries.map(([name, value], index) => [index === renamed ? key : name, value]));
}

function changeText(text: string, random: Random, texts: readonly string[]): string {
  const start = random.below(text.length + 1);
  const length = random.below(4);
  const rest = text.slice(start + length);
  if (random.chance(0.3)) return `${text.slice(0, start)}${random.oneOf(texts) ?? ""}${rest}`;
  if (random.chance(0.3)) return `${text.slice(0, start)}${String.fromCharCode(random.below(0x180))}${rest}`;
  if (random.chance(0.2)) return text.slice(0, start).repeat(1 + random.below(20));
  return `${text.slice(0, start)}${rest}`;
}
