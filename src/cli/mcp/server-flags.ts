import type { ParsedFlags, Settings } from "../command-line/command.ts";

/** The settings of the server as flags of the commands that it runs. Durations are milliseconds. */
export function formatServerFlags(settings: Settings, values: ParsedFlags): readonly string[] {
  return Object.entries(settings).flatMap(([flag, { type }]) => {
    const value = values[flag];
    const texts = Array.isArray(value) ? value.map(String) : [value].filter((one) => one !== undefined).map(String);
    if (type === "boolean") return [value === true ? `--${flag}` : `--no-${flag}`];
    return texts.map((text) => `--${flag}=${text}${type === "duration" ? "ms" : ""}`);
  });
}
