import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { findCacheBase } from "../../files/private-folder.ts";
import type { ParsedFilesPlace } from "../../release/payload/parsed-files.ts";
import { VERSION } from "../io/program.ts";

/** One place for each target and each build of the program; undefined where this user has no folder for caches. */
export function findParsedFilesPlace(folders: readonly string[], now: Date): ParsedFilesPlace | undefined {
  const base = findCacheBase(process.env);
  const program = statSync(process.argv[1] ?? "", { throwIfNoEntry: false });
  if (base === undefined || program === undefined || VERSION.endsWith("-source")) return undefined;
  const key = [VERSION, program.size, program.mtimeMs, ...folders.map((folder) => resolve(folder))];
  return { base, name: hash("sha256", JSON.stringify(key)), now };
}
