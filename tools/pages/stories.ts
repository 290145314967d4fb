import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import { readRecording } from "../../verify/fleet/recorded-cluster.ts";
import { applyJsonPatch } from "../../verify/shared/json-patch.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCommand } from "./demo-output.ts";
import { STORIES, type Patches, type Story } from "./story-list.ts";

/** A recording, and the version of the target. */
export type StoryState = { readonly cluster: JsonObject; readonly target: string };

/** What `preflight check` says of each story's risk, as a part of the page; the working directory is the project's. */
export async function buildStoryOutputs(): Promise<Readonly<Record<string, string>>> {
  const outputs: Record<string, string> = {};
  for (const [name, story] of Object.entries(STORIES)) {
    const output = await checkStory(readStory(story), []);
    outputs[name] = ["```text", ...selectBlocks(output, story.risk), "```"].join("\n");
  }
  return outputs;
}

/** The first line, and of the rest what is about the risk. */
function selectBlocks(output: string, risk: string): readonly string[] {
  const [head = "", ...blocks] = output.trimEnd().split("\n\n");
  const own = blocks.map((block) => selectLines(block, risk)).filter((lines) => lines.length > 0);
  if (own.length === 0) throw new Error(`the story's output lacks ${risk}`);
  return [head.split("\n")[0] ?? "", ...own.flatMap((lines) => ["", ...lines])];
}

/** The line that names the risk, and what is indented below it: in a list, other risks are its neighbors. */
function selectLines(block: string, risk: string): readonly string[] {
  const lines = block.split("\n");
  const start = lines.findIndex((line) => line.includes(risk));
  if (start < 0) return [];
  const depth = (line = ""): number => line.search(/\S/);
  const end = lines.findIndex((line, i) => i > start && depth(line) <= depth(lines[start]));
  return lines.slice(start, end < 0 ? lines.length : end);
}

const DEMO_TARGET = "4.18.6";

/** The cluster before the update. */
export function readStory({ planted }: Story): StoryState {
  return { cluster: withPatches(readRecording("demo/cluster.json"), planted ?? {}), target: DEMO_TARGET };
}

/** The cluster, or the target, after what was done. */
export function withDone({ cluster, target }: StoryState, { done }: Story): StoryState {
  return "target" in done ? { cluster, target: done.target } : { cluster: withPatches(cluster, done.patches), target };
}

function withPatches(cluster: JsonObject, patches: Patches): JsonObject {
  const patched = Object.entries(patches).map(([path, operations]) => {
    if (listAt(cluster, path, "items").length + Object.keys(objectAt(cluster, path)).length === 0)
      throw new Error(`the demo lacks ${path}`);
    return [path, applyJsonPatch(objectAt(cluster, path), operations)];
  });
  return { ...cluster, ...Object.fromEntries(patched) };
}

/** After the demo's newest object. */
const NOW = new Date("2026-03-02T10:00:00Z");

/** What `preflight check` writes to stdout, with the same names of folders at every run. */
export async function checkStory({ cluster, target }: StoryState, more: readonly string[]): Promise<string> {
  const demo = join(process.cwd(), "demo", "release");
  return withTemporaryFolder("story", async (folder) => {
    for (const name of ["cluster", "release"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "cluster", "cluster.json"), JSON.stringify(cluster));
    for (const name of readdirSync(demo)) {
      const text = readFileSync(join(demo, name), "utf8");
      writeFileSync(join(folder, "release", name), text.replaceAll(`"${DEMO_TARGET}"`, `"${target}"`));
    }
    const args = ["check", "--recorded", "cluster", "--target", "release", ...more];
    return inFolder(folder, () => runCommand(args, { now: NOW, isOutTerminal: false }));
  });
}

async function inFolder<T>(folder: string, use: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await use();
  } finally {
    process.chdir(before);
  }
}
