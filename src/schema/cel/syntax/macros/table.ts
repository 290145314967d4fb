import type { ServerFeature } from "../../../openapi/server-features.ts";
import { type MacroBody, formatMacroKey } from "../macro.ts";
import { defineFold } from "./fold.ts";
import { HAS, OPT_FLAT_MAP, OPT_MAP, SORT_BY } from "./others.ts";
import { ALL, EXISTS, EXISTS_ONE } from "./quantifiers.ts";
import { FILTER, TRANSFORM, TRANSFORM_MAP, TRANSFORM_MAP_ENTRY } from "./transforms.ts";

type Row = readonly [name: string, operandCount: number, MacroBody];

const LANGUAGE: readonly Row[] = [
  ["has", 1, HAS],
  ["all", 3, defineFold(1, ALL)],
  ["exists", 3, defineFold(1, EXISTS)],
  ["exists_one", 3, defineFold(1, EXISTS_ONE)],
  ["map", 3, defineFold(1, TRANSFORM)],
  ["map", 4, defineFold(1, TRANSFORM)],
  ["filter", 3, defineFold(1, FILTER)],
];
const OPTIONAL_TYPES: readonly Row[] = [
  ["optMap", 3, OPT_MAP],
  ["optFlatMap", 3, OPT_FLAT_MAP],
];
const TWO_VARIABLES: readonly Row[] = [
  ["all", 4, defineFold(2, ALL)],
  ["exists", 4, defineFold(2, EXISTS)],
  ["exists_one", 4, defineFold(2, EXISTS_ONE)],
  ["existsOne", 4, defineFold(2, EXISTS_ONE)],
  ["transformList", 4, defineFold(2, TRANSFORM)],
  ["transformList", 5, defineFold(2, TRANSFORM)],
  ["transformMap", 4, defineFold(2, TRANSFORM_MAP)],
  ["transformMap", 5, defineFold(2, TRANSFORM_MAP)],
  ["transformMapEntry", 4, defineFold(2, TRANSFORM_MAP_ENTRY)],
  ["transformMapEntry", 5, defineFold(2, TRANSFORM_MAP_ENTRY)],
];
const LISTS: readonly Row[] = [["sortBy", 3, SORT_BY]];

/** A macro with what it came with. */
type Macro = MacroBody & { readonly feature: ServerFeature };

function list(feature: ServerFeature, rows: readonly Row[]): readonly (readonly [string, Macro])[] {
  return rows.map(([name, count, macro]) => [formatMacroKey(name, macro.isMethod, count), { ...macro, feature }]);
}

/** The macros of the API server, by `formatMacroKey`. */
export const API_SERVER_MACROS: ReadonlyMap<string, Macro> = new Map([
  ...list("rules", LANGUAGE),
  ...list("optionals", OPTIONAL_TYPES),
  ...list("twoVariables", TWO_VARIABLES),
  ...list("listBuilding", LISTS),
]);
