import { type Expr, type MacroCall, buildCall, buildIdent, buildList } from "../syntax/ast.ts";
import { ACCUMULATOR } from "../syntax/macro.ts";
import { type Activation, type Interpretable, charge } from "../runtime/activation.ts";
import { findMapValue, getMapKeys } from "../runtime/values/equality.ts";
import {
  NO_OVERLOAD,
  type CelValue,
  buildError,
  buildList as buildListValue,
  formatMapKey,
  isError,
  isMap,
} from "../runtime/values/value.ts";
import type { FoldMacro, Operands } from "./fold.ts";

/** `map` and `transformList`: of each element, or of those that the filter keeps. */
export const TRANSFORM: FoldMacro = {
  cost: 0,
  expand: ({ filter, body }, _, at) => {
    const step = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildList(at, [body]));
    return { init: buildList(at), step: skipOthers(filter, step, at) };
  },
  evaluate: (operands) => () => {
    const values: CelValue[] = [];
    return {
      step: (frame) => {
        const value = transform(operands, frame);
        if (value === undefined || isError(value)) return value;
        charge(frame, 12);
        values.push(value);
        return undefined;
      },
      end: () => buildListValue(values),
    };
  },
};

export const FILTER: FoldMacro = {
  cost: 0,
  expand: ({ body: filter }, body, at) => TRANSFORM.expand({ filter, body }, body, at),
  evaluate: ({ body: filter }, variable) => {
    const body: Interpretable = (frame) => {
      charge(frame, 1);
      return frame.variables[variable] ?? null;
    };
    return TRANSFORM.evaluate({ filter, body }, variable);
  },
};

function skipOthers(filter: Expr | undefined, step: Expr, at: MacroCall): Expr {
  return filter ? buildCall(at, "_?_:_", filter, step, buildIdent(at, ACCUMULATOR)) : step;
}

/** Undefined for an element that the filter drops. */
function transform({ filter, body }: Operands<Interpretable>, frame: Activation): CelValue | undefined {
  const isKept = filter ? filter(frame) : true;
  if (isKept === true) return body(frame);
  if (isKept === false) return undefined;
  return isError(isKept) ? isKept : NO_OVERLOAD;
}

type Entry = readonly [CelValue, CelValue];

function buildMapTransform(
  expandEntry: (key: Expr, body: Expr) => readonly Expr[],
  getEntries: (key: CelValue, value: CelValue) => readonly Entry[],
): FoldMacro {
  return {
    cost: 0,
    expand: ({ filter, body }, key, at) => {
      const step = buildCall(at, "cel.@mapInsert", buildIdent(at, ACCUMULATOR), ...expandEntry(key, body));
      return { init: { op: "map", entries: [], start: at.start, end: at.end }, step: skipOthers(filter, step, at) };
    },
    evaluate: (operands, variable) => () => {
      const entries = new Map<string, Entry>();
      return {
        step: (frame) => {
          const key = frame.variables[variable] ?? null;
          const value = transform(operands, frame);
          if (value === undefined || isError(value)) return value;
          charge(frame, 2);
          return addEntries(entries, getEntries(key, value));
        },
        end: () => ({ kind: "map", entries }),
      };
    },
  };
}

export const TRANSFORM_MAP = buildMapTransform(
  (key, body) => [key, body],
  (key, value) => [[key, value]],
);
export const TRANSFORM_MAP_ENTRY = buildMapTransform(
  (_, body) => [body],
  (_, value) => (isMap(value) ? getMapKeys(value).map((key) => [key, findMapValue(value, key) ?? null] as const) : []),
);

function addEntries(into: Map<string, Entry>, more: readonly Entry[]): CelValue | undefined {
  for (const entry of more) {
    const text = formatMapKey(entry[0]);
    if (text === undefined) return NO_OVERLOAD;
    if (into.has(text)) return buildError("insert failed: key already exists");
    into.set(text, entry);
  }
  return undefined;
}
