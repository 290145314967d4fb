import { type Json, isList, isObject } from "../model/json.ts";
import type { CallExpr, Expr, FoldExpr, SelectExpr } from "../schema/cel/syntax/ast.ts";

/**
 * What expressions use of an object: of a whole value everything, of any other its named members. "[]" stands for the items of a list, and
 * for the members of a map by keys that are not known; such a map is kept whole.
 */
export type UsedFields = { readonly isWhole: boolean; readonly members: ReadonlyMap<string, UsedFields> };

/** A place in the object of a variable. */
type Place = { readonly variable: string; readonly path: readonly string[] };

/** A place of which everything counts, or only that it is there. */
export type UsedPlace = Place & { readonly isWhole: boolean };

/** What is known of a value before evaluation: the places that it may come from, and what it may be built of. */
type Origin = {
  readonly places: readonly Place[];
  readonly items: readonly Origin[];
  readonly members: readonly Member[];
};
type Member = { readonly name: string | undefined; readonly value: Origin };

const NOWHERE: Origin = { places: [], items: [], members: [] };

type Names = ReadonlyMap<string, Origin>;
type Use = (place: Place, isWhole: boolean) => void;

/** The places in the objects of variables that the value of an expression may depend on. */
export function listUsedPlaces(syntax: Expr, variables: readonly string[]): readonly UsedPlace[] {
  const used: UsedPlace[] = [];
  const use: Use = (place, isWhole) => used.push({ ...place, isWhole });
  const names = new Map(variables.map((variable) => [variable, at({ variable, path: [] })]));
  useWhole(trace(syntax, names, use), use);
  return used;
}

function at(...places: readonly Place[]): Origin {
  return { ...NOWHERE, places };
}

function join(...origins: readonly Origin[]): Origin {
  return {
    places: origins.flatMap(({ places }) => places),
    items: origins.flatMap(({ items }) => items),
    members: origins.flatMap(({ members }) => members),
  };
}

function useWhole({ places, items, members }: Origin, use: Use): void {
  for (const place of places) use(place, true);
  for (const item of [...items, ...members.map(({ value }) => value)]) useWhole(item, use);
}

/** Whether a member is there decides between a value and an error, even if the value does not count. */
function usePresent(origin: Origin, use: Use): Origin {
  for (const place of origin.places) use(place, false);
  return origin;
}

function selectMember({ places, members, items }: Origin, name: string): Origin {
  const built = members.filter((member) => member.name === undefined || member.name === name);
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, name] }));
  return join(at(...inner), ...built.map(({ value }) => value), ...items.map((item) => selectMember(item, name)));
}

const ITEMS = "[]";

function selectAny({ places, items, members }: Origin): Origin {
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, ITEMS] }));
  return join(at(...inner), ...items, ...members.map(({ value }) => value));
}

function trace(expr: Expr, names: Names, use: Use): Origin {
  switch (expr.op) {
    case "literal":
    case "struct":
      return NOWHERE;
    case "ident":
      return names.get(expr.name.replace(/^\./, "")) ?? NOWHERE;
    case "select":
      return traceSelection(expr, names, use);
    case "call":
      return traceCall(expr, names, use);
    case "list":
      return { ...NOWHERE, items: expr.items.map((item) => trace(item, names, use)) };
    case "map":
      return { ...NOWHERE, members: expr.entries.map(({ key, value }) => traceEntry(key, value, names, use)) };
    case "fold":
      return traceFold(expr, names, use);
  }
}

function traceSelection({ operand, field, isTest }: SelectExpr, names: Names, use: Use): Origin {
  const selected = usePresent(selectMember(trace(operand, names, use), field), use);
  return isTest ? NOWHERE : selected;
}

function traceEntry(key: Expr, value: Expr, names: Names, use: Use): Member {
  useWhole(trace(key, names, use), use);
  return { name: getName(key), value: trace(value, names, use) };
}

/** A key that is a text. A position says nothing about the other items of a list. */
function getName(key: Expr | undefined): string | undefined {
  return key?.op === "literal" && typeof key.value === "string" ? key.value : undefined;
}

/** Functions whose result is one of their arguments. */
const PASSING = new Set(["dyn", "optional.of", "value", "or", "orValue", "_+_"]);
const SELECTING = new Set(["_[_]", "_[?_]", "_?._"]);

