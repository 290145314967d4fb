import type { CompiledCheck } from "../../../data-checks/compile/compile.ts";
import type { CompiledRead } from "../../../data-checks/compile/reads.ts";
import type { AffectedVersions, CheckDefinition } from "../../../data-checks/format/definition.ts";
import { type ReadFields, type UsedFields, listNeededFields } from "../../../data-checks/compile/fields.ts";
import { formatMemberPath } from "../../../model/needed-fields.ts";
import type { Check } from "../../../model/check.ts";
import { formatGroupResource, formatResource, buildResourcePath } from "../../../model/resource.ts";
import { formatApplicability, formatPlatforms } from "../../checks/check-metadata.ts";
import { completeResults } from "../../../data-checks/build-check.ts";
import type { DocumentPlace } from "../../../data-checks/format/fault.ts";
import { formatCount } from "../../../model/text.ts";
import type { OutcomeKind } from "../../../model/report.ts";
import type { JudgedCheck } from "./explain.ts";
import { isOfCluster } from "../../../data-checks/run/reads.ts";
import { type ItemValue, type PartValue, type RuleValues, evaluateCheck, evaluateWhere } from "./rule-values.ts";

const COLUMNS = 12;
const INDENT = "  ";

/** What a check is about, reads and needs, whatever a cluster holds. */
export function formatDefinition(check: Check, { spec }: CheckDefinition, { reads, fields }: CompiledCheck): string {
  const lines = [
    `${check.id}: ${check.title}`,
    "",
    formatRow("Updates", formatApplicability(check)),
    formatRow("Platforms", formatPlatforms(check)),
    ...(spec.applies.versions ?? []).map((one) => formatRow("Releases", formatVersions(one))),
    ...(spec.applies.knownUpTo === undefined ? [] : [formatRow("Known to", spec.applies.knownUpTo)]),
    "",
    "Reads, and the fields of each object that are kept:",
    ...reads.flatMap((read) => formatRead(read, fields.get(read.key))),
    "",
    "Rights:",
    ...[...new Set(reads.filter(isOfCluster).map(formatRight))].toSorted().map((right) => `${INDENT}${right}`),
  ];
  return `${lines.join("\n")}\n`;
}

function formatRow(label: string, text: string): string {
  return `${`${label}:`.padEnd(COLUMNS)}${text}`;
}

function formatVersions({ first, last, sources = [], fixedIn }: AffectedVersions): string {
  const from = sources.map((range) => {
    const parts = [
      ...(range.from === undefined ? [] : [`from ${range.from}`]),
      ...(range.before === undefined ? [] : [`before ${range.before}`]),
    ];
    return parts.join(" ");
  });
  const updates = from.length === 0 ? "" : `, updated ${from.join(" or ")}`;
  return `${first} to ${last}${updates}${fixedIn === undefined ? "" : ` (fixed in ${fixedIn})`}`;
}

