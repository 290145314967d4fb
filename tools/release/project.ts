import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");

/** What the artefacts say about the project. */
export type Project = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
};

export async function readProject(): Promise<Project> {
  const { name, version, description, license, engines }: Project = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  return { name, version, description, license, engines };
}
