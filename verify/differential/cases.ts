import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, parseObject } from "../../src/model/json.ts";
import type { Difference } from "./comparison.ts";
import { readRound } from "./generate-round.ts";
import type { Round } from "./round.ts";

/** Writes a difference with what is needed to ask again, and returns its path. */
export function writeCase(folder: string, { round, way, kind, ours, theirs }: Difference): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${`${round.name} ${way}`.replaceAll(/[^\w.-]+/g, "-")}.json`);
  writeFileSync(path, `${JSON.stringify({ kind, way, ours, theirs, round }, null, 2)}\n`);
  return path;
}

export function readCase(path: string): Round {
  return readRound(JSON.stringify(at(parseObject(readFileSync(path, "utf8")), "round") ?? {}));
}
