import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPlaceholder } from "../../src/model/list-age.ts";

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

/** The file with the folder from which users download a release's files. */
const URL_FILE = "PROJECT_URL";
/** What stands in scripts and manifests as it is. */
const URL = /^https:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~-]+)*\/$/;

export async function readProjectUrl(): Promise<string> {
  const url = (await readFile(join(ROOT, URL_FILE), "utf8")).trim();
  if (!URL.test(url)) throw new Error(`${URL_FILE}: expected https://HOST/FOLDER/, found ${url}`);
  return url;
}

const UNDECIDED = join("src", "checks", "known-bugs", "undecided.yaml");

/** What keeps a release from being published. A trial is made all the same. */
export function listObstacles(url: string): readonly string[] {
  return [
    ...(isPlaceholder(url)
      ? [`${URL_FILE} has a placeholder (${url}): write the folder of the downloads into it`]
      : []),
    ...(existsSync(join(ROOT, UNDECIDED)) ? [`${UNDECIDED} has known bugs that are not decided`] : []),
  ];
}
