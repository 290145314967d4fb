import type { Span, CallExpr, Expr, FoldExpr, SelectExpr } from "../../schema/cel/index.ts";
import { VALUES } from "../../model/needed-fields.ts";
import type { FieldPlace, UsedPlace } from "./fields.ts";
import {
  type Member,
  type Origin,
  NOWHERE,
  at,
  join,
  ofItems,
  ofMembers,
  ofVariable,
  selectAny,
  selectMember,
} from "./origin-parts.ts";

/** What an expression is traced in. `isInScan`: it is evaluated for each object of a list already. */
type Trace = {
  readonly names: ReadonlyMap<string, Origin>;
  readonly use: (place: UsedPlace) => void;
  readonly isInScan?: boolean;
  /** Called for a scan within a scan. */
  readonly onNestedScan?: (at: Span) => void;
  /** Called for each part of an object that must be there, or of which the expression asks whether it is. */
  readonly onSelect?: (selection: Selection) => void;
};

/**
 * `needed`: the expression has no value without it; `tested`: it asks whether the part is there, or goes on without it. `isLookUp`: by a
 * position, or by a key that nobody knows.
 */
export type Selection = {
  readonly kind: "needed" | "tested";
  readonly places: readonly FieldPlace[];
  readonly isLookUp: boolean;
  readonly isOpen: boolean;
  readonly at: Span;
};

/** Everything in the value counts. */
export function useWhole(origin: Origin, trace: Pick<Trace, "use">): void {
  const seen = new Set([origin]);
  for (const { places, items, members } of seen) {
    for (const place of places) trace.use({ ...place, isWhole: true });
    for (const item of items) seen.add(item);
    for (const { value } of members) seen.add(value);
  }
}

/** Whether a member is there decides between a value and an error, even if the value does not count. */
function usePresent(origin: Origin, { use }: Trace): Origin {
  for (const place of origin.places) use({ ...place, isWhole: false });
  return origin;
}

/** The places in the objects of variables that the value of an expression may depend on. */
export function listUsedPlaces(syntax: Expr, variables: readonly string[]): readonly UsedPlace[] {
  const used: UsedPlace[] = [];
  const trace: Trace = {
    names: new Map(variables.map((variable) => [variable, ofVariable(variable)])),
    use: (place) => used.push(place),
  };
  useWhole(traceOrigin(syntax, trace), trace);
  return used;
}

/** Where the value of an expression comes from; what it depends on besides is used. */
export function traceOrigin(expr: Expr, trace: Trace): Origin {
  switch (expr.op) {
    case "literal":
    case "struct":
      return NOWHERE;
    case "ident":
      return trace.names.get(expr.name.replace(/^\./, "")) ?? NOWHERE;
    case "select":
      return traceSelection(expr, trace);
    case "call":
      return traceCall(expr, trace);
    case "list":
      return { ...NOWHERE, items: expr.items.map((item) => traceOrigin(item, trace)) };
    case "map":
      return { ...NOWHERE, members: expr.entries.map(({ key, value }) => traceEntry(key, value, trace)) };
    case "fold":
      return traceFold(expr, trace);
  }
}

function traceSelection(expr: SelectExpr, trace: Trace): Origin {
  const { operand, field, isTest } = expr;
  const from = traceOrigin(operand, trace);
  const selected = usePresent(selectMember(from, field), trace);
  const kind = isTest || from.isOptional === true ? "tested" : "needed";
  report(kind, selectMember({ ...at(...from.places), isOpen: from.isOpen }, field), expr, trace);
  return isTest ? NOWHERE : { ...selected, isOptional: from.isOptional === true };
}

function report(
  kind: Selection["kind"],
  { places, isOpen = false }: Origin,
  span: Span,
  trace: Trace,
  isLookUp = false,
): void {
  if (places.length > 0 || isLookUp) trace.onSelect?.({ kind, places, isLookUp, isOpen, at: span });
}

function traceEntry(key: Expr, value: Expr, trace: Trace): Member {
  useWhole(traceOrigin(key, trace), trace);
  return { name: getName(key), value: traceOrigin(value, trace) };
}

/** A key that is a text. A position says nothing about the other items of a list. */
function getName(key: Expr | undefined): string | undefined {
  return key?.op === "literal" && typeof key.value === "string" ? key.value : undefined;
}

/** Functions whose result is one of their arguments. */
const PASSING = new Set(["optional.of", "value", "or", "orValue", "_+_"]);
const SELECTING = new Set(["_[_]", "_[?_]", "_?._"]);

