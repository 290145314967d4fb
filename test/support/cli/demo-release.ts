import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DEMO_RELEASE = join(import.meta.dirname, "../../../demo/release");

/** The files of the demo's release, as another version. */
export async function readDemoRelease(version: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of await readdir(DEMO_RELEASE)) {
    const text = await readFile(join(DEMO_RELEASE, name), "utf8");
    files[name] = name.includes(".") ? text : text.replaceAll("4.18.6", version);
  }
  return files;
}

/** A folder with the demo's release, as another version. */
export async function writeDemoRelease(folder: string, version: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(await readDemoRelease(version))) await writeFile(join(folder, name), text);
}
