import type { Command } from "../command-line/command.ts";
import { accept } from "./accept.ts";
import { cancel } from "./cancel.ts";
import { check } from "./check.ts";
import { compare } from "./compare.ts";
import { completion } from "./completion.ts";
import { controller } from "./controller.ts";
import { crds } from "./crds.ts";
import { explain } from "./explain.ts";
import { fleet } from "./fleet.ts";
import { list } from "./list.ts";
import { mcp } from "./mcp.ts";
import { plan } from "./plan.ts";
import { playbook } from "./playbook.ts";
import { rbac } from "./rbac.ts";
import { record } from "./record.ts";
import { request } from "./request.ts";
import { run } from "./run.ts";
import { status } from "./status.ts";
import { updateStatusController } from "./update-status-controller.ts";
import { validate } from "./validate.ts";

/** Runs if no command is named. */
export const DEFAULT_COMMAND: Command = run;

/** Every command, in the order of help and docs/cli.md. */
export const COMMANDS: readonly Command[] = [
  DEFAULT_COMMAND,
  check,
  plan,
  playbook,
  fleet,
  compare,
  crds,
  list,
  explain,
  rbac,
  record,
  request,
  status,
  cancel,
  accept,
  controller,
  updateStatusController,
  validate,
  mcp,
  completion,
];
