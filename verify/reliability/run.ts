import { performance } from "node:perf_hooks";
import { listAt, parseObject, textAt } from "../../src/model/json.ts";
import { type Exchange, startFaultServer } from "./fault-server.ts";
import { writeServerKubeconfig } from "../api-server/kubeconfig.ts";
import { startPreflight } from "../shared/preflight.ts";
import { readMemory, samplePeak } from "../bench/processes.ts";

const SAMPLE_MS = 50;
const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";

/** How one run of the executable ended. `peak` is in MiB, of all its processes. */
export type Run = {
  readonly outcome: string;
  readonly code: number | null;
  readonly seconds: number;
  readonly peak: number;
  readonly out: string;
};

type Strikes = {
  readonly times: number;
  readonly fault: (exchange: Exchange, restart: () => void) => void;
};

/** Checks the demo's cluster, whose list of budgets has a fault. */
export async function checkWithFault(folder: string, strikes: Strikes, ...more: readonly string[]): Promise<Run> {
  const server = await startFaultServer("demo/cluster.json", {
    isStruck: (path) => path === BUDGETS,
    times: strikes.times,
    fault: (exchange) => strikes.fault(exchange, () => void server.restart()),
  });
  const args = ["--kubeconfig", writeServerKubeconfig(folder, server.url), "--target-version", "4.18.6"];
  const run = await runAndMeasure(["check", ...args, "--only", "drain-blocked", ...more, "-o", "json"]);
  server.close();
  return run;
}

export async function runAndMeasure(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const start = performance.now();
  const running = startPreflight(args, env);
  const takePeak = samplePeak(() => readMemory(running.pid), SAMPLE_MS);
  const { code, out, err } = await running.result;
  const peak = Math.round(takePeak());
  const seconds = Math.round((performance.now() - start) / 1_000);
  return { outcome: formatOutcome(out, err), code, seconds, peak, out };
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
