import { readFileSync } from "node:fs";
import { type LoadFnOutput, registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COUNTERS, instrument } from "./instrument.ts";

const ROOT = join(import.meta.dirname, "../..");
const MAX_BRANCHES = 1 << 17;
/** This project's code, and the packages that parse the same inputs. */
const COVERED = /^(?:src\/|test\/support\/fuzz\/planted\/|node_modules\/(?:js-yaml|modern-tar|re2js)\/)/;

export type BranchCoverage = {
  readonly clear: () => void;
  /** Whether something ran that never ran before, or so often for the first time, since the last call of `clear`. */
  readonly hasNew: () => boolean;
  /** How many branches ran at least once. */
  readonly countBranches: () => number;
  /** The texts in the code that was loaded. */
  readonly texts: ReadonlySet<string>;
};

/** Counts the branches of all code that is imported from now on. */
export function openCoverage(): BranchCoverage {
  const counters = new Uint8Array(MAX_BRANCHES);
  const words = new Uint32Array(counters.buffer);
  const seen = new Uint8Array(MAX_BRANCHES);
  const texts = new Set<string>();
  let end = 0;
  let branches = 0;
  Object.assign(globalThis, { [COUNTERS]: counters });
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!isCovered(url) || loaded.format === "json") return loaded;
      const result = instrument(readCode(url, loaded.format), loaded.format === "commonjs" ? "script" : "module", end);
      end = result.end;
      if (end > MAX_BRANCHES) throw new Error(`there are more than ${MAX_BRANCHES} branches`);
      for (const text of result.texts) texts.add(text);
      return { ...loaded, format: loaded.format === "commonjs" ? "commonjs" : "module", source: result.code };
    },
  });
  const note = (index: number): boolean => {
    const before = seen[index] ?? 0;
    const bucket = toBucket(counters[index] ?? 0);
    if ((before & bucket) !== 0) return false;
    if (before === 0) branches += 1;
    seen[index] = before | bucket;
    return true;
  };
  return {
    clear: () => counters.fill(0, 0, end),
    hasNew: () => {
      let isNew = false;
      for (let word = 0; word * 4 < end; word += 1) {
        if (words[word] === 0) continue;
        for (let index = word * 4; index < word * 4 + 4; index += 1)
          if (counters[index] !== 0 && note(index)) isNew = true;
      }
      return isNew;
    },
    countBranches: () => branches,
    texts,
  };
}

function isCovered(url: string): boolean {
  return (
    url.startsWith("file:") &&
    COVERED.test(
      fileURLToPath(url)
        .slice(ROOT.length + 1)
        .replaceAll("\\", "/"),
    )
  );
}

function readCode(url: string, format: LoadFnOutput["format"]): string {
  const code = readFileSync(fileURLToPath(url), "utf8");
  return format === "module-typescript" ? stripTypeScriptTypes(code) : code;
}

/** How often a branch ran, in eight steps: a loop that runs once more is nothing new, one that runs twice as often is. */
function toBucket(count: number): number {
  if (count <= 3) return 1 << (count - 1);
  return count >= 128 ? 128 : 1 << (Math.floor(Math.log2(count)) + 1);
}
