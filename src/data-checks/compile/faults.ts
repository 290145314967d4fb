import type { CheckDefinition, CommandRule, RiskDefinition, RiskTexts } from "../format/definition.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { listRuleNames } from "./names.ts";
import { findClosingBrace } from "../../schema/cel/index.ts";
import { findNearestName } from "../../model/text.ts";

type Spec = CheckDefinition["spec"];
type Declared = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly at: Pick<PlacedFault, "place" | "isKey">;
};

function listDeclared({ reads = {}, variables = [] }: Spec): readonly Declared[] {
  return [
    ...Object.entries(reads).map(([name, { required = false }]) => ({
      name,
      isRequired: required,
      at: { place: ["spec", "reads", name], isKey: true as const },
    })),
    ...variables.map(({ name }, i) => ({ name, isRequired: false, at: { place: ["spec", "variables", i, "name"] } })),
  ];
}

/** Names that stand for a value in expressions. YAML takes y, on and yes for true, and n, off and no for false. */
const VALUE_NAMES = new Set(["true", "false", "null"]);

export function findValueNames(spec: Spec): readonly PlacedFault[] {
  const indexes = Object.entries(spec.reads ?? {}).flatMap(([key, { index = {} }]) =>
    Object.keys(index).map((name) => ({ name, place: ["spec", "reads", key, "index", name] })),
  );
  const details = (spec.risks ?? []).flatMap(({ findings }, i) =>
    findings.flatMap(({ detail = {} }, k) =>
      Object.keys(detail).map((name) => ({ name, place: ["spec", "risks", i, "findings", k, "detail", name] })),
    ),
  );
  const inner = [...indexes, ...details].map(({ name, place }) => ({ name, at: { place, isKey: true as const } }));
  return [...listDeclared(spec), ...inner].flatMap(({ name, at }): readonly PlacedFault[] => {
    if (!VALUE_NAMES.has(name)) return [];
    const message = `YAML takes this name for ${name}`;
    return [{ ...at, severity: "error", message, hint: "put it in quotes, or use a longer name" }];
  });
}

/** Two values under one name. */
export function findRepeatedNames(spec: Spec): readonly PlacedFault[] {
  const seen = new Set<string>();
  return listDeclared(spec).flatMap(({ name, at }): readonly PlacedFault[] => {
    const isRepeated = seen.has(name);
    seen.add(name);
    const message = `there is already a read or a variable called ${name}`;
    return isRepeated ? [{ ...at, severity: "error", message, hint: "use another name" }] : [];
  });
}

/** `named`: what expressions use. */
export function findNameWarnings(spec: Spec, named: ReadonlySet<string>): readonly PlacedFault[] {
  const ours = new Set(["object", ...listRuleNames({}).map(([name]) => name)]);
  return listDeclared(spec).flatMap(({ name, isRequired, at }): readonly PlacedFault[] => {
    const hiding = `${name} hides what preflight calls so`;
    const hidden = ours.has(name)
      ? [{ ...at, severity: "warning" as const, message: hiding, hint: "use another name" }]
      : [];
    const unused = `nothing uses ${name}`;
    return named.has(name) || isRequired
      ? hidden
      : [...hidden, { ...at, severity: "warning", message: unused, hint: "leave it out" }];
  });
}

/** What is wrong with the words of a risk's commands. Which details there are is known only where rules find the risk. */
export function findCommandFaults(
  risk: RiskTexts & Partial<RiskDefinition>,
  place: DocumentPlace,
): readonly PlacedFault[] {
  const { findings } = risk;
  const details = findings && new Set(findings.flatMap(({ detail = {} }) => Object.keys(detail)));
  const faults = (["see", "fix"] as const).flatMap((list) =>
    (risk[list] ?? []).flatMap((command, i) => findFaults(command, [...place, list, i], details)),
  );
  return [...faults, ...findHarm(risk, place)];
}

