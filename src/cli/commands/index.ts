import { type Command, type CommandGroup, defineCommand } from "../settings/command.ts";
import { accept, cancel, request, status } from "./request/definition.ts";
import { check } from "./check/definition.ts";
import { annotateChecks, explainChecks, lintChecks, migrateChecks, newCheck, testChecks } from "./checks/definition.ts";
import { listPacks, packChecks, pullChecks } from "./checks/pack-definition.ts";
import { backtestChecks } from "./checks/backtest-definition.ts";
import { compare, completion, explain, list, rbac, record, validate } from "./definitions.ts";
import { controller, updateStatusController } from "./controller/definition.ts";
import { crds } from "./crds/definition.ts";
import { fleet } from "./fleet/definition.ts";
import { manifests } from "./manifests/definition.ts";
import { mcp } from "./mcp/definition.ts";
import { plan, playbook } from "./plan/definition.ts";
import { run } from "./run/definition.ts";
import { formatDidYouMean } from "../../model/text.ts";
import { UsageError } from "../../model/errors.ts";

/** Runs if no command is named. */
export const DEFAULT_COMMAND = defineCommand(run, () => import("./run/run.ts"));

/** The commands that a word names. */
export const NAMED_COMMANDS: readonly Command[] = [
  defineCommand(check, () => import("./check/run.ts")),
  defineCommand(plan, () => import("./plan/plan.ts")),
  defineCommand(playbook, () => import("./plan/playbook.ts")),
  defineCommand(fleet, () => import("./fleet/run.ts")),
  defineCommand(compare, () => import("./compare.ts")),
  defineCommand(crds, () => import("./crds/run.ts")),
  defineCommand(manifests, () => import("./manifests/run.ts")),
  defineCommand(newCheck, () => import("./checks/new.ts")),
  defineCommand(lintChecks, () => import("./checks/lint.ts")),
  defineCommand(testChecks, () => import("./checks/test.ts")),
  defineCommand(explainChecks, () => import("./checks/explain.ts")),
  defineCommand(backtestChecks, () => import("./checks/backtest.ts")),
  defineCommand(packChecks, () => import("./checks/pack.ts")),
  defineCommand(pullChecks, () => import("./checks/pull.ts")),
  defineCommand(listPacks, () => import("./checks/list-packs.ts")),
  defineCommand(migrateChecks, () => import("./checks/migrate.ts")),
  defineCommand(annotateChecks, () => import("./checks/annotate.ts")),
  defineCommand(list, () => import("./list.ts")),
  defineCommand(explain, () => import("./explain.ts")),
  defineCommand(rbac, () => import("./rbac.ts")),
  defineCommand(record, () => import("./record.ts")),
  defineCommand(request, () => import("./request/request.ts")),
  defineCommand(status, () => import("./request/status.ts")),
  defineCommand(cancel, () => import("./request/cancel.ts")),
  defineCommand(accept, () => import("./request/accept.ts")),
  defineCommand(controller, () => import("./controller/controller.ts")),
  defineCommand(updateStatusController, () => import("./controller/update-status-controller.ts")),
  defineCommand(validate, () => import("./validate.ts")),
  defineCommand(mcp, () => import("./mcp/run.ts")),
  defineCommand(completion, () => import("./completion.ts")),
];

/** The groups of the commands with two words. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { name: "checks", describe: "Write, test and try checks of your own, which are YAML files" },
];

/** Every command, in the order of help and docs/cli.md. */
export const COMMANDS: readonly Command[] = [DEFAULT_COMMAND, ...NAMED_COMMANDS];

export const PLAIN_COMMAND_NAMES = ["help", "version"];

/** The command that the words begin with, which has the name of one word or of two. */
export function findCommand([first = "", second = ""]: readonly string[]): Command | undefined {
  return NAMED_COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
}

export function countNameWords({ name }: Command): number {
  return name.split(" ").length;
}

/** The group that the first word names. */
export function findGroup([first]: readonly string[]): CommandGroup | undefined {
  return COMMAND_GROUPS.find(({ name }) => name === first);
}

export function listGroupCommands(group: CommandGroup): readonly Command[] {
  return NAMED_COMMANDS.filter(({ name }) => name.startsWith(`${group.name} `));
}

/** A command's name within its group. */
export function getOwnWord({ name }: Command): string {
  return name.split(" ").at(-1) ?? name;
}

/** The commands and groups that the first word can name. */
export function listFirstWords(): readonly CommandGroup[] {
  return [...NAMED_COMMANDS.filter(({ name }) => !name.includes(" ")), ...COMMAND_GROUPS];
}

/** Throws a UsageError with the nearest name if the words name no command. */
export function requireCommand(words: readonly string[]): Command {
  const command = findCommand(words);
  if (command !== undefined) return command;
  const group = findGroup(words);
  throw new UsageError(group === undefined ? describeUnknown(words) : describeUnknownVerb(group, words[1]));
}

function describeUnknown([name = ""]: readonly string[]): string {
  const known = [...listFirstWords().map((one) => one.name), ...PLAIN_COMMAND_NAMES];
  return `unknown command "${name}"${formatDidYouMean(name, known)}; see 'preflight --help'`;
}

function describeUnknownVerb(group: CommandGroup, verb: string | undefined): string {
  const known = listGroupCommands(group).map(getOwnWord);
  const see = `see 'preflight help ${group.name}'`;
  if (verb === undefined || verb.startsWith("-")) return `name what to do: ${known.join(", ")}; ${see}`;
  return `unknown command "${group.name} ${verb}"${formatDidYouMean(verb, known)}; ${see}`;
}