function formatRead({ key, definition, resource }: CompiledRead, fields: ReadFields | undefined): readonly string[] {
  const { list, name, when, where, index = {} } = definition;
  const what =
    list === undefined ? `get ${formatResource(resource)} ${name ?? ""}` : `list ${formatResource(resource)}`;
  const place = definition.of === "target" ? " of the target's manifests" : "";
  const conditions = [
    ...(when === undefined ? [] : [`if ${toOneLine(when)}`]),
    ...(where === undefined ? [] : [`where ${toOneLine(where)}`]),
    ...Object.entries(index).map(([own, text]) => `by ${own}: ${toOneLine(text)}`),
  ];
  const kept = fields === undefined ? [] : listFields(fields.kept).filter((path) => !REFERENCE.has(path));
  return [
    `${INDENT}${key.replace(/^@/, "cluster: ")}: ${what}${place}`,
    ...conditions.map((line) => `${INDENT.repeat(2)}${line}`),
    `${INDENT.repeat(2)}keeps ${kept.join(", ") || "its name"}`,
  ];
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What names an object is kept of each. */
const REFERENCE = new Set(["apiVersion", "kind", "metadata.name", "metadata.namespace"]);

function listFields(fields: UsedFields): readonly string[] {
  return listNeededFields(fields).map(({ path }) => (path.length === 0 ? "the whole object" : formatMemberPath(path)));
}

function formatRight({ definition, resource }: CompiledRead): string {
  const kind = formatGroupResource(resource);
  return definition.list === undefined ? `get ${kind} ${definition.name ?? ""}` : `list ${kind}`;
}

/** Of a rule without --object; those for which it is true come first. */
const MAX_ITEMS = 10;

const OUTCOMES: Readonly<Record<OutcomeKind, string>> = {
  risk: "risk",
  clear: "clear",
  unknown: "unknown",
  notApplicable: "not applicable",
};

/** What a check says of a cluster, and why. `object`: the only one that is shown. */
export function formatValues(
  judged: JudgedCheck,
  definition: CheckDefinition,
  check: CompiledCheck,
  object: string | undefined,
): string {
  const { outcome, source, target, reads, input } = judged;
  const reason = outcome.kind === "notApplicable" ? `: ${outcome.reason}` : "";
  const unknowns = outcome.kind === "unknown" ? outcome.unknowns : [];
  const lines = [
    `Update from ${source} to ${target}: ${OUTCOMES[outcome.kind]}${reason}`,
    ...unknowns.map(({ where, message }) => `${INDENT}${where}: ${message}`),
    ...reads.map(({ path, stats }) => `${INDENT}${path}: ${formatStats(stats)}`),
    ...(object === undefined ? [] : formatConditions(judged, check, object)),
  ];
  if (input === undefined) return `${lines.join("\n")}\n`;
  const results = completeResults(check, input.context, input.given, { id: definition.metadata.name });
  const values = evaluateCheck(check, { context: input.context, results }, (place) => findText(definition, place));
  const rules = values.rules.flatMap((rule) => formatRule(rule, object));
  return `${[
    ...lines,
    ...(values.variables.length === 0 ? [] : ["", "Variables:"]),
    ...values.variables.flatMap((value) => formatPart(value, 1)),
    "",
    "Rules:",
    ...rules,
    "",
    `Cost: ${values.cost} units of ${values.limit}`,
  ].join("\n")}\n`;
}

/** Whether lists keep the object, and why. */
function formatConditions({ seen }: JudgedCheck, { reads }: CompiledCheck, object: string): readonly string[] {
  if ([...seen.values()].every((objects) => objects.length === 0))
    return ["", `No list that was read has an object ${object}.`];
  const lines = reads.flatMap(({ key, resource, where, definition }) => {
    if (where === undefined || definition.where === undefined) return [];
    const code = where;
    const text = definition.where;
    return (seen.get(buildResourcePath(resource)) ?? []).flatMap((one) => {
      const item = evaluateWhere(code, text, one);
      return [`${INDENT}${key}: ${item.object} is ${isTrue(item) ? "kept" : "not kept"}`, ...formatPart(item.whole, 2)];
    });
  });
  return lines.length === 0 ? [] : ["", "Reads:", ...lines];
}

function formatStats(stats: JudgedCheck["reads"][number]["stats"]): string {
  if (stats === undefined) return "not read";
  return stats.outcome === "found" ? formatCount(stats.objects, "object") : stats.outcome;
}

/** The text at a place of a check's document. */
function findText(definition: CheckDefinition, place: DocumentPlace): string {
  const found = place.reduce<unknown>(
    (here, step) => (typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined),
    definition,
  );
  return typeof found === "string" ? found : "";
}

function formatRule({ place, risk, items, problem }: RuleValues, object: string | undefined): readonly string[] {
  const name = `${INDENT}${place}${risk === undefined ? "" : ` (${risk})`}`;
  const [only] = items;
  if (only?.object === "") return [`${name}: ${only.whole.value}`, ...formatWhole(only, 2)];
  const chosen = items.filter((item) => object === undefined || isNamed(item.object, object));
  const sorted = [...chosen.filter(isTrue), ...chosen.filter((item) => !isTrue(item))];
  const shown = object === undefined ? sorted.slice(0, MAX_ITEMS) : sorted;
  const left = sorted.length - shown.length;
  return [
    `${name}: ${problem ?? `true for ${chosen.filter(isTrue).length} of ${chosen.length}`}`,
    ...shown.flatMap(formatItem),
    ...(left > 0 ? [`${INDENT.repeat(2)}and ${left} more: name one with --object`] : []),
  ];
}

function isTrue({ whole }: ItemValue): boolean {
  return whole.value === "true";
}

function formatItem({ object, whole }: ItemValue): readonly string[] {
  return [`${INDENT.repeat(2)}${object}: ${whole.value}`, ...formatWhole({ whole }, 3)];
}

/** A rule without a condition has none to show. */
function formatWhole({ whole }: Pick<ItemValue, "whole">, depth: number): readonly string[] {
  return whole.text === "" ? [] : formatPart(whole, depth);
}

function formatPart({ text, value, parts }: PartValue, depth: number): readonly string[] {
  return [`${INDENT.repeat(depth)}${text} = ${value}`, ...parts.flatMap((part) => formatPart(part, depth + 1))];
}

/** Whether a reference such as "Widget shop/a" is what somebody means by "shop/a", "a" or "widget shop/a". */
export function isNamed(ref: string, given: string): boolean {
  const whole = ref.toLowerCase();
  const wanted = given.toLowerCase();
  return whole === wanted || whole.endsWith(` ${wanted}`) || whole.endsWith(`/${wanted}`);
}
