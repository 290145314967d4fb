import { dirname, isAbsolute, resolve } from "node:path";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { type Json, type JsonObject, isList, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { parseDocuments } from "../../encoding/yaml.ts";
import type { GivenKubeconfig } from "./connection.ts";
import { readTextFile } from "../../files/named-file.ts";

const MAX_KUBECONFIG_BYTES = 16 << 20;

/** Merged kubeconfig files, with absolute paths. `origin` names the files for messages. */
export type Kubeconfig = {
  readonly origin: string;
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, JsonObject>;
  readonly clusters: ReadonlyMap<string, JsonObject>;
  readonly users: ReadonlyMap<string, JsonObject>;
};

/**
 * Reads and merges files as kubectl does: the first file that defines an entry, or the current context, wins. Skips files that don't
 * exist, unless `required`. Throws a FailedError that names the file.
 */
export async function readKubeconfig(files: readonly string[], required: boolean): Promise<Kubeconfig> {
  const read = await Promise.all(files.map((file) => readKubeconfigFile(file, required)));
  return mergeKubeconfigs(read.filter((config) => config !== undefined));
}

export function isEmpty(config: Kubeconfig): boolean {
  return config.contexts.size === 0 && config.clusters.size === 0 && config.currentContext === "";
}

async function readKubeconfigFile(file: string, required: boolean): Promise<Kubeconfig | undefined> {
  const text = await readText(file, required);
  if (text === undefined) return undefined;
  const { clusters, users, ...others } = parseParts(file, text);
  const folder = dirname(file);
  return {
    ...others,
    clusters: mapValues(clusters, (one) => resolveFiles(one, CLUSTER_FILE_KEYS, folder)),
    users: mapValues(users, (one) => resolveUserFiles(one, folder)),
  };
}

function parseParts(origin: string, text: string): Kubeconfig {
  const config = parseKubeconfig(origin, text);
  return {
    origin,
    currentContext: textAt(config, "current-context") ?? "",
    contexts: parseEntries(origin, config, "contexts", "context"),
    clusters: parseEntries(origin, config, "clusters", "cluster"),
    users: parseEntries(origin, config, "users", "user"),
  };
}

/** Who may write it could otherwise have this machine run a command, or send a file of it to a server. Throws a FailedError then. */
export function parseGivenKubeconfig({ origin, text }: GivenKubeconfig): Kubeconfig {
  const config = parseParts(origin, text);
  const entries = [...config.clusters.values(), ...config.users.values()];
  const key = LOCAL_KEYS.find((one) => entries.some((entry) => entry[one] !== undefined));
  if (key === undefined) return config;
  throw new FailedError(
    `The kubeconfig in ${origin} has ${key}, which names something of this machine: write it to a file and name that, if you trust it`,
  );
}

const OTHER = "name another one with --kubeconfig or KUBECONFIG";

async function readText(file: string, required: boolean): Promise<string | undefined> {
  try {
    return await readTextFile(file, MAX_KUBECONFIG_BYTES);
  } catch (error) {
    const missing = errorCode(error) === "ENOENT";
    if (missing && !required) return undefined;
    const why = missing ? "no such file" : formatError(error);
    throw new FailedError(`Kubeconfig ${file} can't be read: ${why}: ${OTHER}`);
  }
}

function parseKubeconfig(file: string, text: string): JsonObject {
  const config = parseYaml(file, text);
  if (config === undefined) return {};
  if (!isObject(config)) throw new FailedError(`Kubeconfig ${file} is not a kubeconfig: it holds no mapping: ${OTHER}`);
  return config;
}

/** Undefined for an empty file. */
function parseYaml(file: string, text: string): Json | undefined {
  const parsed = parseDocuments(text);
  const [document, ...others] = parsed.kind === "documents" ? parsed.documents : [];
  if (parsed.kind === "documents" && others.length === 0) return document;
  const why = parsed.kind === "invalid" ? parsed.message : "it has more than one document";
  throw new FailedError(`Kubeconfig ${file} is not YAML: ${why}`);
}

function parseEntries(file: string, config: JsonObject, list: string, key: string): ReadonlyMap<string, JsonObject> {
  const items = config[list] ?? [];
  if (!isList(items)) throw new FailedError(`Kubeconfig ${file} is not a kubeconfig: ${list} is not a list`);
  const entriesByName = new Map<string, JsonObject>();
  for (const [i, entry] of items.entries()) {
    const name = textAt(entry, "name");
    if (!name) throw new FailedError(`Kubeconfig ${file} is not a kubeconfig: ${list}[${i}] has no name`);
    if (!entriesByName.has(name)) entriesByName.set(name, objectAt(entry, key));
  }
  return entriesByName;
}

const CLUSTER_FILE_KEYS = ["certificate-authority"];
const USER_FILE_KEYS = ["client-certificate", "client-key", "tokenFile"];
const LOCAL_KEYS = [...CLUSTER_FILE_KEYS, ...USER_FILE_KEYS, "exec", "auth-provider"];

/** Relative paths are relative to the folder of the file that holds them. */
function resolveFiles(entry: JsonObject, keys: readonly string[], folder: string): JsonObject {
  const changed: Record<string, Json> = { ...entry };
  for (const key of keys) {
    const path = textAt(entry, key);
    if (path && !isAbsolute(path)) changed[key] = resolve(folder, path);
  }
  return changed;
}

/** A plugin's command without a folder is searched in PATH; one with a folder, such as "./plugin", is beside the file. */
function resolveUserFiles(user: JsonObject, folder: string): JsonObject {
  const changed = resolveFiles(user, USER_FILE_KEYS, folder);
  const command = textAt(user, "exec", "command");
  if (!command?.includes("/")) return changed;
  return { ...changed, exec: resolveFiles(objectAt(user, "exec"), ["command"], folder) };
}

function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    origin: configs.map((config) => config.origin).join(", "),
    currentContext: configs.map((config) => config.currentContext).find((name) => name !== "") ?? "",
    contexts: mergeEntries(configs.map((config) => config.contexts)),
    clusters: mergeEntries(configs.map((config) => config.clusters)),
    users: mergeEntries(configs.map((config) => config.users)),
  };
}

function mergeEntries<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...map].map(([name, value]) => [name, change(value)]));
}

/** The groups, uid and extra fields to impersonate; client-node supports only the user. */
export function buildImpersonationHeaders(user: JsonObject): Readonly<Record<string, string | readonly string[]>> {
  const headers: Record<string, string | readonly string[]> = {};
  const groups = listAt(user, "as-groups").filter((group) => typeof group === "string");
  const uid = textAt(user, "as-uid");
  if (groups.length > 0) headers["Impersonate-Group"] = groups;
  if (uid) headers["Impersonate-Uid"] = uid;
  for (const key of Object.keys(objectAt(user, "as-user-extra"))) {
    const values = listAt(user, "as-user-extra", key).filter((value) => typeof value === "string");
    headers[`Impersonate-Extra-${escapeHeaderKey(key)}`] = values;
  }
  return headers;
}

/** As client-go: every byte that a header's name can't hold, and "%" itself, as "%" and two digits. */
function escapeHeaderKey(key: string): string {
  const escape = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  const text = Buffer.from(key).toString("latin1");
  return text.replaceAll(/[^!#$&'*+.^_`|~0-9A-Za-z-]/g, (character) => escape(character.charCodeAt(0)));
}
