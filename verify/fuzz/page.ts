import { formatCode } from "../../src/format/text/markdown-text.ts";
import { formatTable, replaceParts } from "../shared/markdown.ts";
import type { FuzzOutcome } from "./campaign.ts";

export type PageRow = FuzzOutcome & { readonly date: string };

const HEADER = [
  "Target",
  "Executions",
  "CPU, s",
  "Branches",
  "Inputs",
  "CPU without a new branch at the end, s",
  "Findings",
  "Ended by",
  "Date",
];

/** docs/design/fuzzing.md with these runs. */
export function withRuns(page: string, rows: readonly PageRow[]): string {
  const sum = (count: (row: PageRow) => number): string => rows.reduce((all, row) => all + count(row), 0).toFixed(0);
  const total = `All together ${sum((row) => row.executions)} executions in ${sum((row) => row.cpuSeconds)} s of CPU, and ${sum((row) => row.faults.length)} findings. This is the last run of each target.`;
  return replaceParts(
    page,
    { runs: `${formatTable(HEADER, rows.map(listCells))}\n\n${total}` },
    "npm run fuzz -- --write",
  );
}

function listCells(row: PageRow): readonly string[] {
  const { target, executions, cpuSeconds, branches, inputs, progressSeconds, faults, endedBy, date } = row;
  const idle = Math.max(0, cpuSeconds - progressSeconds);
  const figures = [executions, cpuSeconds.toFixed(0), branches, inputs, idle.toFixed(0), faults.length];
  return [formatCode(target), ...figures.map(String), endedBy, date];
}
