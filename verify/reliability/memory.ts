import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Exchange } from "./fault-server.ts";
import { createEndlessList } from "./endless-list.ts";
import { FAULTS } from "./faults.ts";
import { formatTable } from "../shared/markdown.ts";
import { checkWithFault, type Run, runAndMeasure } from "./run.ts";

/** A run over input that is made to take memory. */
type MemoryCase = { readonly input: string; readonly command: string; readonly run: (folder: string) => Promise<Run> };

const PAGE = 500;
const NODES = 7_000_000;
const EMPTY_OBJECTS = 4_000_000;
const SMALL_HEAP = "--max-old-space-size=48";
const RUNNER = ["--format=preflight-v1-json", "--interval", "0"];

const CASES: readonly MemoryCase[] = [
  {
    input: "blocked PodDisruptionBudgets without a last page",
    command: "check",
    run: checkList(createEndlessList(PAGE)),
  },
  ...["a page of small objects without an end", "an object of 6 MiB of empty objects"].map((name) => ({
    input: name,
    command: "check",
    run: checkList(FAULTS.find((fault) => fault.name === name)?.strike),
  })),
  { input: "14 MiB of YAML with 7,000,000 nodes in the target", command: "check", run: checkManifest },
  {
    input: "a recording of 4,000,000 empty objects, with 48 MiB of heap",
    command: "check",
    run: readRecording(["check", "-o", "json"]),
  },
  { input: "the same", command: "the runner", run: readRecording(RUNNER) },
];

export async function buildMemoryTable(folder: string): Promise<string> {
  const rows: (readonly string[])[] = [];
  for (const { input, command, run } of CASES) {
    const { outcome, code, seconds, peak } = await run(folder);
    rows.push([input, command, outcome, `${code}`, `${seconds}`, `${peak}`]);
  }
  return formatTable(["Input", "Run", "Outcome", "Exit code", "Seconds", "Peak MiB"], rows);
}

function checkList(fault: ((exchange: Exchange) => void) | undefined): MemoryCase["run"] {
  if (fault === undefined) throw new Error("the fault has another name");
  return (folder) => checkWithFault(folder, { times: Infinity, fault });
}

async function checkManifest(folder: string): Promise<Run> {
  const target = join(folder, "nodes");
  await mkdir(target);
  await writeFile(join(target, "release-metadata"), '{"kind":"cincinnati-metadata-v0","version":"4.18.6"}');
  const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}";
  await writeFile(join(target, "0000_50_a.yaml"), `${head}\ndata: [${"1,".repeat(NODES)}1]\n`);
  return runAndMeasure(["check", "--recorded", "demo", "--target", target, "--only", "crd-skew", "-o", "json"]);
}

function readRecording(args: readonly string[]): MemoryCase["run"] {
  return async (folder) => {
    const recording = join(folder, "huge.json");
    await writeFile(recording, `{"/api/v1/pods":{"items":[${"{},".repeat(EMPTY_OBJECTS)}{}]}}`);
    return runAndMeasure([...args, "--recorded", recording, "--target-version", "4.18.6"], {
      NODE_OPTIONS: SMALL_HEAP,
    });
  };
}
