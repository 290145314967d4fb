import type { CheckDefinition, CommandRule, RiskDefinition } from "../format/definition.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { listRuleNames } from "./names.ts";
import { findNearestName } from "../../model/text.ts";
import { listTemplates } from "./commands.ts";
import { findShellFault } from "./shell-words.ts";

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
  risk: Pick<Partial<RiskDefinition>, "see" | "fix" | "findings">,
  place: DocumentPlace,
): readonly PlacedFault[] {
  const { findings } = risk;
  const details = findings && new Set(findings.flatMap(({ detail = {} }) => Object.keys(detail)));
  return (["see", "fix"] as const).flatMap((list) =>
    (risk[list] ?? []).flatMap((command, i) => findFaults(command, [...place, list, i], details)),
  );
}

function findFaults(
  command: CommandRule,
  place: DocumentPlace,
  details: ReadonlySet<string> | undefined,
): readonly PlacedFault[] {
  const { when = "", run = "", ...forms } = command;
  const texts = [{ text: when, place: [...place, "when"] }, ...listTemplates({ ...forms, run }, place)];
  const unknown = details === undefined ? [] : texts.flatMap((one) => findUnknownDetails(one.text, one.place, details));
  const found = findShellFault(run);
  return found === undefined ? unknown : [...unknown, { severity: "error", place: [...place, "run"], ...found }];
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
