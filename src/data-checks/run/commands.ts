import type { Context, Finding } from "../../model/check.ts";
import { type CommandForm, buildCommand } from "../../model/commands.ts";
import { type Json, isObject, isList as isJsonList, toJsonNumber } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isVisibleLine } from "../../model/visible-text.ts";
import { type CelValue, getListValues, isList, unwrapOptional } from "../../schema/cel/index.ts";
import { type CompiledCommand, PLAIN_VERBS, getCommandObject } from "../compile/commands.ts";
import type { Template } from "../compile/template.ts";
import { type CheckBudget, evaluateWithin, formatWithin } from "./limits.ts";

/** Whether a command with this verb may be for this object. */
export type IsNameable = (ref: ObjectRef, verb: CommandForm["kind"]) => boolean;

/** What decides on a command besides its values. */
type CommandFrame = {
  readonly context: Context;
  readonly isNameable: IsNameable | undefined;
  readonly budget: CheckBudget;
};

/** The command for a finding; none if its condition is not true, or if a value in it can't be written exactly. */
export function formatCommand(
  command: CompiledCommand,
  { object }: Finding,
  values: readonly CelValue[],
  { context, isNameable, budget }: CommandFrame,
): readonly string[] {
  const { when } = command;
  const condition = when && evaluateWithin(when, values, budget);
  if (condition !== undefined && !(condition.kind === "value" && condition.value === true)) return [];
  if (command.kind === "run") {
    const result = formatWithin(command.run, values, "command", budget);
    return result.kind === "text" ? [result.text] : [];
  }
  const { namespace, ...named } = { ...object, ...getCommandObject(command.form) };
  const ref: ObjectRef = { ...named, ...(namespace ? { namespace } : {}) };
  const form = fillForm(command, values, budget);
  if (form === undefined || isNameable?.(ref, form.kind) === false) return [];
  return [buildCommand(context.platform, ref, form)].filter(isVisibleLine);
}

function fillForm(
  { form, texts }: Extract<CompiledCommand, { kind: "form" }>,
  values: readonly CelValue[],
  budget: CheckBudget,
): CommandForm | undefined {
  const filled = new Map([...texts].map(([text, template]) => [text, evaluateText(template, values, budget)]));
  if ([...filled.values()].includes(undefined)) return undefined;
  const { patch, label, annotate, scale } = form;
  if (patch !== undefined) {
    const { object: _, ...written } = patch;
    const whole = fillValue(written, filled);
    return isObject(whole) ? { kind: "patch", patch: whole } : undefined;
  }
  if (label !== undefined) return buildChanges("label", fillValue(label.labels, filled));
  if (annotate !== undefined) return buildChanges("annotate", fillValue(annotate.annotations, filled));
  if (scale !== undefined) {
    const replicas = toText(fillValue(scale.replicas, filled));
    return replicas !== undefined && NUMBER.test(replicas) ? { kind: "scale", replicas } : undefined;
  }
  const verb = PLAIN_VERBS.find((one) => form[one] !== undefined);
  return verb && { kind: verb };
}

function fillValue(value: Json, filled: ReadonlyMap<string, Json | undefined>): Json {
  if (typeof value === "string") return filled.get(value) ?? value;
  if (isJsonList(value)) return value.map((item) => fillValue(item, filled));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillValue(member, filled)]));
}

/** What the administrator chooses is allowed in the place of each. */
const NUMBER = /^(?:\d{1,7}|<[a-z][a-z0-9-]*>)$/;
const LABEL = /^(?:(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?|<[a-z][a-z0-9-]*>)$/;

function toText(value: Json): string | undefined {
  return isObject(value) || isJsonList(value) ? undefined : String(value);
}

function buildChanges(kind: "label" | "annotate", changes: Json): CommandForm | undefined {
  const values: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(isObject(changes) ? changes : {})) {
    const text = value === null ? null : toText(value);
    if (text === undefined || (kind === "label" && !LABEL.test(text ?? ""))) return undefined;
    values[key] = text;
  }
  return { kind, values };
}

/** The value itself of a text that is nothing but one expression. */
function evaluateText(template: Template, values: readonly CelValue[], budget: CheckBudget): Json | undefined {
  const [part, ...more] = template.parts;
  if (part === undefined || typeof part === "string" || more.length > 0) {
    const result = formatWithin(template, values, "exact", budget);
    return result.kind === "text" && isVisibleLine(result.text) ? result.text : undefined;
  }
  const result = evaluateWithin(part, values, budget);
  return result.kind === "value" ? toPatchValue(result.value) : undefined;
}

function toPatchValue(value: CelValue): Json | undefined {
  const plain = unwrapOptional(value) ?? null;
  if (typeof plain === "string") return isVisibleLine(plain) ? plain : undefined;
  if (typeof plain === "bigint") return toJsonNumber(plain);
  if (!isList(plain)) return plain === null || typeof plain === "object" ? undefined : plain;
  const items = getListValues(plain).flatMap((item) => toPatchValue(item) ?? []);
  return items.length < getListValues(plain).length ? undefined : items;
}