/** An object that is gone can't be brought back by a command. */
function findHarm({ fix = [], fixKind }: RiskTexts, place: DocumentPlace): readonly PlacedFault[] {
  if (fixKind !== "safe" || fix.every((command) => command.delete === undefined)) return [];
  const message = "this fix deletes an object, so it is not safe";
  return [{ severity: "warning", place: [...place, "fixKind"], message, hint: "write disruptive or weakening" }];
}

function findFaults(
  { when, run }: CommandRule,
  place: DocumentPlace,
  details: ReadonlySet<string> | undefined,
): readonly PlacedFault[] {
  const unknown = (field: string, text: string | undefined): readonly PlacedFault[] =>
    text === undefined || details === undefined ? [] : findUnknownDetails(text, [...place, field], details);
  return [
    ...unknown("when", when),
    ...unknown("run", run),
    ...(run === undefined ? [] : findShellFaults(run, [...place, "run"])),
  ];
}

/** A command whose detail no finding has is never printed. */
function findUnknownDetails(text: string, place: DocumentPlace, details: ReadonlySet<string>): readonly PlacedFault[] {
  const named = [...text.matchAll(/(?<![\w.])detail\.\??([A-Za-z_]\w*)/g)];
  return named.flatMap(({ 0: whole, 1: name = "", index }): readonly PlacedFault[] => {
    if (details.has(name)) return [];
    const end = index + whole.length;
    const nearest = findNearestName(name, [...details]);
    const hint = nearest === undefined ? "add it to the finding's detail" : `did you mean ${nearest}?`;
    const message = `no finding of this risk has the detail ${name}`;
    return [{ severity: "error", place, message, hint, span: { start: end - name.length, end } }];
  });
}

function findShellFaults(run: string, place: DocumentPlace): readonly PlacedFault[] {
  const found = findShellFault(run);
  if (found === undefined) return [];
  const { at, length, message, hint } = found;
  return [{ severity: "error", place, message, hint, span: { start: at, end: at + length } }];
}

type ShellFault = { readonly at: number; readonly length: number; readonly message: string; readonly hint: string };

/** What a shell runs besides the command, or takes for the end of a value. */
function findShellFault(run: string): ShellFault | undefined {
  let quote: { readonly mark: string; readonly at: number } | undefined;
  for (let at = 0; at < run.length; at = skipPart(run, at, quote?.mark)) {
    const [mark = ""] = run.slice(at);
    if (isValue(run, at) && quote !== undefined) return buildQuotedValue(at);
    if (isOperator(run, at, quote?.mark)) return buildOperator(at, run);
    if (mark === quote?.mark) quote = undefined;
    else if (quote === undefined && /["']/.test(mark)) quote = { mark, at };
  }
  return quote && { at: quote.at, length: 1, message: "this quote is not closed", hint: `add ${quote.mark}` };
}

function isValue(run: string, at: number): boolean {
  return run.startsWith("${", at) && run[at - 1] !== "$";
}

const PLACEHOLDER = /<[a-z][a-z0-9-]*>/y;

/** Where the next part begins: after a value, an escaped character, a placeholder, or one character. */
function skipPart(run: string, at: number, quote: string | undefined): number {
  if (isValue(run, at)) return (findClosingBrace(run, at + 2) ?? run.length) + 1;
  if (run[at] === "\\" && quote !== "'") return at + 2;
  PLACEHOLDER.lastIndex = at;
  return PLACEHOLDER.test(run) ? PLACEHOLDER.lastIndex : at + 1;
}

function isOperator(run: string, at: number, quote: string | undefined): boolean {
  if (quote === "'") return false;
  if (run[at] === "`" || run.startsWith("$(", at)) return true;
  PLACEHOLDER.lastIndex = at;
  return quote === undefined && /[|;&<>\n]/.test(run[at] ?? "") && !PLACEHOLDER.test(run);
}

function buildOperator(at: number, run: string): ShellFault {
  const message = "a command to copy is one command, without pipes, redirection or substitution";
  return { at, length: run[at] === "$" ? 2 : 1, message, hint: "write a command for each step" };
}

/** Its own quotes would end those around it. */
function buildQuotedValue(at: number): ShellFault {
  return { at, length: 2, message: "a value is quoted already", hint: "leave out the quotes around it" };
}