function traceCall(expr: CallExpr, trace: Trace): Origin {
  const { name, target, args } = expr;
  const operands = target === undefined ? args : [target, ...args];
  const [first = NOWHERE, ...others] = operands.map((operand) => traceOrigin(operand, trace));
  if (SELECTING.has(name)) return traceIndex(expr, first, operands[1], others, trace);
  if (name === "ref") return NOWHERE;
  if (name === "condition") return traceCondition(first, others, trace);
  if (name === "podSpec") return { ...tracePodSpec(first, trace), isOptional: true };
  if (name === "images") return traceImages(first, trace);
  if (name === "dyn") return { ...first, isOpen: true };
  if (PASSING.has(name)) return { ...join(first, ...others), isOptional: isStillOptional(name, first) };
  if ((name === "first" || name === "last") && others.length === 0)
    return { ...usePresent(selectAny(first), trace), isOptional: true };
  if (name === "@sortByAssociatedKeys") return traceSorted(first, others, trace);
  if (name === "@groupByAssociatedKeys") return traceGroups(first, others, trace);
  if (name === "hasValue") report("tested", first, expr, trace);
  if (name === "@in") reportKey(operands[0], others[0] ?? NOWHERE, expr, trace);
  if (name === "hasValue") return NOWHERE;
  useWhole(name === "size" ? { ...first, items: [], members: [] } : first, trace);
  if (name === "_?_:_") return join(...others);
  if (name === "cel.@mapInsert")
    return join(first, ...others.slice(0, 1), {
      ...NOWHERE,
      members: others.slice(1).map((value) => ({ name: undefined, value })),
    });
  // Of a map only its keys decide what is in it.
  for (const origin of others) useWhole(name === "@in" ? selectAny({ ...origin, members: [] }) : origin, trace);
  return NOWHERE;
}

/** `or` has a default that is optional itself. */
function isStillOptional(name: string, { isOptional = false }: Origin): boolean {
  return name === "optional.of" || (isOptional && name !== "value" && name !== "orValue");
}

function reportKey(key: Expr | undefined, container: Origin, at: Span, trace: Trace): void {
  const name = getName(key);
  const part = name === undefined ? NOWHERE : selectMember(container, name);
  // In a list, a text is no field.
  report("tested", { ...part, isOpen: true }, at, trace, hasAnyKey(container));
}

function hasAnyKey({ members }: Origin): boolean {
  return members.some(({ name }) => name === undefined);
}

function traceIndex(
  expr: CallExpr,
  operand: Origin,
  key: Expr | undefined,
  others: readonly Origin[],
  trace: Trace,
): Origin {
  for (const origin of others) useWhole(origin, trace);
  const name = getName(key);
  if (key?.op !== "literal") useWhole(selectAny(at(...operand.places), VALUES), trace);
  const selected = usePresent(name === undefined ? selectAny(operand) : selectMember(operand, name), trace);
  const isOptional = expr.name !== "_[_]" || operand.isOptional === true;
  const isPosition = key?.op === "literal" && typeof key.value === "bigint" && selected.places.length > 0;
  const isLookUp = isPosition || hasAnyKey(operand);
  const own = { ...at(...operand.places), isOpen: operand.isOpen };
  const part = name === undefined ? selectAny(own) : selectMember(own, name);
  report(isOptional ? "tested" : "needed", part, expr, trace, isLookUp);
  return { ...selected, isOptional };
}

function traceSorted(list: Origin, keys: readonly Origin[], trace: Trace): Origin {
  for (const key of keys) useWhole(key, trace);
  return list;
}

/** A list for each key. */
function traceGroups(list: Origin, keys: readonly Origin[], trace: Trace): Origin {
  return ofMembers([undefined, ofItems(selectAny(traceSorted(list, keys, trace)), false)]);
}

function traceCondition(object: Origin, others: readonly Origin[], trace: Trace): Origin {
  for (const origin of others) useWhole(origin, trace);
  const condition = selectAny(selectMember(selectMember(object, "status"), "conditions"));
  useWhole(selectMember(condition, "type"), trace);
  return { ...condition, isOptional: true };
}

function tracePodSpec(object: Origin, trace: Trace): Origin {
  const spec = selectMember(object, "spec");
  const selectTemplate = (owner: Origin): Origin => selectMember(selectMember(owner, "template"), "spec");
  const ofJob = selectTemplate(selectMember(selectMember(spec, "jobTemplate"), "spec"));
  return usePresent(join(spec, selectTemplate(spec), ofJob), trace);
}

function traceImages(object: Origin, trace: Trace): Origin {
  const spec = tracePodSpec(object, trace);
  for (const name of ["containers", "initContainers"])
    useWhole(selectMember(selectAny(selectMember(spec, name)), "image"), trace);
  return NOWHERE;
}

/** Each step of a macro adds the same to its accumulator. */
function traceFold(fold: FoldExpr, trace: Trace): Origin {
  const range = traceOrigin(fold.range, trace);
  const isScan = range.isScan === true;
  if (isScan && trace.isInScan === true) trace.onNestedScan?.(fold.range);
  const element = usePresent(selectAny(range), trace);
  if (fold.second !== undefined) useWhole(selectAny(at(...range.places), VALUES), trace);
  const init = traceOrigin(fold.init, trace);
  const bind = (accumulated: Origin): Trace => {
    const own: readonly (readonly [string, Origin])[] =
      fold.second === undefined
        ? [[fold.variable, element]]
        : [
            [fold.variable, NOWHERE],
            [fold.second, element],
          ];
    const names = new Map([...trace.names, [fold.accumulator, accumulated] as const, ...own]);
    return { ...trace, names, isInScan: isScan || trace.isInScan === true };
  };
  const accumulated = join(init, traceOrigin(fold.step, bind(init)));
  useWhole(traceOrigin(fold.condition, bind(accumulated)), trace);
  const names = new Map([...trace.names, [fold.accumulator, accumulated]]);
  const result = traceOrigin(fold.result, { ...trace, names });
  return { ...result, isScan: isScan || result.isScan === true };
}
