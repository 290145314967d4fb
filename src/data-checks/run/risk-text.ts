import { type Context, type Finding, type RiskText, getRemediation } from "../../model/check.ts";
import { type FixKind, type OptionalFix, buildObjectCommand, getFixKind } from "../../model/commands.ts";
import { type ObjectRef, buildRefKey } from "../../model/resource.ts";
import type { Platform } from "../../model/version.ts";
import { type CelValue, buildList } from "../../schema/cel/index.ts";
import { type AffectedVersions, type RiskDefinition, type RiskTexts, formatFixes } from "../format/definition.ts";
import { COMMAND_NAMES, type Names, RISK_NAMES } from "../compile/names.ts";
import { type CompiledCommand, deriveFixKind } from "../compile/commands.ts";
import { pickWorst } from "../../model/fix-kind.ts";
import type { CompiledRisk, CompiledTexts, ComputedNames } from "../compile/rules.ts";
import { type IsNameable, formatCommand } from "./commands.ts";
import { type CheckBudget, createBudget, formatWithin } from "./limits.ts";
import type { Template } from "../compile/template.ts";
import { buildMap } from "../functions/values.ts";
import { listGeneralValues, listUpdateValues } from "./values.ts";

/** What TypeScript computes for a risk's texts, by the names that they use. Without a context a remediation is in its general form. */
export type ComputedValues = {
  readonly message?: Readonly<Record<string, (findings: readonly Finding[], context: Context) => string>>;
  readonly remediation?: Readonly<Record<string, (context?: Context, findings?: readonly Finding[]) => string>>;
};

export function listComputedNames({ message = {}, remediation = {} }: ComputedValues): ComputedNames {
  return { message: Object.keys(message), remediation: Object.keys(remediation) };
}

/** What decides a risk's texts besides what they say. */
type TextSources = {
  readonly versions?: readonly AffectedVersions[];
  /** The platform whose minors `ordinal` counts. */
  readonly ordinals?: Platform;
  readonly mostFindings?: number | undefined;
  readonly computed?: ComputedValues;
  /** What the texts of an update may take together. */
  readonly findBudget?: (context: Context) => CheckBudget;
  /** Set if commands may be for some objects only. */
  readonly isNameable?: IsNameable | undefined;
  /** What the author says that commands do at worst holds; otherwise only if it is worse than what follows from them. */
  readonly isOwn?: boolean;
};

function openBudget(): CheckBudget {
  return createBudget();
}

type RuledTexts = RiskTexts & Partial<RiskDefinition>;

const SHOW: CompiledCommand = { when: undefined, kind: "form", form: { get: {} }, texts: new Map() };

/** The texts of a risk; `compile` is called when one is first needed. */
export function buildRiskText(definition: RuledTexts, compile: () => CompiledRisk, sources: TextSources): RiskText {
  const texts = buildTexts(definition, compile, sources);
  const { hosted } = definition;
  if (hosted === undefined) return texts;
  const ofHosted = buildTexts({ ...definition, ...hosted }, () => compile().hosted, sources);
  const pick = (context: Context | undefined): RiskText => (context?.isHosted === true ? ofHosted : texts);
  return {
    ...texts,
    describe: (objects, context, findings) => pick(context).describe(objects, context, findings),
    remediation: (context, findings) => getRemediation(pick(context), context, findings),
    getHostedRemedy: hosted.remediation === undefined ? undefined : () => getRemediation(ofHosted),
    ...pickCommands(texts, ofHosted),
  };
}

function pickCommands(texts: RiskText, ofHosted: RiskText): Pick<RiskText, "see"> & OptionalFix<Finding, Context> {
  const see = (finding: Finding, context: Context) =>
    (context.isHosted ? ofHosted : texts).see?.(finding, context) ?? [
      buildObjectCommand(context.platform, "get", finding.object),
    ];
  const fixes = [texts, ofHosted].flatMap(({ fix, fixKind }) => (fix === undefined ? [] : [{ fix, fixKind }]));
  if (fixes.length === 0) return { see };
  return {
    see,
    fix: (finding, context) => (context.isHosted ? ofHosted : texts).fix?.(finding, context) ?? [],
    fixKind: (finding) => pickWorst(fixes.map(({ fixKind }) => getFixKind(fixKind, finding))),
  };
}

