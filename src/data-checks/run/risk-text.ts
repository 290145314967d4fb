import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPatchCommand } from "../../model/commands.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { evaluateExpression, type CelValue, buildList } from "../../schema/cel/index.ts";
import { formatFixes } from "../affected-versions.ts";
import { COMMAND_NAMES, type Names, RISK_NAMES } from "../compile/names.ts";
import type { CompiledCommand, CompiledRisk } from "../compile/risks.ts";
import type { AffectedVersions, RiskDefinition } from "../definition.ts";
import { type Template, formatTemplate } from "../template.ts";
import { buildMap } from "./read-values.ts";
import { listGeneralValues, listUpdateValues } from "./update-values.ts";

/** The texts of a risk; `compile` is called when one is first needed. */
export function buildRiskText(
  definition: RiskDefinition,
  {
    versions,
    mostFindings,
  }: { readonly versions: readonly AffectedVersions[]; readonly mostFindings: number | undefined },
  compile: () => CompiledRisk,
): RiskText {
  const { name, effect, leadTime, title, url, published, liftedAs, example } = definition;
  // A finding has no empty details: without them, a command that asks for one would have no value and not be printed.
  const empty = definition.findings.flatMap(({ detail = {} }) => Object.keys(detail).map((key) => [key, ""] as const));
  const commands = (kind: "see" | "fix", finding: Finding, context: Context): readonly string[] => {
    const detail = { ...Object.fromEntries(empty), ...finding.detail };
    return compile()[kind].flatMap((command) => formatCommand(command, { ...finding, detail }, context));
  };
  return {
    name,
    effect,
    title,
    url,
    ...defined({ leadTime, example }),
    ...(published || liftedAs ? { knownAs: defined({ published, liftedAs }) } : {}),
    describe: (objects, context, findings) =>
      formatText(compile().message, definition.message, [
        ...listUpdateValues(context),
        ["fixes", formatFixes(versions, context)],
        ["objects", objects],
        [
          "details",
          buildList(findings.slice(0, mostFindings).map(({ detail = {} }) => buildMap(Object.entries(detail)))),
        ],
      ]),
    remediation: definition.remediation.includes("${")
      ? (context) =>
          formatText(compile().remediation, definition.remediation, [
            ...(context === undefined ? listGeneralValues() : listUpdateValues(context)),
            ["fixes", formatFixes(versions, context)],
          ])
      : definition.remediation,
    ...(definition.see === undefined
      ? {}
      : { see: (finding: Finding, context: Context) => commands("see", finding, context) }),
    ...(definition.fix === undefined
      ? {}
      : {
          fix: (finding: Finding, context: Context) => commands("fix", finding, context),
          fixKind: definition.fixKind,
        }),
  };
}

type Values = readonly (readonly [name: string, value: CelValue])[];

function fill(names: Names, values: Values): readonly CelValue[] {
  const known = new Map(values);
  return names.map(([name]) => known.get(name) ?? null);
}

/** The text as it is written if a value in it has none. `objects` may be long, and stands as it is. */
function formatText(template: Template, written: string, values: Values): string {
  const result = formatTemplate(template, fill(RISK_NAMES, values), "whole");
  return result.kind === "text" ? result.text : written;
}

function formatCommand(command: CompiledCommand, finding: Finding, context: Context): readonly string[] {
  const values = fill(COMMAND_NAMES, [
    ...listUpdateValues(context),
    ["object", toObject(finding.object)],
    ["path", finding.path ?? ""],
    ["detail", buildMap(Object.entries(finding.detail ?? {}))],
  ]);
  const { when } = command;
  const condition = when && evaluateExpression(when, values);
  if (condition !== undefined && !(condition.kind === "value" && condition.value === true)) return [];
  if (command.kind === "run") {
    const result = formatTemplate(command.run, values, "command");
    return result.kind === "text" ? [result.text] : [];
  }
  const { namespace, ...named } = { ...finding.object, ...command.object };
  const ref: ObjectRef = { ...named, ...(namespace ? { namespace } : {}) };
  return command.kind === "patch"
    ? [buildPatchCommand(context.platform, ref, command.patch)]
    : [buildObjectCommand(context.platform, command.kind, ref)];
}

function toObject({ apiVersion, kind, name, namespace }: ObjectRef): CelValue {
  const metadata = buildMap(Object.entries({ name, ...defined({ namespace }) }));
  return buildMap([
    ["apiVersion", apiVersion],
    ["kind", kind],
    ["metadata", metadata],
  ]);
}
