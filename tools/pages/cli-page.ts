import type { Command } from "../../src/cli/command-list.ts";
import type { Setting } from "../../src/cli/options.ts";
import { code, table } from "./markdown.ts";

const EXIT_CODES = table(
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
export function cliPage(heading: string, commands: readonly Command[]): string {
  return `${[
    `<!-- ${heading} -->`,
    "# Commands and settings",
    "A flag comes before its environment variable, and that before the default. Durations are written like `30s`, `5m` or `1h`.",
    ...commands.map(section),
    "## Exit codes",
    EXIT_CODES,
  ].join("\n\n")}\n`;
}

function section({ name, describe, settings, operand }: Command): string {
  const usage = name === "run" ? "preflight --format=preflight-v1-json" : `preflight ${name}`;
  const given = operand === undefined ? [] : [`\`${operand.name.toUpperCase()}\`: ${operand.describe}.`];
  return [
    `## ${code([usage, ...(operand ? [operand.name.toUpperCase()] : [])].join(" "))}`,
    `${describe}.`,
    ...given,
    ...(settings.length > 0 ? [table(["flag", "variable", "default", "what it sets"], settings.map(row))] : []),
  ].join("\n\n");
}

function row(setting: Setting): readonly string[] {
  const { flag, alias, env, describe, choices } = setting;
  const names = [...(alias ? [`-${alias}`] : []), `--${flag}`].map(code).join(", ");
  const among = choices ? ` (${choices.map(code).join(", ")})` : "";
  return [names, env ? code(env) : "", defaultOf(setting), `${describe}${among}`];
}

function defaultOf({ default: value, defaultText, type }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  if (value === undefined || (type === "boolean" && value === false)) return "";
  return type === "boolean" ? "on" : code(String(value));
}
