import {
  BYTES,
  type CelValue,
  type FunctionRow,
  type FunctionRows,
  type Meter,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  READS_ONCE,
  buildOptional,
  countMemory,
  countWork,
  getListValues,
  isList,
} from "../../schema/cel/index.ts";
import { buildMap } from "./values.ts";

/** Of a text that is counted, and of each of its characters. */
const TEXT_WORK = 1;
const LETTER_WORK = 0.1;

/** How often a list has each text, in the order in which they come; undefined if it has something else. */
function countTexts(list: CelValue, meter: Meter): ReadonlyMap<string, number> | undefined {
  if (!isList(list)) return undefined;
  const counts = new Map<string, number>();
  for (const text of getListValues(list)) {
    if (typeof text !== "string") return undefined;
    countWork(meter, TEXT_WORK + text.length * LETTER_WORK);
    const known = counts.get(text);
    if (known === undefined) countMemory(meter, 2 * BYTES.entry);
    counts.set(text, (known ?? 0) + 1);
  }
  return counts;
}

function onCounts(tell: (counts: ReadonlyMap<string, number>, meter: Meter) => CelValue): FunctionRow["call"] {
  return ([list = null], meter) => {
    const counts = countTexts(list, meter);
    return counts === undefined ? NO_OVERLOAD : tell(counts, meter);
  };
}

/** By the texts in their order, so that what a macro makes of it depends on them alone. */
function buildCounts(counts: ReadonlyMap<string, number>, meter: Meter): CelValue {
  countWork(meter, counts.size * Math.log2(counts.size + 1));
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return buildMap(sorted.map(([text, count]) => [text, BigInt(count)]));
}

function findMostCommon(counts: ReadonlyMap<string, number>): CelValue {
  let [most] = counts;
  for (const entry of counts) if (most !== undefined && entry[1] > most[1]) most = entry;
  return most === undefined ? OPTIONAL_NONE : buildOptional(most[0]);
}

export const COUNTING_FUNCTIONS: FunctionRows = {
  countBy: { types: "(list(string)) map(string, int)", ...READS_ONCE, call: onCounts(buildCounts) },
  mostCommon: { types: "(list(string)) optional_type(string)", ...READS_ONCE, call: onCounts(findMostCommon) },
};
