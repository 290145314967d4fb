import type { Command, Example, Setting } from "../../src/cli/settings/command.ts";
import { listChoices } from "../../src/cli/settings/values.ts";
import { formatFlag, formatOperand } from "../../src/cli/command-line/help-page.ts";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { groupByExitCodes, RUNNER } from "./exit-codes.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

const CODES = [0, 1, 2, 3, 4] as const;

const INTRODUCTION =
  "A flag overrides its environment variable, and the variable overrides the default. Durations are written as `30s`, `5m` or `1h`.";

/** docs/cli.md: every command with its settings, their environment variables and their defaults. */
export function formatCliPage(heading: string, commands: readonly Command[]): string {
  return formatPage(
    heading,
    "# Commands and settings",
    INTRODUCTION,
    ...commands.map(formatSection),
    "## Exit codes",
    formatExitCodes(commands),
    "A command that a signal stops ends with 130 (SIGINT, Ctrl-C) or 143 (SIGTERM), whatever it has found until then, and a second signal ends it at once. For the runner, the controllers and `preflight mcp`, a signal is the normal end: 0.",
  );
}

function formatExitCodes(commands: readonly Command[]): string {
  const rows = groupByExitCodes(commands).map(({ names, codes }) => [
    names.map((name) => (name === RUNNER ? name : formatCode(name))).join(", "),
    ...CODES.map((code) => codes[code] ?? ""),
  ]);
  return formatTable(["command", ...CODES.map(String)], rows);
}

function formatSection({ name, describe, settings, operands, examples }: Command): string {
  const usage = name === "run" ? "preflight --format=preflight-v1-json" : `preflight ${name}`;
  const rows = Object.entries(settings).map(formatRow);
  return [
    `## ${formatCode([usage, ...operands.map(formatOperand)].join(" "))}`,
    `${describe}.`,
    ...operands.map((operand) => `\`${formatOperand(operand)}\`: ${operand.describe}.`),
    ...examples.map(formatExample),
    ...(rows.length > 0 ? [formatTable(["flag", "variable", "default", "meaning"], rows)] : []),
  ].join("\n\n");
}

function formatExample({ command, describe }: Example): string {
  return `${describe}:\n\n\`\`\`console\n$ ${command}\n\`\`\``;
}

function formatRow([flag, setting]: readonly [string, Setting]): readonly string[] {
  const { env, describe } = setting;
  const choices = listChoices(setting);
  const choiceText = choices.length > 0 ? ` (${choices.map(formatCode).join(", ")})` : "";
  const meaning = `${describe}${choiceText}${formatFormer(setting)}`;
  return [formatCode(formatFlag(flag, setting)), env ? formatCode(env) : "", formatDefault(setting), meaning];
}

function formatFormer({ former }: Setting): string {
  if (former === undefined) return "";
  const names = [`--${former.flag}`, ...(former.env === undefined ? [] : [former.env])];
  return `; also ${names.map(formatCode).join(" and ")}, as before`;
}

function formatDefault(setting: Setting): string {
  if (setting.defaultText !== undefined) return setting.defaultText;
  if (setting.type === "config" || setting.default === undefined || setting.default === false) return "";
  return setting.default === true ? "on" : formatCode(String(setting.default));
}
