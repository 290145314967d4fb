import type { Macro } from "../runtime/environment.ts";
import { formatMacroKey } from "../syntax/macro.ts";
import { defineFold } from "./fold.ts";
import { HAS, OPT_FLAT_MAP, OPT_MAP, SORT_BY } from "./others.ts";
import { ALL, EXISTS, EXISTS_ONE } from "./quantifiers.ts";
import { FILTER, TRANSFORM, TRANSFORM_MAP, TRANSFORM_MAP_ENTRY } from "./transforms.ts";

type Row = readonly [name: string, argumentCount: number, Pick<Macro, "isMethod" | "expand" | "compile">];

const LANGUAGE: readonly Row[] = [
  ["has", 1, HAS],
  ["all", 2, defineFold(1, ALL)],
  ["exists", 2, defineFold(1, EXISTS)],
  ["exists_one", 2, defineFold(1, EXISTS_ONE)],
  ["map", 2, defineFold(1, TRANSFORM)],
  ["map", 3, defineFold(1, TRANSFORM)],
  ["filter", 2, defineFold(1, FILTER)],
];
const OPTIONAL_TYPES: readonly Row[] = [
  ["optMap", 2, OPT_MAP],
  ["optFlatMap", 2, OPT_FLAT_MAP],
];
const TWO_VARIABLES: readonly Row[] = [
  ["all", 3, defineFold(2, ALL)],
  ["exists", 3, defineFold(2, EXISTS)],
  ["exists_one", 3, defineFold(2, EXISTS_ONE)],
  ["existsOne", 3, defineFold(2, EXISTS_ONE)],
  ["transformList", 3, defineFold(2, TRANSFORM)],
  ["transformList", 4, defineFold(2, TRANSFORM)],
  ["transformMap", 3, defineFold(2, TRANSFORM_MAP)],
  ["transformMap", 4, defineFold(2, TRANSFORM_MAP)],
  ["transformMapEntry", 3, defineFold(2, TRANSFORM_MAP_ENTRY)],
  ["transformMapEntry", 4, defineFold(2, TRANSFORM_MAP_ENTRY)],
];
const LISTS: readonly Row[] = [["sortBy", 2, SORT_BY]];

function build(since: number, rows: readonly Row[]): readonly Macro[] {
  return rows.map(([name, argumentCount, macro]) => ({ name, argumentCount, since, owner: "api-server", ...macro }));
}

/** The macros of the API server, by `formatMacroKey`. */
export const API_SERVER_MACROS: ReadonlyMap<string, Macro> = new Map(
  [...build(23, LANGUAGE), ...build(28, OPTIONAL_TYPES), ...build(32, TWO_VARIABLES), ...build(34, LISTS)].map(
    (macro) => [formatMacroKey(macro.name, macro.isMethod, macro.argumentCount), macro],
  ),
);
