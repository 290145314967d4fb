import type { ConfigFile, ParsedFlags, Settings } from "../../settings/command.ts";

/** The settings of the server as flags of the commands that it runs. Durations are milliseconds. */
export function formatServerFlags(
  settings: Settings,
  { config, ...values }: ParsedFlags & { readonly config: ConfigFile | undefined },
): readonly string[] {
  return Object.entries(settings).flatMap(([flag, { type }]) => {
    const value = values[flag];
    // Without a file that the server was given, its commands look for none.
    if (type === "config") return [config === undefined ? `--no-${flag}` : `--${flag}=${config.path}`];
    const texts = Array.isArray(value) ? value.map(String) : [value].filter((one) => one !== undefined).map(String);
    if (type === "boolean") return [value === true ? `--${flag}` : `--no-${flag}`];
    return texts.map((text) => `--${flag}=${text}${type === "duration" ? "ms" : ""}`);
  });
}
