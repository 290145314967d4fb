import { basename, join, sep } from "node:path";
import { stat } from "node:fs/promises";
import { readKubeconfig, type Kubeconfig } from "../../../cluster/access/kubeconfig.ts";
import { loadKubeconfig } from "../../../cluster/access/loading-rules.ts";
import { isRegularFile } from "../../../files/named-file.ts";
import { readEntries } from "../../../files/named-folder.ts";
import { matchesPattern } from "../../../format/fleet/groups.ts";
import { FailedError, errorCode, formatError, UsageError } from "../../../model/errors.ts";
import { compareText, textAt } from "../../../model/json.ts";
import { joinNames, sortNames, summarizeNames, findNearestName } from "../../../model/text.ts";
import type { Io } from "../../io/io.ts";
import type { ReachableCluster } from "../../process/messages.ts";

/** A cluster to check, or a part of the input that names none, and why. */
export type ListedCluster =
  | ({ readonly kind: "reachable" } & ReachableCluster)
  | { readonly kind: "unusable"; readonly name: string; readonly message: string };

type Values = { readonly kubeconfig: readonly string[]; readonly context: readonly string[] };

/**
 * The clusters that the kubeconfigs name, each name once. A file that can't be used is one of them, so that nobody misses its cluster.
 * Throws if a part of the input names no cluster.
 */
export async function listClusters({ kubeconfig, context }: Values, io: Io): Promise<readonly ListedCluster[]> {
  const files =
    kubeconfig.length === 0
      ? [await readDefault(io)]
      : await Promise.all((await findKubeconfigs(kubeconfig)).map(readFile));
  const unusable = files.filter((one) => one.kind === "unusable");
  const missing = listMissing(context, files);
  return numberNames<ListedCluster>([
    ...files.flatMap((one) =>
      one.kind === "read" ? listContexts(one.file, one.config, context, files.length === 1) : [],
    ),
    ...unusable,
    ...missing,
  ]).toSorted((a, b) => compareText(a.name, b.name));
}

type ReadFile = { readonly kind: "read"; readonly file: string | undefined; readonly config: Kubeconfig };
type Unusable = Extract<ListedCluster, { readonly kind: "unusable" }>;

async function readDefault(io: Io): Promise<ReadFile> {
  const config = await loadKubeconfig({ env: io.env });
  if (config.contexts.size > 0) return { kind: "read", file: undefined, config };
  throw new FailedError(`${config.origin} has no context: add one, or name other files with --kubeconfig`);
}

/** Patterns without a context. A kubeconfig that can't be used may have it: then it is a cluster that could not be checked. */
function listMissing(patterns: readonly string[], files: readonly (ReadFile | Unusable)[]): readonly Unusable[] {
  const contexts = files.flatMap((one) => (one.kind === "read" ? [...one.config.contexts.keys()] : []));
  const unmatched = patterns.filter((pattern) => !contexts.some((name) => matchesPattern(pattern, name)));
  if (unmatched.length === 0) return [];
  if (files.every(({ kind }) => kind === "read")) return refusePatterns(unmatched, contexts);
  return unmatched.map((name) =>
    buildUnusable(name, `No kubeconfig that can be used has a context ${name}: choose another one with --context`),
  );
}

function buildUnusable(name: string, message: string): Unusable {
  return { kind: "unusable", name, message };
}

/** Files beside kubeconfigs that are not kubeconfigs. */
const OTHER_FILES = /^\.|\.(?:crt|cer|key|pem|p12|md|txt|token|sh|log|gz|tar|zip|tmp|bak)$/i;
/** Where installers put the kubeconfig of a cluster, below a folder of its name. */
const INNER_FILES = ["kubeconfig", join("auth", "kubeconfig")];

async function findKubeconfigs(paths: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(failWith(`--kubeconfig ${path} can't be read`));
      return stats.isDirectory() ? findInFolder(path) : [path];
    }),
  );
  const empty = paths.filter((_, i) => lists[i]?.length === 0);
  if (empty.length > 0) throw new FailedError(`${joinNames(empty)} has no kubeconfig: name other files or folders`);
  return lists.flat();
}

function failWith(what: string): (thrown: unknown) => never {
  return (thrown) => {
    throw new FailedError(`${what}: ${errorCode(thrown) === "ENOENT" ? "it does not exist" : formatError(thrown)}`);
  };
}

