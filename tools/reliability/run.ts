import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { listAt, parseObject, textAt } from "../../src/model/json.ts";
import { startPreflight } from "../../test/support/preflight.ts";
import { readMemory } from "../bench/process-memory.ts";

const SAMPLE_MS = 50;

/** How one run of the executable ended. `peak` is in MiB, of all its processes. */
export type Run = {
  readonly outcome: string;
  readonly code: number | null;
  readonly seconds: number;
  readonly peak: number;
  readonly out: string;
};

export async function runAndMeasure(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const start = performance.now();
  const running = startPreflight(args, env);
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, readMemory(running.pid))), SAMPLE_MS);
  const { code, out, err } = await running.result;
  clearInterval(sampler);
  const seconds = Math.round((performance.now() - start) / 1_000);
  return { outcome: formatOutcome(out, err), code, seconds, peak: Math.round(peak), out };
}

/** The outcome of the first check that was run and is risk or unknown, else of the first; why the run failed; or how the last line on stderr begins. */
function formatOutcome(out: string, err: string): string {
  const document = parseObject(out);
  const failure = textAt(document, "failure", "reason");
  if (failure !== undefined) return `failed (${failure})`;
  const checks = listAt(document ?? {}, "checks").filter((one) => textAt(one, "unknowns", 0, "reason") !== "LeftOut");
  const check = checks.find((one) => /^(?:risk|unknown)$/.test(textAt(one, "outcome") ?? "")) ?? checks[0];
  const outcome = textAt(check, "outcome");
  if (outcome === undefined) return (err.trim().split("\n").at(-1) ?? "").replace(/^preflight: ([^:]*).*/, "$1");
  const reason = textAt(check, "unknowns", 0, "reason");
  return `${outcome}${reason === undefined ? "" : ` (${reason})`}`;
}

/** Writes a kubeconfig for a server; resolves with its path. */
export async function writeKubeconfig(folder: string, server: string): Promise<string> {
  const path = join(folder, "config");
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user: { token: "t" } }],
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}
