import { parseDocuments } from "../../encoding/yaml.ts";
import { readTextFile } from "../../files/named-file.ts";
import { type SettingValue, parseConfig } from "../../format/document/config-parser.ts";
import { formatError, UsageError, errorCode } from "../../model/errors.ts";
import { formatDidYouMean, formatCount, joinNames, sortNames, summarizeNames } from "../../model/text.ts";
import type { ConfigFile, Setting, Settings } from "./command.ts";
import { requireSingleText, parseDuration } from "./values.ts";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasLapsed, isUnseenRiskName } from "../../model/unseen.ts";
import { formatTime } from "../../model/time.ts";
import type { Io } from "../io/io.ts";

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
    throw new UsageError(
      `the configuration ${path} can't be read: ${formatError(thrown)}; correct --config, or write --no-config`,
    );
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

const MAX_CONFIG_BYTES = 1024 * 1024;

type FlagSetting = readonly [flag: string, setting: Setting];

/**
 * Reads a file of the current folder that nobody named; undefined if there is none. Links are not followed: what they lead to could end up
 * in a message. Pipes and devices are refused, which could keep the command waiting.
 */
async function readFoundConfig(path: string): Promise<string | undefined> {
  const file = await openFoundConfig(path);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UsageError(`${path} is not a regular file: ${REMEDY}`);
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: MAX_CONFIG_BYTES, autoClose: false })) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (bytes.length > MAX_CONFIG_BYTES) throw new UsageError(`${path} has more than 1 MiB: ${REMEDY}`);
    return bytes.toString("utf8");
  } finally {
    await file.close();
  }
}

const REMEDY = "name a file with --config, or use --no-config";

async function openFoundConfig(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new UsageError(`${path} is a symbolic link: ${REMEDY}`);
    throw new UsageError(`the configuration ${path} can't be read: ${formatError(thrown)}`);
  }
}

/** Throws a UsageError if the file holds more than accepted risks and the settings with a range for such files. */
function requireFoundRights(config: ConfigFile, settings: readonly FlagSetting[]): void {
  const [check] = config.acceptChecks;
  if (check !== undefined) throw refuse(config, `accepts that the check ${check.check} is left out`, settings);
  const [grant] = config.checks;
  if (grant !== undefined) throw refuse(config, `lets the checks of ${grant.origin} read more`, settings);
  if (config.programs !== undefined) throw refuse(config, "says which programs commands of checks may run", settings);
  const unseen = config.accept.find(({ risk }) => isUnseenRiskName(risk));
  if (unseen !== undefined)
    throw refuse(config, `accepts ${unseen.risk}, which stands for what was not seen`, settings);
  for (const [flag, value] of Object.entries(config.settings)) {
    const problem = describeSettingProblem(flag, value, settings);
    if (problem !== undefined) throw refuse(config, problem, settings);
  }
}

function refuse({ path }: ConfigFile, problem: string, settings: readonly FlagSetting[]): UsageError {
  const flags = sortNames(settings.flatMap(([flag, setting]) => (getFoundRange(setting) === undefined ? [] : [flag])));
  return new UsageError(
    `${path} ${problem}: a file that was only found may accept risks and set ${joinNames(flags)}. If you trust it, name it with --config ${path}; --no-config leaves it out`,
  );
}

function getFoundRange(setting: Setting): readonly [least: string | number, most: string | number] | undefined {
  if (setting.type === "number") return setting.range;
  return setting.type === "duration" ? setting.foundRange : undefined;
}

function describeSettingProblem(
  flag: string,
  value: SettingValue,
  settings: readonly FlagSetting[],
): string | undefined {
  const ranges = settings.flatMap(([name, setting]) => (name === flag ? [getFoundRange(setting)] : []));
  const range = ranges.find((one) => one !== undefined);
  if (range === undefined) return `sets "${flag}"`;
  const [least, most] = range;
  const amount = toAmount(value, flag, least);
  if (amount === undefined) return `sets "${flag}" to what is no ${typeof least === "number" ? "number" : "duration"}`;
  const isWithin = amount >= (toAmount(least, flag, least) ?? 0) && amount <= (toAmount(most, flag, least) ?? 0);
  return isWithin ? undefined : `sets "${flag}" to ${String(value)}, which is not between ${least} and ${most}`;
}

/** A number, or a duration in milliseconds, whichever the setting's least value is. */
function toAmount(value: SettingValue, flag: string, least: string | number): number | undefined {
  if (typeof least === "number") return typeof value === "number" ? value : undefined;
  return typeof value === "string" || typeof value === "number" ? parseDuration(String(value), flag) : undefined;
}

/**
 * Says on stderr that a file which nobody named is used, and what it does. `isPast`: what is judged was read earlier, so that an entry which
 * has lapsed since may still hold.
 */
export function announceConfig(config: ConfigFile | undefined, isPast: boolean, io: Io): void {
  if (config?.origin !== "found") return;
  const today = formatTime(io.now());
  const names = sortNames(config.accept.flatMap((entry) => (isPast || !hasLapsed(entry, today) ? entry.risk : [])));
  const settings = Object.entries(config.settings).map(([flag, value]) => `${flag} to ${String(value)}`);
  const parts = [
    ...(names.length === 0 ? [] : [`accepts ${formatCount(names.length, "risk")} (${summarizeNames(names)})`]),
    ...(settings.length === 0 ? [] : [`sets ${joinNames(settings)}`]),
  ];
  if (parts.length > 0)
    io.err(`preflight: ${config.path} of this folder ${parts.join(" and ")}; --no-config leaves it out\n`);
}
