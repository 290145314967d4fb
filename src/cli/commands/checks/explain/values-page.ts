import { completeResults } from "../../../../data-checks/build-check.ts";
import type { CompiledCheck } from "../../../../data-checks/compile/compile.ts";
import type { CheckDefinition } from "../../../../data-checks/definition.ts";
import type { DocumentPlace } from "../../../../data-checks/fault.ts";
import { formatCount } from "../../../../model/count.ts";
import type { OutcomeKind } from "../../../../model/report.ts";
import type { JudgedCheck } from "./judged-check.ts";
import { type ItemValue, type PartValue, type RuleValues, evaluateCheck } from "./rule-values.ts";

const INDENT = "  ";
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
  { outcome, source, target, reads, input }: JudgedCheck,
  definition: CheckDefinition,
  check: CompiledCheck,
  object: string | undefined,
): string {
  const reason = outcome.kind === "notApplicable" ? `: ${outcome.reason}` : "";
  const unknowns = outcome.kind === "unknown" ? outcome.unknowns : [];
  const lines = [
    `Update from ${source} to ${target}: ${OUTCOMES[outcome.kind]}${reason}`,
    ...unknowns.map(({ where, message }) => `${INDENT}${where}: ${message}`),
    ...reads.map(({ path, stats }) => `${INDENT}${path}: ${formatStats(stats)}`),
  ];
  if (input === undefined) return `${lines.join("\n")}\n`;
  const results = completeResults(check, input.context, input.given);
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
    `Cost: ${values.cost} units of 50000000`,
  ].join("\n")}\n`;
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
  const chosen = items.filter((item) => object === undefined || item.object === "" || isNamed(item, object));
  const sorted = [...chosen.filter(isTrue), ...chosen.filter((item) => !isTrue(item))];
  const shown = object === undefined ? sorted.slice(0, MAX_ITEMS) : sorted;
  const left = sorted.length - shown.length;
  return [
    `${INDENT}${place}${risk === undefined ? "" : ` (${risk})`}: ${problem ?? `true for ${chosen.filter(isTrue).length} of ${chosen.length}`}`,
    ...shown.flatMap(formatItem),
    ...(left > 0 ? [`${INDENT.repeat(2)}and ${left} more: name one with --object`] : []),
  ];
}

function isTrue({ whole }: ItemValue): boolean {
  return whole.value === "true";
}

/** "shop/a", "a" and "Widget shop/a" name the same object. */
function isNamed({ object }: ItemValue, given: string): boolean {
  const [whole, wanted] = [object.toLowerCase(), given.toLowerCase()];
  return whole === wanted || whole.endsWith(` ${wanted}`) || whole.endsWith(`/${wanted}`);
}

function formatItem({ object, whole }: ItemValue): readonly string[] {
  const head = `${INDENT.repeat(2)}${object === "" ? "" : `${object}: `}${whole.value}`;
  return [head, ...(whole.text === "" ? [] : formatPart(whole, 3))];
}

function formatPart({ text, value, parts }: PartValue, depth: number): readonly string[] {
  return [`${INDENT.repeat(depth)}${text} = ${value}`, ...parts.flatMap((part) => formatPart(part, depth + 1))];
}
