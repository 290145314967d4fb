import type { Command, Example, Operand, Setting } from "../../src/cli/command-line/command.ts";
import { formatCode, formatTable } from "./markdown.ts";

const EXIT_CODES = formatTable(
  ["code", "`check`, `status`", "other commands"],
  [
    ["0", "no unaccepted risk", "success"],
    [
      "1",
      "the preflight failed, for example because the cluster is unreachable",
      "failure; for `validate` also an invalid document",
    ],
    ["2", "wrong usage", "wrong usage"],
    ["3", "at least one unaccepted risk (see `--accept`)", ""],
    ["4", "no unaccepted risk, but the result is incomplete; for `status` also without a current result", ""],
  ],
);

const INTRODUCTION =
  "A flag overrides its environment variable, and the variable overrides the default. Durations are written as `30s`, `5m` or `1h`.";

/** docs/cli.md: every command with its settings, their environment variables and their defaults. */
export function formatCliPage(heading: string, commands: readonly Command[]): string {
  return `${[
    `<!-- ${heading} -->`,
    "# Commands and settings",
    INTRODUCTION,
    ...commands.map(formatSection),
    "## Exit codes",
    EXIT_CODES,
  ].join("\n\n")}\n`;
}

function formatSection({ name, describe, settings, operand, examples }: Command): string {
  const usage = name === "run" ? "preflight --format=preflight-v1-json" : `preflight ${name}`;
  const rows = Object.entries(settings).map(formatRow);
  return [
    `## ${formatCode([usage, ...(operand ? [formatOperand(operand)] : [])].join(" "))}`,
    `${describe}.`,
    ...(operand ? [`\`${formatOperand(operand)}\`: ${operand.describe}.`] : []),
    ...examples.map(formatExample),
    ...(rows.length > 0 ? [formatTable(["flag", "variable", "default", "meaning"], rows)] : []),
  ].join("\n\n");
}

function formatOperand({ name, isOptional }: Operand): string {
  return isOptional ? `[${name.toUpperCase()}]` : name.toUpperCase();
}

function formatExample({ command, describe }: Example): string {
  return `${describe}:\n\n\`\`\`console\n$ ${command}\n\`\`\``;
}

function formatRow([flag, setting]: readonly [string, Setting]): readonly string[] {
  const { alias, env, describe } = setting;
  const names = [...(alias ? [`-${alias}`] : []), `--${flag}`].map(formatCode).join(", ");
  const choices = setting.type === "string" ? setting.choices : undefined;
  const choiceText = choices ? ` (${choices.map(formatCode).join(", ")})` : "";
  return [names, env ? formatCode(env) : "", formatDefault(setting), `${describe}${choiceText}`];
}

function formatDefault(setting: Setting): string {
  if (setting.defaultText !== undefined) return setting.defaultText;
  if (setting.type === "list" || setting.default === undefined || setting.default === false) return "";
  return setting.default === true ? "on" : formatCode(String(setting.default));
}
