import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** In memory where there is such a folder: writing to a disk would take most of the time. */
const MEMORY = "/dev/shm";
let folder: string | undefined;

/** The path of a file with this content, for code that reads files. There is one folder for each process, and it goes with it. */
export function writeScratch(name: string, content: string | Uint8Array): string {
  folder ??= openFolder();
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A folder of its own for code that reads a whole one. */
export function openScratchFolder(name: string): {
  readonly path: string;
  readonly write: (file: string, content: string) => void;
} {
  folder ??= openFolder();
  const path = join(folder, name);
  mkdirSync(path);
  return { path, write: (file, content) => writeFileSync(join(path, file), content) };
}

function openFolder(): string {
  const opened = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "preflight-fuzz-"));
  process.once("exit", () => rmSync(opened, { recursive: true, force: true }));
  return opened;
}
