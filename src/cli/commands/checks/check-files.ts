import type { CheckText } from "../../../data-checks/fault.ts";
import { readYamlFiles } from "../../../files/yaml-files.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";

/** Far above what a file with checks may have, which the engine reports as a fault of it. */
const LIMITS = { maxBytes: 1 << 20, maxFiles: 1000, leaveOut: "cases" };

/** The texts of files, and of the files *.yaml in folders; without those in folders of cases. Throws if one can't be read, or if there is none. */
export async function readCheckTexts(paths: readonly string[]): Promise<readonly CheckText[]> {
  const texts: CheckText[] = [];
  for (const path of paths) texts.push(...(await readTexts(path)));
  return [...new Map(texts.map((text) => [text.name, text])).values()];
}

async function readTexts(path: string): Promise<readonly CheckText[]> {
  const files = await readYamlFiles(path, LIMITS);
  if (files === undefined) throw new UsageError(`${path} does not exist`);
  if (files.length === 0) throw new UsageError(`${path} has no file *.yaml: name a file with checks, or its folder`);
  return files.map((file) => {
    if (file.kind === "unread") throw new FailedError(`${file.name} can't be read: ${file.message}`);
    return { name: file.name, text: file.text };
  });
}
