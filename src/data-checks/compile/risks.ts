import type { JsonObject } from "../../model/json.ts";
import type { CompiledExpression } from "../../schema/cel/index.ts";
import type { CommandRule, CommandObject, RiskDefinition, RiskTexts } from "../definition.ts";
import type { Template } from "../template.ts";
import { type Site, compileCondition, enter, refuse } from "./expressions.ts";
import { compileText } from "./texts.ts";
import { findCommandFaults } from "./commands.ts";
import { COMMAND_NAMES, type Names, listTextNames } from "./names.ts";

/** The texts and commands of a risk, which see the update and what was found, and nothing that was read. */
export type CompiledRisk = {
  readonly definition: RiskTexts;
  readonly message: Template;
  readonly remediation: Template;
  readonly see: readonly CompiledCommand[];
  readonly fix: readonly CompiledCommand[];
};

export type CompiledCommand = { readonly when: CompiledExpression | undefined } & (
  | { readonly kind: "get" | "describe" | "edit" | "delete"; readonly object: CommandObject }
  | { readonly kind: "patch"; readonly object: CommandObject; readonly patch: JsonObject }
  | { readonly kind: "run"; readonly run: Template }
);

/** The names of what TypeScript computes for a risk's texts. */
export type ComputedNames = { readonly message: readonly string[]; readonly remediation: readonly string[] };

const NOTHING: ComputedNames = { message: [], remediation: [] };

export function compileRisk(
  { compilation, place }: Omit<Site, "scope">,
  definition: RiskTexts & Partial<RiskDefinition>,
  computed: ComputedNames = NOTHING,
): CompiledRisk {
  const { message, remediation, see = [], fix = [] } = definition;
  compilation.faults.push(...findCommandFaults(definition, place));
  const open = (names: Names): Site => ({ compilation, place, scope: { names, origins: new Map(), isInScan: false } });
  const openText = (field: keyof ComputedNames): Site => enter(open(listTextNames(computed[field])), field);
  const commands = open(COMMAND_NAMES);
  return {
    definition,
    message: compileText(openText("message"), message),
    remediation: compileText(openText("remediation"), remediation),
    see: see.map((one, i) => compileCommand(enter(commands, "see", i), one)),
    fix: fix.map((one, i) => compileCommand(enter(commands, "fix", i), one)),
  };
}

const VERBS = ["get", "describe", "edit", "delete"] as const;

function compileCommand(site: Site, definition: CommandRule): CompiledCommand {
  const { when: condition, patch, run, ...verbs } = definition;
  const when = condition === undefined ? undefined : compileCondition(enter(site, "when"), condition).code;
  const given = Object.keys(definition).filter((key) => key !== "when");
  if (given.length !== 1)
    refuse(
      site,
      `it must be one of ${[...VERBS, "patch", "run"].join(", ")}`,
      given.length > 1 ? "write a command for each" : "describe: {} is the command for the finding's object",
    );
  if (run !== undefined) return { when, kind: "run", run: compileText(enter(site, "run"), run) };
  if (patch !== undefined) {
    const { object = {}, ...rest } = patch;
    return { when, kind: "patch", object, patch: rest };
  }
  const kind = VERBS.find((verb) => verbs[verb] !== undefined) ?? "get";
  return { when, kind, object: verbs[kind] ?? {} };
}
