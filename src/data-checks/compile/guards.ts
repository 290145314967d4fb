import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { ITEMS } from "../../model/needed-fields.ts";
import type { FieldPlace } from "./fields.ts";
import type { Selection } from "./origins.ts";
import { findMember, followPath, isRequiredField } from "../kinds/kind.ts";
import { DYN, type Expr, type ExpressionFault, type Type, getChildren } from "../../schema/cel/index.ts";

/** Collects what an expression needs of objects, and what it asks for first. */
export type Guards = {
  readonly onSelect: (selection: Selection) => void;
  readonly listTested: () => ReadonlySet<string>;
  readonly listWarnings: (place: DocumentPlace) => readonly PlacedFault[];
  /** The first field that no object of its kind has. */
  readonly findUnknown: () => ExpressionFault | undefined;
};

/** `objects`: what is known of the objects of reads. `given`: what other expressions, which are evaluated before, have asked for. */
export function openGuards(objects: ReadonlyMap<string, Type>, given: ReadonlySet<string> = new Set()): Guards {
  const isAbsent = (place: FieldPlace): boolean =>
    mayBeAbsent(place) && !isRequiredField(objects.get(getRead(place)) ?? DYN, place.path);
  const selections: Selection[] = [];
  const listTested = (): ReadonlySet<string> =>
    new Set([
      ...given,
      ...selections.flatMap(({ kind, places, isLookUp }) =>
        kind === "tested" ? [...places.map(formatKey), ...(isLookUp ? [LOOK_UP] : [])] : [],
      ),
    ]);
  const findOwner = ({ path, ...place }: FieldPlace): Type | undefined =>
    followPath(objects.get(getRead(place)) ?? DYN, path.slice(0, -1));
  return {
    onSelect: (selection) => selections.push(selection),
    listTested,
    findUnknown: () => selections.flatMap((selection) => findUnknown(selection, findOwner))[0],
    listWarnings: (place) => listUnguarded(selections, listTested(), isAbsent).map((one) => buildWarning(one, place)),
  };
}

function formatKey({ variable, path }: FieldPlace): string {
  return JSON.stringify([getRead({ variable }), ...path]);
}

function getRead({ variable }: Pick<FieldPlace, "variable">): string {
  return variable.replace(/^@object /, "");
}

/** A value may come from several places, of which some kinds don't have all: one that has the field is enough. */
function findUnknown(
  { places, isOpen, at }: Selection,
  findOwner: (place: FieldPlace) => Type | undefined,
): readonly ExpressionFault[] {
  const known = places.flatMap((place) => {
    const last = place.path.at(-1);
    const of = findOwner(place);
    return last === undefined || of === undefined ? [] : { of, last, member: findMember(of, last) };
  });
  // The last is the innermost: the pod's of podSpec.
  const one = known.at(-1);
  if (isOpen || one === undefined || known.some(({ member }) => member !== undefined)) return [];
  return [{ kind: "fault", message: `there is no field ${one.last}`, of: one.of, isUndecided: false, ...at }];
}

/** Who asks for one key knows that another may be absent. */
const LOOK_UP = "look-up";

/** The first field of each chain: without it, those below are not there either. */
function listUnguarded(
  selections: readonly Selection[],
  tested: ReadonlySet<string>,
  isAbsent: (place: FieldPlace) => boolean,
): readonly Selection[] {
  const isOpen = (selection: Selection): boolean =>
    selection.isLookUp
      ? !tested.has(LOOK_UP)
      : selection.places.some((one) => isAbsent(one) && !tested.has(formatKey(one)));
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
