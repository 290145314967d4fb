import { parseDocuments } from "../../encoding/yaml.ts";
import { readTextFile } from "../../files/named-file.ts";
import { parseConfig } from "../../format/document/config-parser.ts";
import { formatError, UsageError } from "../../model/errors.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";
import type { ConfigFile, Setting, Settings } from "./command.ts";
import { MAX_CONFIG_BYTES, readFoundConfig, requireFoundRights } from "./found-config.ts";
import { requireSingleText } from "./values.ts";

/** Of a command that may have one. */
export type ConfigValues = { readonly config?: ConfigFile | undefined };

/**
 * Reads the file that --config names or, for a command that looks for one, what the current folder has. Nobody vouches for a file that was
 * only found: it may do less. Throws a UsageError if it is wrong. `given`: what yargs parsed of the flag or its variable.
 */
export async function findConfig(
  setting: Setting | undefined,
  given: unknown,
  commands: readonly { readonly settings: Settings }[],
): Promise<ConfigFile | undefined> {
  if (setting?.type !== "config" || given === false) return undefined;
  const path = requireSingleText("config", given);
  const settings = commands.flatMap((command) => Object.entries(command.settings));
  if (path !== undefined) return parseConfigText(await readNamedConfig(path), { path, origin: "named" }, settings);
  if (setting.foundFile === undefined) return undefined;
  const text = await readFoundConfig(setting.foundFile);
  if (text === undefined) return undefined;
  const config = await parseConfigText(text, { path: setting.foundFile, origin: "found" }, settings);
  requireFoundRights(config, settings);
  return config;
}

async function readNamedConfig(path: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_CONFIG_BYTES);
  } catch (thrown) {
    throw new UsageError(`the configuration ${path} can't be read: ${formatError(thrown)}`);
  }
}

async function parseConfigText(
  text: string,
  file: Pick<ConfigFile, "path" | "origin">,
  settings: readonly (readonly [string, Setting])[],
): Promise<ConfigFile> {
  const { path } = file;
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") throw new UsageError(`${path} is not valid YAML: ${parsed.message}`);
  if (parsed.documents.length > 1) throw new UsageError(`${path} has more than one YAML document`);
  const result = await parseConfig(parsed.documents[0] ?? {});
  if (result.kind === "invalid") throw new UsageError(`${path}: ${result.problem}`);
  const config = { ...result.config, ...file };
  requireKnownSettings(config, settings);
  return config;
}

function requireKnownSettings({ path, settings }: ConfigFile, all: readonly (readonly [string, Setting])[]): void {
  const known = all.flatMap(([flag, { type }]) => (type === "config" ? [] : [flag]));
  const unknown = Object.keys(settings).find((flag) => !known.includes(flag));
  if (unknown === undefined) return;
  throw new UsageError(`${path}: no setting is called "${unknown}"${formatDidYouMean(unknown, known)}`);
}