function buildTexts(
  definition: RuledTexts,
  compile: () => CompiledTexts,
  {
    versions = [],
    ordinals = "openshift",
    mostFindings,
    computed = {},
    findBudget = openBudget,
    isNameable,
    isOwn = true,
  }: TextSources,
): RiskText {
  const { name, effect, leadTime, title, url, published, liftedAs, example } = definition;
  const { message = {}, remediation = {} } = computed;
  const listFixes = (context?: Context) => ["fixes", formatFixes(versions, context)] as const;
  const remedy = (context?: Context, findings?: readonly Finding[]): string =>
    formatText(
      "remediation",
      compile().remediation,
      definition.remediation,
      [...(context ? listUpdateValues(context, ordinals) : listGeneralValues()), listFixes(context)],
      Object.values(remediation).map((compute) => compute(context, findings)),
      context ? findBudget(context) : openBudget(),
    );
  return {
    name,
    effect,
    title,
    url,
    leadTime,
    example,
    knownAs: published || liftedAs ? { published, liftedAs } : undefined,
    describe(objects, context, findings) {
      const template = compile().message;
      const found = { findings, most: mostFindings };
      return formatText(
        "message",
        template,
        definition.message,
        [...listUpdateValues(context, ordinals), listFixes(context), ...listFindingValues(template, objects, found)],
        Object.values(message).map((compute) => compute(findings, context)),
        findBudget(context),
      );
    },
    remediation: definition.remediation.includes("${") ? remedy : definition.remediation,
    ...buildCommands(definition, compile, { ordinals, findBudget, isNameable, isOwn }),
  };
}

type CommandSources = Pick<TextSources, "isNameable" | "isOwn"> &
  Required<Pick<TextSources, "ordinals" | "findBudget">>;

function buildCommands(
  { findings = [], see, fix, fixKind }: RuledTexts,
  compile: () => CompiledTexts,
  { ordinals, findBudget, isNameable, isOwn }: CommandSources,
): Pick<RiskText, "see"> & OptionalFix<Finding, Context> {
  // A finding has no empty details: without them, a command that asks for one would have no value and not be printed.
  const empty = findings.flatMap(({ detail = {} }) => Object.keys(detail).map((key) => [key, ""] as const));
  const format = (kind: "see" | "fix") => (finding: Finding, context: Context) => {
    const detail = { ...Object.fromEntries(empty), ...finding.detail };
    const values = listCommandValues({ ...finding, detail }, listUpdateValues(context, ordinals));
    const frame = { context, isNameable, budget: findBudget(context) };
    return compile()[kind].flatMap((command) => formatCommand(command, finding, values, frame));
  };
  const show = (finding: Finding, context: Context) =>
    formatCommand(SHOW, finding, [], { context, isNameable, budget: findBudget(context) });
  const shown = { see: see === undefined ? isNameable && show : format("see") };
  if (fix === undefined) return shown;
  const derive = ({ object }: Finding): FixKind => pickWorst([deriveFixKind(fix, object.kind), fixKind ?? "safe"]);
  return { ...shown, fix: format("fix"), fixKind: isOwn === true && fixKind !== undefined ? fixKind : derive };
}

/** Only those that the template uses, since there may be very many findings. */
function listFindingValues(
  { names }: Template,
  objects: string,
  { findings, most }: { readonly findings: readonly Finding[]; readonly most: number | undefined },
): Values {
  return [
    ["objects", objects],
    ["objectCount", names.has("objectCount") ? countObjects(findings) : null],
    ["details", names.has("details") ? listDetails(findings.slice(0, most)) : null],
  ];
}

function countObjects(findings: readonly Finding[]): CelValue {
  return BigInt(new Set(findings.map(({ object }) => buildRefKey(object))).size);
}

function listDetails(findings: readonly Finding[]): CelValue {
  return buildList(findings.map(({ detail = {} }) => buildMap(Object.entries(detail))));
}

type Values = readonly (readonly [name: string, value: CelValue])[];

function fill(names: Names, values: Values): readonly CelValue[] {
  const known = new Map(values);
  return names.map(([name]) => known.get(name) ?? null);
}

/** The text as it is written if a value in it has none. `objects` may be long, and stands as it is. */
function formatText(
  field: keyof typeof RISK_NAMES,
  template: Template,
  written: string,
  values: Values,
  computed: readonly string[],
  budget: CheckBudget,
): string {
  const all = [...fill(RISK_NAMES[field], values), ...computed];
  const result = formatWithin(template, all, "whole", budget);
  return result.kind === "text" ? result.text : written;
}

function listCommandValues({ object, path, detail }: Finding, update: Values): readonly CelValue[] {
  return fill(COMMAND_NAMES, [
    ...update,
    ["object", toObject(object)],
    ["path", path ?? ""],
    ["detail", buildMap(Object.entries(detail ?? {}))],
  ]);
}

function toObject({ apiVersion, kind, name, namespace }: ObjectRef): CelValue {
  const metadata = buildMap(Object.entries(namespace === undefined ? { name } : { name, namespace }));
  return buildMap([
    ["apiVersion", apiVersion],
    ["kind", kind],
    ["metadata", metadata],
  ]);
}
