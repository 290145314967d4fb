/** How `preflight check` handles each fault of an API server. Runs it against a mock: `npm run reliability -- --write`. */
import type { Exchange } from "./reliability/fault-server.ts";
import { FAULTS, type Fault } from "./reliability/faults.ts";
import { COMMON, requireFlags } from "./shared/flags.ts";
import { withTemporaryFolder } from "./shared/temporary-folder.ts";
import { formatTable, updatePage } from "./shared/markdown.ts";
import { buildMemoryTable } from "./reliability/memory.ts";
import { checkWithFault, type Run } from "./reliability/run.ts";

/** A fault that goes on sending ends with the cycle. */
const LIMITS = ["--check-timeout", "10s", "--cycle-timeout", "20s"];
const RESTART_MS = 1_000;

const { values } = requireFlags({
  command: "npm run reliability --",
  about: "Checks a cluster under every fault of an API server, each for ever and once.",
  flags: {
    write: COMMON.write,
    case: { ...COMMON.case, help: "one fault by its name, and nothing else" },
  },
});

function runCheck(folder: string, { strike }: Fault, times: number): Promise<Run> {
  const fault = (exchange: Exchange, restart: () => void): void => {
    strike(exchange);
    if (times === 1) setTimeout(restart, RESTART_MS);
  };
  return checkWithFault(folder, { times, fault }, ...LIMITS);
}

function listCells({ outcome, code, seconds }: Run): readonly string[] {
  return [outcome, `${code}`, `${seconds}`];
}

/** If the check's timeout is shorter than that of a silent connection, there is no time to retry. */
function formatRecovery({ outcome }: Run): string {
  return outcome === "risk" ? "in the same read" : "with the next cycle";
}

function selectFaults(): readonly Fault[] {
  const faults = FAULTS.filter(({ name }) => values.case === undefined || name === values.case);
  if (faults.length > 0) return faults;
  process.stderr.write(`there is no fault ${values.case}: ${FAULTS.map(({ name }) => name).join(", ")}\n`);
  return process.exit(2);
}

async function buildTables(folder: string): Promise<Readonly<Record<string, string>>> {
  const rows: (readonly string[])[] = [];
  for (const fault of selectFaults()) {
    const lasting = await runCheck(folder, fault, Infinity);
    const once = await runCheck(folder, fault, 1);
    rows.push([fault.name, ...listCells(lasting), ...listCells(once), formatRecovery(once)]);
  }
  const header = ["If it lasts", "Exit code", "Seconds", "If it strikes once", "Exit code", "Seconds", "Recovers"];
  const faults = formatTable(["Fault of the list", ...header], rows);
  return values.case === undefined ? { faults, memory: await buildMemoryTable(folder) } : { faults };
}

const tables = await withTemporaryFolder("reliability", buildTables);
if (values.write && values.case === undefined)
  updatePage("docs/reliability.md", tables, "npm run reliability -- --write");
else console.log(Object.values(tables).join("\n"));
