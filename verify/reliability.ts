/** Writes docs/reliability.md: how `preflight check` handles each fault of an API server. Runs it against a mock. */
import type { Exchange } from "./reliability/fault-server.ts";
import { FAULTS, type Fault } from "./reliability/faults.ts";
import { withTemporaryFolder } from "./shared/temporary-folder.ts";
import { formatTable, updatePage } from "./shared/markdown.ts";
import { buildMemoryTable } from "./reliability/memory.ts";
import { checkWithFault, type Run } from "./reliability/run.ts";

const CHECK_TIMEOUT = "10s";
const RESTART_MS = 1_000;

function runCheck(folder: string, { strike }: Fault, times: number): Promise<Run> {
  const fault = (exchange: Exchange, restart: () => void): void => {
    strike(exchange);
    if (times === 1) setTimeout(restart, RESTART_MS);
  };
  return checkWithFault(folder, { times, fault }, "--check-timeout", CHECK_TIMEOUT);
}

function listCells({ outcome, code, seconds }: Run): readonly string[] {
  return [outcome, `${code}`, `${seconds}`];
}

/** If the check's timeout is shorter than that of a silent connection, there is no time to retry. */
function formatRecovery({ outcome }: Run): string {
  return outcome === "risk" ? "in the same read" : "with the next cycle";
}

async function buildTables(folder: string): Promise<Readonly<Record<string, string>>> {
  const rows: (readonly string[])[] = [];
  for (const fault of FAULTS) {
    const [lasting, once] = [await runCheck(folder, fault, Infinity), await runCheck(folder, fault, 1)];
    rows.push([fault.name, ...listCells(lasting), ...listCells(once), formatRecovery(once)]);
  }
  const header = ["If it lasts", "Exit code", "Seconds", "If it strikes once", "Exit code", "Seconds", "Recovers"];
  return { faults: formatTable(["Fault of the list", ...header], rows), memory: await buildMemoryTable(folder) };
}

updatePage("docs/reliability.md", await withTemporaryFolder("reliability", buildTables), "npm run reliability");
