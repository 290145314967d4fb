import type { Command } from "../settings/command.ts";
import { accept } from "./accept/definition.ts";
import { cancel } from "./cancel/definition.ts";
import { check } from "./check/definition.ts";
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
