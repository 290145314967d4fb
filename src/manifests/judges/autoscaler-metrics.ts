import { type Json, type JsonObject, at, findOwn, isObject, listAt, textAt } from "../../model/json.ts";
import type { ManifestEdit } from "../../model/manifest.ts";

/** The field of a metric that its type names, and what makes it the same field of v2; undefined if it has another form. */
type MetricForm = { readonly field: string; readonly convert: (source: JsonObject) => JsonObject | undefined };

const FORMS: Readonly<Record<string, MetricForm>> = {
  ContainerResource: { field: "containerResource", convert: convertResource },
  External: { field: "external", convert: convertExternal },
  Object: { field: "object", convert: convertObject },
  Pods: { field: "pods", convert: convertPods },
  Resource: { field: "resource", convert: convertResource },
};

/** What makes the metrics of autoscaling/v2beta1 those of v2; undefined if one has another form than v2beta1 gave it. */
export function listMetricEdits(object: JsonObject): readonly ManifestEdit[] | undefined {
  // It has metrics in the old form, too, and nobody writes it.
  if (object["status"] !== undefined) return undefined;
  const edits: ManifestEdit[] = [];
  for (const [i, metric] of listAt(object, "spec", "metrics").entries()) {
    const form = findOwn(FORMS, textAt(metric, "type") ?? "");
    const source = form && at(metric, form.field);
    const value = isObject(source) ? form?.convert(source) : undefined;
    if (form === undefined || value === undefined) return undefined;
    edits.push({ kind: "set", path: ["spec", "metrics", i, form.field], value });
  }
  return edits;
}

function convertResource({
  targetAverageUtilization,
  targetAverageValue,
  ...others
}: JsonObject): JsonObject | undefined {
  const target = pickTarget({
    Utilization: ["averageUtilization", targetAverageUtilization],
    AverageValue: ["averageValue", targetAverageValue],
  });
  return target && finish(others, ["name", "container"], { target });
}

function convertPods({ metricName, selector, targetAverageValue, ...others }: JsonObject): JsonObject | undefined {
  const target = pickTarget({ AverageValue: ["averageValue", targetAverageValue] });
  return target && finish(others, [], { metric: buildMetric(metricName, selector), target });
}

/** What v2beta1 does with an averageValue beside its targetValue, which it requires, is no target of v2. */
function convertObject({ target, metricName, selector, targetValue, ...others }: JsonObject): JsonObject | undefined {
  const converted = pickTarget({ Value: ["value", targetValue] });
  if (converted === undefined || !isObject(target)) return undefined;
  return finish(others, [], { describedObject: target, metric: buildMetric(metricName, selector), target: converted });
}

function convertExternal(source: JsonObject): JsonObject | undefined {
  const { metricName, metricSelector, targetValue, targetAverageValue, ...others } = source;
  const target = pickTarget({ Value: ["value", targetValue], AverageValue: ["averageValue", targetAverageValue] });
  return target && finish(others, [], { metric: buildMetric(metricName, metricSelector), target });
}

function buildMetric(name: Json | undefined, selector: Json | undefined): JsonObject {
  return { ...(name !== undefined && { name }), ...(selector !== undefined && { selector }) };
}

/** An API server refuses a metric with no target or with two. */
function pickTarget(
  choices: Readonly<Record<string, readonly [field: string, value: Json | undefined]>>,
): JsonObject | undefined {
  const given = Object.entries(choices).flatMap(([type, [field, value]]) =>
    value === undefined ? [] : [{ type, [field]: value }],
  );
  return given.length === 1 ? given[0] : undefined;
}

/** `kept`: the fields that both versions have. Any other is no field of v2beta1. */
function finish(others: JsonObject, kept: readonly string[], converted: JsonObject): JsonObject | undefined {
  return Object.keys(others).every((field) => kept.includes(field)) ? { ...others, ...converted } : undefined;
}