function traceCall({ name, target, args }: CallExpr, names: Names, use: Use): Origin {
  const operands = target === undefined ? args : [target, ...args];
  const [first = NOWHERE, ...others] = operands.map((operand) => trace(operand, names, use));
  if (SELECTING.has(name)) return traceIndex(first, operands[1], others, use);
  if (name === "ref") return NOWHERE;
  if (name === "condition") return traceCondition(first, others, use);
  if (name === "podSpec") return tracePodSpec(first, use);
  if (name === "images") return traceImages(first, use);
  if (PASSING.has(name)) return join(first, ...others);
  if ((name === "first" || name === "last") && others.length === 0) return usePresent(selectAny(first), use);
  if (name === "@sortByAssociatedKeys") return traceSorted(first, others, use);
  if (name === "hasValue") return NOWHERE;
  useWhole(first, use);
  if (name === "_?_:_") return join(...others);
  if (name === "cel.@mapInsert")
    return join(first, ...others.slice(0, 1), { ...NOWHERE, members: others.slice(1).map(toMember) });
  for (const origin of others) useWhole(origin, use);
  return NOWHERE;
}

function toMember(value: Origin): Member {
  return { name: undefined, value };
}

function traceIndex(operand: Origin, key: Expr | undefined, others: readonly Origin[], use: Use): Origin {
  for (const origin of others) useWhole(origin, use);
  const name = getName(key);
  return usePresent(name === undefined ? selectAny(operand) : selectMember(operand, name), use);
}

function traceSorted(list: Origin, keys: readonly Origin[], use: Use): Origin {
  for (const key of keys) useWhole(key, use);
  return list;
}

function traceCondition(object: Origin, others: readonly Origin[], use: Use): Origin {
  for (const origin of others) useWhole(origin, use);
  const condition = selectAny(selectMember(selectMember(object, "status"), "conditions"));
  useWhole(selectMember(condition, "type"), use);
  return condition;
}

function tracePodSpec(object: Origin, use: Use): Origin {
  const spec = selectMember(object, "spec");
  const selectTemplate = (owner: Origin): Origin => selectMember(selectMember(owner, "template"), "spec");
  const ofJob = selectTemplate(selectMember(selectMember(spec, "jobTemplate"), "spec"));
  return usePresent(join(spec, selectTemplate(spec), ofJob), use);
}

function traceImages(object: Origin, use: Use): Origin {
  const spec = tracePodSpec(object, use);
  for (const name of ["containers", "initContainers"])
    useWhole(selectMember(selectAny(selectMember(spec, name)), "image"), use);
  return NOWHERE;
}

/** The accumulator may come from a former step: what it is built of is known after the second one. */
function traceFold(fold: FoldExpr, names: Names, use: Use): Origin {
  const range = trace(fold.range, names, use);
  const element = usePresent(selectAny(range), use);
  const init = trace(fold.init, names, use);
  const bind = (accumulated: Origin): Names => {
    const own: readonly (readonly [string, Origin])[] =
      fold.second === undefined
        ? [[fold.variable, element]]
        : [
            [fold.variable, NOWHERE],
            [fold.second, element],
          ];
    return new Map([...names, [fold.accumulator, accumulated], ...own]);
  };
  const once = join(init, trace(fold.step, bind(init), use));
  const twice = join(once, trace(fold.step, bind(once), use));
  useWhole(trace(fold.condition, bind(twice), use), use);
  return trace(fold.result, new Map([...names, [fold.accumulator, twice]]), use);
}

const UNUSED: UsedFields = { isWhole: false, members: new Map() };

/** The fields of one variable's object. */
export function mergeUsedPlaces(places: readonly UsedPlace[], variable: string): UsedFields {
  return places
    .filter((place) => place.variable === variable)
    .reduce((fields, place) => add(fields, place.path, place.isWhole), UNUSED);
}

function add(fields: UsedFields, [name, ...rest]: readonly string[], isWhole: boolean): UsedFields {
  if (fields.isWhole) return fields;
  if (name === undefined) return isWhole ? { ...UNUSED, isWhole } : fields;
  const member = add(fields.members.get(name) ?? UNUSED, rest, isWhole);
  return { ...fields, members: new Map([...fields.members, [name, member]]) };
}

/** The value with what is used of it. Lists keep their length. */
export function keepUsedFields(value: Json, fields: UsedFields): Json {
  const { isWhole, members } = fields;
  const any = members.get(ITEMS);
  if (isList(value)) return isWhole ? value : value.map((item) => keepUsedFields(item, any ?? UNUSED));
  if (!isObject(value) || isWhole || any !== undefined) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const inner = members.get(name);
    return inner === undefined ? [] : [[name, keepUsedFields(member, inner)] as const];
  });
  return Object.fromEntries(kept);
}
