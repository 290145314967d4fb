import type { Command, CommandGroup, Example, Operand, Setting } from "../settings/command.ts";
import { SETTING_GROUPS, formatExitCodes } from "../settings/command.ts";
import { listChoices } from "../settings/values.ts";

/** Help as data: the terminal's text and the man page follow from it. */
export type HelpPage = {
  readonly usage: string;
  readonly describe: string;
  readonly sections: readonly HelpSection[];
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
};

export type HelpSection = { readonly title: string; readonly rows: readonly HelpRow[] };
export type HelpRow = { readonly term: string; readonly text: string };

/** How the runner is called in help: it has no command of its own. */
export const RUNNER_TOPIC = "runner";

/** Words that are no commands with settings. */
export const PLAIN_COMMANDS: readonly HelpRow[] = [
  { term: "help [COMMAND]", text: "Show the help of a command" },
  { term: "version", text: "Print the version" },
];

const COMMON_OPTIONS: HelpSection = {
  title: "Other options",
  rows: [
    { term: "-h, --help", text: "Show this help" },
    { term: "-v, --version", text: "Print the version" },
  ],
};

export const SUMMARY = "Checks whether this cluster is ready for an update to a target release.";

/** The page of 'preflight --help': the commands, and where their options are. */
export function buildOverview(commands: readonly (Command | CommandGroup)[]): HelpPage {
  const rows = commands.map((one) =>
    "operands" in one ? buildCommandRow(one) : { term: `${one.name} COMMAND`, text: one.describe },
  );
  return {
    usage: "preflight COMMAND [OPTIONS]",
    describe: SUMMARY,
    sections: [{ title: "Commands", rows: [...rows, ...PLAIN_COMMANDS] }, COMMON_OPTIONS],
    examples: [
      { command: "preflight check --to 4.20", describe: "Check the newest recommended release of a minor" },
      { command: "preflight help check", describe: "Show the options of a command" },
    ],
    notes: [`Without a command, preflight is the runner of a pod: see 'preflight help ${RUNNER_TOPIC}'.`],
  };
}

function buildCommandRow({ name, operands, describe }: Command): HelpRow {
  return { term: [name, ...operands.map(formatOperand)].join(" "), text: describe };
}

/** The page of a group: its commands, and where their options are. */
export function buildGroupPage({ name, describe }: CommandGroup, commands: readonly Command[]): HelpPage {
  return {
    usage: `preflight ${name} COMMAND [OPTIONS]`,
    describe: `${describe}.`,
    sections: [{ title: "Commands", rows: commands.map(buildCommandRow) }, COMMON_OPTIONS],
    examples: commands.flatMap(({ examples }) => examples.slice(0, 1)),
    notes: [`See 'preflight help ${name} COMMAND' for the options of a command.`],
  };
}

/** The page of one command. */
export function buildHelpPage(command: Command): HelpPage {
  const { name, describe, operands, examples } = command;
  const words = name === "run" ? ["--format=preflight-v1-json"] : [name];
  const usage = ["preflight", ...words, ...operands.map(formatOperand)];
  const hasSettings = Object.keys(command.settings).length > 0;
  return {
    usage: [...usage, ...(hasSettings ? ["[OPTIONS]"] : [])].join(" "),
    describe: `${describe}.`,
    sections: [...buildOperandSection(operands), ...buildSettingSections(command), COMMON_OPTIONS],
    examples,
    notes: [`Exit codes: ${formatExitCodes(command.exitCodes)}`],
  };
}

function buildOperandSection(operands: readonly Operand[]): readonly HelpSection[] {
  if (operands.length === 0) return [];
  const rows = operands.map((operand) => ({ term: getPlaceholder(operand), text: operand.describe }));
  return [{ title: operands.length === 1 ? "Argument" : "Arguments", rows }];
}

function buildSettingSections({ settings }: Command): readonly HelpSection[] {
  const entries = Object.entries(settings);
  return Object.entries(SETTING_GROUPS).flatMap(([group, title]) => {
    const members = entries.filter(([, setting]) => setting.group === group);
    return members.length === 0 ? [] : [{ title, rows: members.map(buildSettingRow) }];
  });
}

function buildSettingRow([flag, setting]: readonly [string, Setting]): HelpRow {
  const details = [...formatChoices(setting), ...listDefault(setting)].join("; ");
  const variable = setting.env === undefined ? "" : ` [${setting.env}]`;
  return {
    term: formatFlag(flag, setting),
    text: `${setting.describe}${details === "" ? "" : ` (${details})`}${variable}`,
  };
}

/** "-o, --output FORMAT", "--quiet", "--[no-]unknown-risks". */
export function formatFlag(flag: string, setting: Setting): string {
  const short = setting.alias === undefined ? "" : `-${setting.alias}, `;
  if (setting.type === "boolean") return `${short}--${setting.default ? "[no-]" : ""}${flag}`;
  const value = formatValue(setting);
  if (setting.type === "config" && setting.foundFile !== undefined) return `--${flag} ${value}, --no-${flag}`;
  return `${short}--${flag}${setting.type === "duration" && setting.bareValue ? `[=${value}]` : ` ${value}`}`;
}

/** "FILE", "DURATION", "RISK,...": what stands after a flag. */
export function formatValue(setting: Exclude<Setting, { type: "boolean" }>): string {
  switch (setting.type) {
    case "duration":
      return "DURATION";
    case "number":
      return "N";
    case "list":
    case "outputs":
      return `${setting.placeholder ?? "VALUE"},...`;
    case "config":
    case undefined:
      return setting.placeholder ?? "VALUE";
  }
}

function formatChoices(setting: Setting): readonly string[] {
  const choices = listChoices(setting);
  return choices.length === 0 ? [] : [choices.join(", ")];
}

function listDefault(setting: Setting): readonly string[] {
  if (setting.defaultText !== undefined) return [`default: ${setting.defaultText}`];
  if ("isRequired" in setting && setting.isRequired) return ["required"];
  if (setting.type === "boolean" || setting.type === "config") return [];
  if (setting.default === undefined) return [];
  return [`default: ${setting.default}`];
}

/** "NAME", "[NAME]" if it is optional, "NAME..." if it is a list. */
export function formatOperand(operand: Operand): string {
  const word = `${getPlaceholder(operand)}${operand.isList ? "..." : ""}`;
  return operand.isOptional ? `[${word}]` : word;
}

export function getPlaceholder({ name, placeholder }: Operand): string {
  return placeholder ?? name.toUpperCase();
}
