/** Writes docs/reliability.md: how `preflight check` handles each fault of an API server. Runs it against a mock. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFaultServer } from "../test/support/fault-server.ts";
import { FAULTS, type Fault } from "../test/support/faults.ts";
import { formatTable, replaceParts } from "./pages/markdown.ts";
import { buildMemoryTable } from "./reliability/memory.ts";
import { type Run, runAndMeasure, writeKubeconfig } from "./reliability/run.ts";

const ROOT = join(import.meta.dirname, "..");
const PATH = "/apis/policy/v1/poddisruptionbudgets";
const CHECK_TIMEOUT = "10s";
const RESTART_MS = 1_000;

async function runCheck(folder: string, fault: Fault, times: number): Promise<Run> {
  const server = await startFaultServer(join(ROOT, "demo", "cluster.json"), {
    isStruck: (path) => path === PATH,
    times,
    fault(exchange) {
      fault.strike(exchange);
      if (times === 1) setTimeout(() => void server.restart(), RESTART_MS);
    },
  });
  const kubeconfig = await writeKubeconfig(folder, server.url);
  const args = ["--kubeconfig", kubeconfig, "--target-version", "4.18.6", "--only", "drain-blocked"];
  const run = await runAndMeasure(["check", ...args, "--check-timeout", CHECK_TIMEOUT, "-o", "json"]);
  server.close();
  return run;
}

function listCells({ outcome, code, seconds }: Run): readonly string[] {
  return [outcome, `${code}`, `${seconds}`];
}

/** If the check's timeout is shorter than that of a silent connection, there is no time to retry. */
function formatRecovery({ outcome }: Run): string {
  return outcome === "risk" ? "in the same read" : "with the next cycle";
}

const folder = await mkdtemp(join(tmpdir(), "preflight-reliability-"));
const rows: (readonly string[])[] = [];
for (const fault of FAULTS) {
  const [lasting, once] = [await runCheck(folder, fault, Infinity), await runCheck(folder, fault, 1)];
  rows.push([fault.name, ...listCells(lasting), ...listCells(once), formatRecovery(once)]);
}
const header = ["If it lasts", "Exit code", "Seconds", "If it strikes once", "Exit code", "Seconds", "Recovers"];
const parts = { faults: formatTable(["Fault of the list", ...header], rows), memory: await buildMemoryTable(folder) };
await rm(folder, { recursive: true });
const page = join(ROOT, "docs", "reliability.md");
await writeFile(page, replaceParts(await readFile(page, "utf8"), parts, "npm run reliability"));
