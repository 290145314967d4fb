import { type Json, type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type Selector, matchesSelector, parseLabels, parseSelector } from "../../model/label-selector.ts";
import { formatRef } from "../../model/resource.ts";
import {
  type FunctionRows,
  traverseAll,
  getListValues,
  type CelValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  buildError,
  buildOptional,
  isList,
  isMap,
  unwrapOptional,
} from "../../schema/cel/index.ts";
import { findMember, findRef } from "../run/object-refs.ts";
import { valueToJson } from "./json.ts";

/** The condition of a type in an object's status; the object may be optional. */
function findCondition([object = null, type = null]: readonly CelValue[]): CelValue {
  const list = findMember(findMember(unwrapOptional(object), "status"), "conditions") ?? null;
  const found = isList(list) ? getListValues(list).find((one) => findMember(one, "type") === type) : undefined;
  return found === undefined ? OPTIONAL_NONE : buildOptional(found);
}

/** A selector of labels as Kubernetes has it everywhere: an empty one selects all. What is no selector is an error. */
function selects([selector = null, labels = null]: readonly CelValue[]): CelValue {
  const rules = toJson(selector);
  const named = toJson(labels) ?? {};
  if (!isObject(rules) || !isObject(named)) return NO_OVERLOAD;
  const parsed = parseSelector({ rules }, "rules");
  return isSound(rules, parsed)
    ? matchesSelector(parsed, parseLabels(named))
    : buildError("it is not a label selector");
}

/** Null and an absent optional value have no labels. */
function toJson(value: CelValue): Json | undefined {
  return valueToJson(unwrapOptional(value) ?? null);
}

const OPERATORS: ReadonlySet<string> = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);

function isSound(rules: JsonObject, selector: Selector): boolean {
  const labels = Object.values(objectAt(rules, "matchLabels"));
  return (
    labels.every((label) => typeof label === "string") &&
    selector.every(({ key, operator }) => key !== "" && OPERATORS.has(operator))
  );
}

/** "Node a": of an object, or of a map with apiVersion, kind, perhaps namespace, and name. */
function formatReference([object = null]: readonly CelValue[]): CelValue {
  if (!isMap(object)) return NO_OVERLOAD;
  const ref = findRef(object);
  return ref === undefined ? buildError("it has no kind or no name") : formatRef(ref);
}

/** What is read of an object is at least its conditions. */
const READ_COST = 10;

export const OBJECT_FUNCTIONS: FunctionRows = {
  condition: { types: "(dyn, string) optional_type(dyn)", call: findCondition, cost: () => READ_COST },
  matchesSelector: {
    types: "(dyn, dyn) bool",
    call: selects,
    cost: (args) => args.reduce<number>((sum, arg) => sum + traverseAll([arg]), READ_COST),
  },
  ref: { types: "(dyn) string", call: formatReference, cost: () => READ_COST },
};
