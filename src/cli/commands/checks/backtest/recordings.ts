import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBaseFile } from "../../../../cases/base-file.ts";
import { RECORDING_FILE } from "../../../../cluster/recorded/recorded-reader.ts";
import { readEntries } from "../../../../files/named-folder.ts";
import { UsageError, failWith } from "../../../../model/errors.ts";
import { compareText } from "../../../../model/json.ts";

/** A recorded cluster by what holds it. */
export type RecordedCluster = { readonly kind: "recorded" | "must-gather" | "case"; readonly path: string };

const TAR = /\.(?:tar|tar\.gz|tgz)$/;
const CASE_FILE = "case.yaml";
/** What the folder of a must-gather or of `oc adm inspect` has. */
const ARCHIVE_PARTS = ["cluster-scoped-resources", "timestamp", "namespaces"];

/** The recorded clusters that the paths name, or that are below them; sorted within a path. */
export async function findRecordings(paths: readonly string[]): Promise<readonly RecordedCluster[]> {
  const found: RecordedCluster[] = [];
  for (const path of paths) {
    const below = await findBelow(path);
    if (below.length === 0)
      throw new UsageError(
        `${path} has no recorded cluster: name a folder of 'preflight record', a must-gather or cases`,
      );
    found.push(...below);
  }
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

async function findBelow(path: string): Promise<readonly RecordedCluster[]> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) throw new UsageError(`${path} does not exist`);
  if (!stats.isDirectory()) return classifyFile(path, true);
  return findInFolder(path);
}

/** A file that was not named is a case in a folder of cases only. */
function classifyFile(path: string, isNamed: boolean): readonly RecordedCluster[] {
  if (TAR.test(path)) return [{ kind: "must-gather", path }];
  if (path.endsWith(".yaml")) return isNamed || isCaseFile(path) ? [{ kind: "case", path }] : [];
  return isNamed ? [{ kind: "recorded", path }] : [];
}

function isCaseFile(path: string): boolean {
  return basename(join(path, "..")) === "cases" && !isBaseFile(basename(path));
}

async function findInFolder(folder: string): Promise<readonly RecordedCluster[]> {
  const entries = await readEntries(folder).catch(failWith(`${folder} can't be read`));
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(RECORDING_FILE) && names.has(CASE_FILE)) return [{ kind: "case", path: join(folder, CASE_FILE) }];
  if (names.has(RECORDING_FILE)) return [{ kind: "recorded", path: folder }];
  if (ARCHIVE_PARTS.some((name) => names.has(name))) return [{ kind: "must-gather", path: folder }];
  const found: RecordedCluster[] = [];
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) found.push(...(await findInFolder(path)));
    else if (entry.isFile()) found.push(...classifyFile(path, false));
  }
  return found;
}
