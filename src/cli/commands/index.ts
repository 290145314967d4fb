import { type Command, type CommandGroup, defineCommand } from "../settings/command.ts";
import { accept } from "./accept/definition.ts";
import { cancel } from "./cancel/definition.ts";
import { check } from "./check/definition.ts";
import { lintChecks } from "./checks/lint/definition.ts";
import { testChecks } from "./checks/test/definition.ts";
import { backtestChecks } from "./checks/backtest/definition.ts";
import { explainChecks } from "./checks/explain/definition.ts";
import { newCheck } from "./checks/new/definition.ts";
import { packChecks } from "./checks/pack/definition.ts";
import { annotateChecks } from "./checks/annotate/definition.ts";
import { compare } from "./compare/definition.ts";
import { completion } from "./completion/definition.ts";
import { controller } from "./controller/definition.ts";
import { crds } from "./crds/definition.ts";
import { explain } from "./explain/definition.ts";
import { fleet } from "./fleet/definition.ts";
import { list } from "./list/definition.ts";
import { mcp } from "./mcp/definition.ts";
import { plan } from "./plan/definition.ts";
import { playbook } from "./playbook/definition.ts";
import { rbac } from "./rbac/definition.ts";
import { record } from "./record/definition.ts";
import { request } from "./request/definition.ts";
import { run } from "./run/definition.ts";
import { status } from "./status/definition.ts";
import { updateStatusController } from "./update-status-controller/definition.ts";
import { validate } from "./validate/definition.ts";

/** Runs if no command is named. */
export const DEFAULT_COMMAND = defineCommand(run, () => import("./run/run.ts"));

/** The commands that a word names. */
export const NAMED_COMMANDS: readonly Command[] = [
  defineCommand(check, () => import("./check/run.ts")),
  defineCommand(plan, () => import("./plan/run.ts")),
  defineCommand(playbook, () => import("./playbook/run.ts")),
  defineCommand(fleet, () => import("./fleet/run.ts")),
  defineCommand(compare, () => import("./compare/run.ts")),
  defineCommand(crds, () => import("./crds/run.ts")),
  defineCommand(newCheck, () => import("./checks/new/run.ts")),
  defineCommand(lintChecks, () => import("./checks/lint/run.ts")),
  defineCommand(testChecks, () => import("./checks/test/run.ts")),
  defineCommand(explainChecks, () => import("./checks/explain/run.ts")),
  defineCommand(backtestChecks, () => import("./checks/backtest/run.ts")),
  defineCommand(packChecks, () => import("./checks/pack/run.ts")),
  defineCommand(annotateChecks, () => import("./checks/annotate/run.ts")),
  defineCommand(list, () => import("./list/run.ts")),
  defineCommand(explain, () => import("./explain/run.ts")),
  defineCommand(rbac, () => import("./rbac/run.ts")),
  defineCommand(record, () => import("./record/run.ts")),
  defineCommand(request, () => import("./request/run.ts")),
  defineCommand(status, () => import("./status/run.ts")),
  defineCommand(cancel, () => import("./cancel/run.ts")),
  defineCommand(accept, () => import("./accept/run.ts")),
  defineCommand(controller, () => import("./controller/run.ts")),
  defineCommand(updateStatusController, () => import("./update-status-controller/run.ts")),
  defineCommand(validate, () => import("./validate/run.ts")),
  defineCommand(mcp, () => import("./mcp/run.ts")),
  defineCommand(completion, () => import("./completion/run.ts")),
];

/** The groups of the commands with two words. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { name: "checks", describe: "Write, test and try checks of your own, which are YAML files" },
];

/** Every command, in the order of help and docs/cli.md. */
export const COMMANDS: readonly Command[] = [DEFAULT_COMMAND, ...NAMED_COMMANDS];
