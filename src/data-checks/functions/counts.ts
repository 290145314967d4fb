import {
  BYTES,
  type CelValue,
  type Expansions,
  type FunctionRow,
  type FunctionRows,
  type Meter,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  READS_ONCE,
  buildList,
  buildOptional,
  countMemory,
  countWork,
  defineByKeys,
  formatMacroKey,
  getListValues,
  isList,
} from "../../schema/cel/index.ts";
import { buildMap } from "./values.ts";

/** Of a text that is counted, and of each of its characters. */
const TEXT_WORK = 1;
const LETTER_WORK = 0.1;

/** The items of each text, in the order in which they come. */
type Groups = ReadonlyMap<string, readonly CelValue[]>;

/** `keys`: the text of each item; undefined if one is something else. */
function groupItems(items: readonly CelValue[], keys: CelValue, meter: Meter): Groups | undefined {
  if (!isList(keys)) return undefined;
  const groups = new Map<string, CelValue[]>();
  for (const [i, text] of getListValues(keys).entries()) {
    if (typeof text !== "string") return undefined;
    countWork(meter, TEXT_WORK + text.length * LETTER_WORK);
    countMemory(meter, BYTES.item + (groups.has(text) ? 0 : 2 * BYTES.entry));
    const group = groups.get(text) ?? [];
    group.push(items[i] ?? null);
    groups.set(text, group);
  }
  return groups;
}

function onGroups(tell: (groups: Groups, meter: Meter) => CelValue): FunctionRow["call"] {
  return ([list = null, keys = list], meter) => {
    const groups = isList(list) ? groupItems(getListValues(list), keys, meter) : undefined;
    return groups === undefined ? NO_OVERLOAD : tell(groups, meter);
  };
}

/** By the texts in their order, so that what a macro makes of it depends on them alone. */
function onSortedGroups(build: (items: readonly CelValue[]) => CelValue): FunctionRow["call"] {
  return onGroups((groups, meter) => {
    countWork(meter, groups.size * Math.log2(groups.size + 1));
    const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return buildMap(sorted.map(([text, items]) => [text, build(items)]));
  });
}

function findMostCommon(groups: Groups): CelValue {
  let [most] = groups;
  for (const group of groups) if (most !== undefined && group[1].length > most[1].length) most = group;
  return most === undefined ? OPTIONAL_NONE : buildOptional(most[0]);
}

export const GROUPING_MACROS: Expansions = new Map([[formatMacroKey("groupBy", true, 3), defineByKeys("groupBy")]]);

export const COUNTING_FUNCTIONS: FunctionRows = {
  countBy: {
    types: "(list(string)) map(string, int)",
    ...READS_ONCE,
    call: onSortedGroups(({ length }) => BigInt(length)),
  },
  mostCommon: { types: "(list(string)) optional_type(string)", ...READS_ONCE, call: onGroups(findMostCommon) },
  "@groupByAssociatedKeys": {
    types: "list(T).(list(string)) map(string, list(T))",
    ...READS_ONCE,
    call: onSortedGroups(buildList),
  },
};
