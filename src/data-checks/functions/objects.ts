import { type Json, type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type Selector, matchesSelector, parseLabels, parseSelector } from "../../model/object.ts";
import { formatRef } from "../../model/resource.ts";
import type { FunctionRows, CelValue, Meter } from "../../schema/cel/index.ts";
import {
  BYTES,
  countMemory,
  countWork,
  getTraversalCostOfAll,
  getListValues,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  buildError,
  buildOptional,
  isList,
  isMap,
  unwrapOptional,
  buildList,
} from "../../schema/cel/index.ts";
import { findMember, findRef, valueToJson, findText } from "./values.ts";

/** The condition of a type in an object's status; the object may be optional. */
function findCondition([object = null, type = null]: readonly CelValue[], meter: Meter): CelValue {
  const list = findMember(findMember(unwrapOptional(object), "status"), "conditions") ?? null;
  if (isList(list)) countWork(meter, getListValues(list).length);
  const found = isList(list) ? getListValues(list).find((one) => findMember(one, "type") === type) : undefined;
  return found === undefined ? OPTIONAL_NONE : buildOptional(found);
}

/** A selector of labels as Kubernetes has it everywhere: an empty one selects all. What is no selector is an error. */
function selects([selector = null, labels = null]: readonly CelValue[], meter: Meter): CelValue {
  const rules = toJson(selector, meter);
  const named = toJson(labels, meter) ?? {};
  if (!isObject(rules) || !isObject(named)) return NO_OVERLOAD;
  const parsed = parseSelector({ rules }, "rules");
  return isSound(rules, parsed)
    ? matchesSelector(parsed, parseLabels(named))
    : buildError("it is not a label selector");
}

/** Null and an absent optional value have no labels. */
function toJson(value: CelValue, meter: Meter): Json | undefined {
  return valueToJson(unwrapOptional(value) ?? null, meter);
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
    cost: (args, _, meter) => args.reduce<number>((sum, arg) => sum + getTraversalCostOfAll(arg, meter), READ_COST),
  },
  ref: { types: "(dyn) string", call: formatReference, cost: () => READ_COST },
};

/** The spec of a pod: of a CronJob that of its jobs' pods, of other workloads that of their template. */
function findPodSpec(object: CelValue | undefined): CelValue | undefined {
  const spec = findMember(unwrapOptional(object), "spec");
  const template = findMember(findMember(findMember(spec, "jobTemplate"), "spec") ?? spec, "template");
  return template === undefined ? spec : findMember(template, "spec");
}

function selectPodSpec([object]: readonly CelValue[]): CelValue {
  const spec = findPodSpec(object);
  return spec === undefined ? OPTIONAL_NONE : buildOptional(spec);
}

/** Containers that somebody added to debug a running pod don't come back, and don't count. */
function listImages([object]: readonly CelValue[], meter: Meter): CelValue {
  const spec = findPodSpec(object);
  const containers = ["containers", "initContainers"].flatMap((name) => {
    const list = findMember(spec, name) ?? null;
    return isList(list) ? getListValues(list) : [];
  });
  countWork(meter, containers.length);
  countMemory(meter, 3 * BYTES.item * containers.length);
  return buildList(containers.flatMap((container) => findText(container, "image") ?? []));
}

/** What is read of an object is at most its containers. */
const COST = 10;

export const POD_FUNCTIONS: FunctionRows = {
  podSpec: { types: "(dyn) optional_type(dyn)", call: selectPodSpec, cost: () => COST },
  images: {
    types: "(dyn) list(string)",
    call: listImages,
    cost: (_, images, meter) => getTraversalCostOfAll(images, meter) + COST,
  },
};
