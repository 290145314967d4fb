import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { failWith } from "../../../model/errors.ts";

/** Writes a file that is not there yet, and its folder. */
export async function writeNewFile(file: string, text: string): Promise<void> {
  await write(file, text).catch(failWith(`${file} can't be written`));
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
}
