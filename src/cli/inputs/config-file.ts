import { readTextFile } from "../../files/named-file.ts";
import { type Config, parseConfig } from "../../format/config-parser.ts";
import { errorCode, formatError, UsageError } from "../../model/errors.ts";

export type ConfigFile = Config & { readonly path: string };

const DEFAULT_CONFIG = ".preflight.yaml";

const MAX_BYTES = 1024 * 1024;

/** Reads the file that --config names, or the default one if it exists. Throws a UsageError if it is wrong. */
export async function readConfig(path: string | undefined): Promise<ConfigFile | undefined> {
  const text = await readConfigText(path);
  return text === undefined ? undefined : parseConfigText(text, path ?? DEFAULT_CONFIG);
}

async function readConfigText(path: string | undefined): Promise<string | undefined> {
  try {
    return await readTextFile(path ?? DEFAULT_CONFIG, MAX_BYTES);
  } catch (thrown) {
    if (path === undefined && errorCode(thrown) === "ENOENT") return undefined;
    throw new UsageError(`the configuration ${path ?? DEFAULT_CONFIG} can't be read: ${formatError(thrown)}`);
  }
}

async function parseConfigText(text: string, path: string): Promise<ConfigFile> {
  const { parseDocuments } = await import("../../encoding/yaml.ts");
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") throw new UsageError(`${path} is not valid YAML: ${parsed.message}`);
  if (parsed.documents.length > 1) throw new UsageError(`${path} has more than one YAML document`);
  const result = await parseConfig(parsed.documents[0] ?? {});
  if (result.kind === "invalid") throw new UsageError(`${path}: ${result.problem}`);
  return { ...result.config, path };
}
