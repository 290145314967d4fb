import type { JsonObject } from "../../model/json.ts";
import type { CompiledExpression } from "../../schema/cel/index.ts";
import type { CommandRule, CommandObject, RiskDefinition } from "../definition.ts";
import type { DocumentPlace } from "../fault.ts";
import type { Template } from "../template.ts";
import { type Compilation, type NameScope, compileCondition } from "./expressions.ts";
import { compileText } from "./texts.ts";
import { findCommandFaults } from "./commands.ts";
import { COMMAND_NAMES, type Names, RISK_NAMES } from "./names.ts";

/** The texts and commands of a risk, which see the update and what was found, and nothing that was read. */
export type CompiledRisk = {
  readonly definition: RiskDefinition;
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

export function compileRisk(compilation: Compilation, place: DocumentPlace, definition: RiskDefinition): CompiledRisk {
  const { message, remediation, see = [], fix = [] } = definition;
  compilation.faults.push(...findCommandFaults(definition, place));
  const texts = openScope(RISK_NAMES);
  const command = (list: string) => (one: CommandRule, i: number) =>
    compileCommand(compilation, [...place, list, i], one);
  return {
    definition,
    message: compileText(compilation, texts, [...place, "message"], message),
    remediation: compileText(compilation, texts, [...place, "remediation"], remediation),
    see: see.map(command("see")),
    fix: fix.map(command("fix")),
  };
}

function openScope(names: Names): NameScope {
  return { names, origins: new Map(), isInScan: false };
}

const VERBS = ["get", "describe", "edit", "delete"] as const;

function compileCommand(compilation: Compilation, place: DocumentPlace, definition: CommandRule): CompiledCommand {
  const scope = openScope(COMMAND_NAMES);
  const { when: condition, patch, run, ...verbs } = definition;
  const when =
    condition === undefined ? undefined : compileCondition(compilation, scope, [...place, "when"], condition).code;
  const given = Object.keys(definition).filter((key) => key !== "when");
  if (given.length !== 1)
    compilation.faults.push({
      severity: "error",
      place,
      message: `it must be one of ${[...VERBS, "patch", "run"].join(", ")}`,
      hint: given.length > 1 ? "write a command for each" : "describe: {} is the command for the finding's object",
    });
  if (run !== undefined) return { when, kind: "run", run: compileText(compilation, scope, [...place, "run"], run) };
  if (patch !== undefined) {
    const { object = {}, ...rest } = patch;
    return { when, kind: "patch", object, patch: rest };
  }
  const kind = VERBS.find((verb) => verbs[verb] !== undefined) ?? "get";
  return { when, kind, object: verbs[kind] ?? {} };
}
