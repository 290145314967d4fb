import { createHash } from "node:crypto";
import { readYamlFiles, type FileText } from "../../files/yaml-files.ts";
import { CHECKS_FOLDER, getCheckFileName } from "../../model/site-checks.ts";

const LIMITS = { maxBytes: 64 * 1024, maxFiles: 100, leaveOut: "cases" };

/** A pod names the folder of the ConfigMap whether there is one or not. */
function isNamed(path: string): boolean {
  return path !== CHECKS_FOLDER;
}

/** The files of --checks. `empty`: folders without any. */
export type CheckFiles = {
  readonly files: readonly FileText[];
  readonly absent: readonly string[];
  readonly empty: readonly string[];
  /** Of all files. */
  readonly digest: string;
};

export async function readCheckFiles(paths: readonly string[]): Promise<CheckFiles> {
  const found = new Map<string, FileText>();
  const [absent, empty]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const read = await readYamlFiles(path, LIMITS);
    if (read === undefined) absent.push(path);
    if (read?.length === 0) empty.push(path);
    for (const file of read ?? []) found.set(file.name, { ...file, name: getCheckFileName(file.name) });
  }
  const files = [...found.values()];
  return { files, absent: absent.filter(isNamed), empty: empty.filter(isNamed), digest: getDigest(files) };
}

function getDigest(files: readonly FileText[]): string {
  return createHash("sha256").update(JSON.stringify(files)).digest("hex");
}
