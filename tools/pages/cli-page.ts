import type { Command } from "../../src/cli/command-line/command-list.ts";
import type { Setting } from "../../src/cli/command-line/settings.ts";
import { formatCode, formatTable } from "./markdown.ts";

const EXIT_CODES = formatTable(
  ["code", "`check`", "every other command"],
  [
    ["0", "no risk that was not accepted", "done"],
    [
      "1",
      "the tool failed: cluster unreachable, payload unreadable",
      "failed; for `validate`: the document is invalid",
    ],
    ["2", "wrong usage", "wrong usage"],
    ["3", "at least one risk that was not accepted with `--accept`", ""],
    ["4", "no such risk, but something could not be looked at", ""],
  ],
);

/** docs/cli.md: every command with its settings, their environment variables and defaults. */
export function formatCliPage(heading: string, commands: readonly Command[]): string {
  return `${[
    `<!-- ${heading} -->`,
    "# Commands and settings",
    "A flag comes before its environment variable, and that before the default. Durations are written like `30s`, `5m` or `1h`.",
    ...commands.map(formatSection),
    "## Exit codes",
    EXIT_CODES,
  ].join("\n\n")}\n`;
}

function formatSection({ name, describe, settings, operand }: Command): string {
  const usage = name === "run" ? "preflight --format=preflight-v1-json" : `preflight ${name}`;
  const given = operand === undefined ? [] : [`\`${operand.name.toUpperCase()}\`: ${operand.describe}.`];
  return [
    `## ${formatCode([usage, ...(operand ? [operand.name.toUpperCase()] : [])].join(" "))}`,
    `${describe}.`,
    ...given,
    ...(settings.length > 0
      ? [formatTable(["flag", "variable", "default", "what it sets"], settings.map(formatRow))]
      : []),
  ].join("\n\n");
}

function formatRow(setting: Setting): readonly string[] {
  const { flag, alias, env, describe, choices } = setting;
  const names = [...(alias ? [`-${alias}`] : []), `--${flag}`].map(formatCode).join(", ");
  const choiceText = choices ? ` (${choices.map(formatCode).join(", ")})` : "";
  return [names, env ? formatCode(env) : "", formatDefault(setting), `${describe}${choiceText}`];
}

function formatDefault({ default: value, defaultText, type }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  if (value === undefined || (type === "boolean" && value === false)) return "";
  return type === "boolean" ? "on" : formatCode(String(value));
}
