import { quoteArgument } from "../../model/commands.ts";
import { redactAddresses } from "../../model/secrets/redact-text.ts";
import { toLine } from "../../model/visible-text.ts";
import type { Setting, SettingValueOf, Settings } from "./command.ts";
import { formatDuration, parseDuration } from "./values.ts";

/** The values of a command, by flag. */
type Values = Readonly<Record<string, SettingValueOf>>;

/**
 * The flags that decide on a result, as a shell takes them: `--to 4.20 --skip etcd-health`. A value of the environment or of a configuration
 * file is among them, a default is not, nor is a flag that `settings` does not have.
 */
export function formatRepeatedFlags(settings: Settings, values: Values): string {
  return Object.entries(settings)
    .flatMap(([flag, setting]) => (setting.isRepeated === true ? formatFlag(flag, setting, values[flag]) : []))
    .join(" ");
}

function formatFlag(flag: string, setting: Setting, value: SettingValueOf): readonly string[] {
  if (value === undefined || isDefault(flag, setting, value)) return [];
  if (typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`];
  if (typeof value === "number") return [`--${flag} ${setting.type === "duration" ? formatDuration(value) : value}`];
  if (typeof value === "string") return [formatText(flag, value)];
  // A configuration file that was only found is found again.
  if ("origin" in value) return value.origin === "named" ? [formatText(flag, value.path)] : [];
  return "stdout" in value ? [] : value.map((word) => formatText(flag, word));
}

function isDefault(flag: string, setting: Setting, value: SettingValueOf): boolean {
  switch (setting.type) {
    case "duration":
      return setting.default !== undefined && value === parseDuration(setting.default, flag);
    case "list":
      return Array.isArray(value) && value.join() === (setting.default ?? "");
    case "config":
    case "outputs":
      return false;
    case "boolean":
    case "number":
    case undefined:
      return value === setting.default;
  }
}

/** A result is passed on, and an address may hold a password. */
function formatText(flag: string, text: string): string {
  return `--${flag} ${quoteArgument(toLine(redactAddresses(text)))}`;
}