async function findInFolder(folder: string): Promise<readonly string[]> {
  const entries = await readEntries(folder).catch(failWith(`--kubeconfig ${folder} can't be listed`));
  const found = await Promise.all(
    entries
      .map(({ name }) => name)
      .filter((name) => !OTHER_FILES.test(name))
      .toSorted(compareText)
      .map(async (name) => {
        const path = join(folder, name);
        const candidates = [path, ...INNER_FILES.map((inner) => join(path, inner))];
        const files = await Promise.all(candidates.map(async (file) => ((await isRegularFile(file)) ? [file] : [])));
        return files.flat();
      }),
  );
  return found.flat();
}

async function readFile(file: string): Promise<ReadFile | Unusable> {
  try {
    const config = await readKubeconfig([file], true);
    if (config.contexts.size > 0) return { kind: "read", file, config };
    return buildUnusable(nameFile(file), `Kubeconfig ${file} has no context: add one, or remove the file`);
  } catch (thrown) {
    if (thrown instanceof FailedError) return buildUnusable(nameFile(file), thrown.message);
    throw thrown;
  }
}

/** What says nothing of a cluster. Installers call every context "admin", so a file of one context has the better name otherwise. */
const GENERIC_NAMES: readonly string[] = ["config", "kubeconfig"];

/** A cluster is named after its kubeconfig file, and also after the context if the file has several; an only one after the context alone. */
function listContexts(
  file: string | undefined,
  config: Kubeconfig,
  wanted: readonly string[],
  isOnlyFile: boolean,
): readonly ListedCluster[] {
  const names = [...config.contexts.keys()].filter((name) => isWanted(name, wanted));
  const distinct = wanted.length === 0 ? dropRepeated(names, config) : names;
  return distinct.map((context) => {
    if (file === undefined) return { kind: "reachable", name: context, context };
    const isNamed = config.contexts.size === 1 && !GENERIC_NAMES.includes(nameFile(file));
    if (isOnlyFile && distinct.length === 1 && !isNamed)
      return { kind: "reachable", name: context, kubeconfig: file, context };
    const name = config.contexts.size === 1 || distinct.length === 1 ? nameFile(file) : `${nameFile(file)}/${context}`;
    return { kind: "reachable", name, kubeconfig: file, context };
  });
}

/** `oc` adds a context for each project of a cluster. The current one stands for the others. */
function dropRepeated(names: readonly string[], config: Kubeconfig): readonly string[] {
  const sorted = names.toSorted(
    (a, b) => Number(b === config.currentContext) - Number(a === config.currentContext) || compareText(a, b),
  );
  const seen = new Set<string>();
  return sorted.filter((name) => {
    const entry = config.contexts.get(name);
    const server = textAt(config.clusters.get(textAt(entry, "cluster") ?? ""), "server");
    const key = JSON.stringify([server ?? name, textAt(entry, "user")]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const EXTENSION = /\.(?:ya?ml|json|conf|config|kubeconfig)$/i;

/** "prod-1" of prod-1.yaml, of prod-1/kubeconfig and of prod-1/auth/kubeconfig. */
function nameFile(file: string): string {
  const parts = file.split(sep).filter((part) => part !== "" && part !== "." && part !== "..");
  const inner = INNER_FILES.toReversed().find((path) => file.endsWith(`${sep}${path}`));
  const folder = inner === undefined ? undefined : parts.at(-1 - inner.split(sep).length);
  return folder ?? basename(file).replace(EXTENSION, "");
}

/** Tells apart files of one name in different folders, and contexts of one name. */
export function numberNames<Named extends { readonly name: string }>(clusters: readonly Named[]): readonly Named[] {
  const counts = new Map<string, number>();
  return clusters.map((cluster) => {
    const number = (counts.get(cluster.name) ?? 0) + 1;
    counts.set(cluster.name, number);
    return number === 1 ? cluster : { ...cluster, name: `${cluster.name} (${number})` };
  });
}

/** Whether --context selects a context; without the flag it selects each. */
function isWanted(name: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, name));
}

/** A misspelt name must not leave clusters out in silence, whatever the other names select. */
function refusePatterns(unmatched: readonly string[], contexts: readonly string[]): never {
  const known = sortNames(contexts);
  const named = unmatched.map((pattern) => {
    const nearest = findNearestName(pattern, known);
    return nearest === undefined ? `"${pattern}"` : `"${pattern}" (nearest: ${nearest})`;
  });
  const there = known.length === 0 ? "no context" : summarizeNames(known);
  throw new UsageError(`no context matches --context ${joinNames(named)}: the kubeconfigs have ${there}`);
}
