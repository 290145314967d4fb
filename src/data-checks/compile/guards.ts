import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { ITEMS } from "../../model/needed-fields.ts";
import type { FieldPlace } from "./fields.ts";
import type { Selection } from "./origins.ts";
import { type Expr, getChildren } from "../../schema/cel/index.ts";

/** Collects what an expression needs of objects, and what it asks for first. */
export type Guards = {
  readonly onSelect: (selection: Selection) => void;
  readonly listTested: () => ReadonlySet<string>;
  readonly listWarnings: (place: DocumentPlace) => readonly PlacedFault[];
};

/** `given`: what other expressions, which are evaluated before, have asked for. */
export function openGuards(given: ReadonlySet<string> = new Set()): Guards {
  const selections: Selection[] = [];
  const listTested = (): ReadonlySet<string> =>
    new Set([
      ...given,
      ...selections.flatMap(({ kind, places, isLookUp }) =>
        kind === "tested" ? [...places.map(formatKey), ...(isLookUp ? [LOOK_UP] : [])] : [],
      ),
    ]);
  return {
    onSelect: (selection) => selections.push(selection),
    listTested,
    listWarnings: (place) => listUnguarded(selections, listTested()).map((one) => buildWarning(one, place)),
  };
}

function formatKey({ variable, path }: FieldPlace): string {
  return JSON.stringify([variable.replace(/^@object /, ""), ...path]);
}

/** Who asks for one key knows that another may be absent. */
const LOOK_UP = "look-up";

/** The first field of each chain: without it, those below are not there either. */
function listUnguarded(selections: readonly Selection[], tested: ReadonlySet<string>): readonly Selection[] {
  const isOpen = (selection: Selection): boolean =>
    selection.isLookUp
      ? !tested.has(LOOK_UP)
      : selection.places.some((one) => mayBeAbsent(one) && !tested.has(formatKey(one)));
  const open = selections.filter((one) => one.kind === "needed" && isOpen(one));
  const first = open.filter(({ at }) => !open.some((other) => other.at.start === at.start && other.at.end < at.end));
  return [...new Map(first.toReversed().map((one) => [JSON.stringify(one.places), one])).values()].toReversed();
}

/** What the API server requires of every object that has the field above it. "[]" is an item of a list. */
const ALWAYS = [
  /^(?:apiVersion|kind|metadata|spec)$/,
  /^metadata\.(?:name|namespace|uid|creationTimestamp)$/,
  /^metadata\.ownerReferences\.\[\]\.(?:apiVersion|kind|name|uid)$/,
  /^spec\.template(?:\.spec(?:\.containers)?)?$/,
  /\.conditions\.\[\]\.(?:type|status)$/,
  // What tells the items of a list apart.
  /\.\[\]\.(?:name|type|key)$/,
  /\.\[\]$/,
];

/** Facts of the cluster have expressions of ours. */
function mayBeAbsent({ variable, path }: FieldPlace): boolean {
  const written = path.join(".");
  return !/^@(?!object )/.test(variable) && !ALWAYS.some((pattern) => pattern.test(written));
}

function buildWarning({ places, isLookUp, at }: Selection, place: DocumentPlace): PlacedFault {
  const last = places[0]?.path.at(-1);
  const what = isLookUp || last === undefined || last === ITEMS ? "this" : last;
  const hint =
    what === "this" ? "write [?KEY], and .orValue(...) behind it" : `write .?${what}, and .orValue(...) at the end`;
  return {
    severity: "warning",
    place,
    message: `${what} may be absent, and the check is then unknown`,
    hint,
    span: { start: at.start, end: at.end },
  };
}

/** What only decides: its value is true or false, whatever the time is made of. */
const DECIDING = new Set(["_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_", "_&&_", "_||_", "!_", "@in", "hasValue"]);

/** Whether the value is made of the time. What `now` only decides may be part of a text: it changes when the finding does. */
export function dependsOnTime(expr: Expr, timed: ReadonlySet<string>): boolean {
  if (expr.op === "ident") return timed.has(expr.name.replace(/^\./, ""));
  if (expr.op === "call" && DECIDING.has(expr.name)) return false;
  return listMaterial(expr).some((part) => dependsOnTime(part, timed));
}

function listMaterial(expr: Expr): readonly Expr[] {
  if (expr.op === "fold") return [expr.range, expr.init, expr.step, expr.result];
  return expr.op === "call" && expr.name === "_?_:_" ? expr.args.slice(1) : getChildren(expr);
}
