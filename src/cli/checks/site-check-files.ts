import { hash } from "node:crypto";
import { readYamlFiles, type FileText } from "../../files/yaml-files.ts";
import type { Io } from "../io/io.ts";
import type { RegistryValues } from "../settings/image-options.ts";
import type { ChecksValues } from "../settings/checks-settings.ts";
import { readArtefactTexts } from "./artefact-files.ts";
import { CHECKS_FOLDER, getCheckFileName } from "../../model/site-checks.ts";

const LIMITS = { maxBytes: 64 * 1024, maxFiles: 100, leaveOut: "cases" };

/** A pod names the folder of the ConfigMap whether there is one or not. */
function isNamed(path: string): boolean {
  return path !== CHECKS_FOLDER;
}

/** `digest`: of the text, "sha256:...". */
export type CheckFile = FileText & { readonly digest?: string };

/** The files of --checks. `empty`: folders without any. */
export type CheckFiles = {
  readonly files: readonly CheckFile[];
  readonly absent: readonly string[];
  readonly empty: readonly string[];
  /** Of all files. */
  readonly digest: string;
};

export async function readCheckFiles(
  values: Pick<ChecksValues, "checks"> & Partial<RegistryValues>,
  io: Io,
): Promise<CheckFiles> {
  const found = new Map<string, FileText>();
  const absent: string[] = [];
  const empty: string[] = [];
  for (const path of values.checks) {
    const artefact = await readArtefactTexts("checks", path, values, io);
    const read = artefact?.files ?? (await readYamlFiles(path, LIMITS));
    if (read === undefined) absent.push(path);
    if (read?.length === 0) empty.push(path);
    for (const file of read ?? []) found.set(file.name, { ...addDigest(file), name: getCheckFileName(file.name) });
  }
  const files = [...found.values()];
  return { files, absent: absent.filter(isNamed), empty: empty.filter(isNamed), digest: getDigest(files) };
}

function addDigest(file: FileText): CheckFile {
  return file.kind === "read" ? { ...file, digest: `sha256:${hash("sha256", file.text)}` } : file;
}

function getDigest(files: readonly FileText[]): string {
  return hash("sha256", JSON.stringify(files));
}
