import { formatTable, updatePage } from "../shared/markdown.ts";
import { type PeerScore, countFaults } from "./comparison.ts";
import { type FaultKind, type Question, readFaults } from "./data.ts";

/** A column of the table; `run` is absent for a program that was not run. */
export type PeerColumn = {
  readonly name: string;
  readonly asks: readonly Question[];
  readonly score: PeerScore;
  readonly time?: { readonly cpu: number; readonly wall: number };
};

/** What was compared. */
export type PeerInput = {
  readonly seed: number;
  readonly objects: number;
  readonly files: number;
  readonly minor: number;
};

const PAGE = "docs/design/peers.md";

export function formatScores(columns: readonly PeerColumn[]): string {
  const kinds = readFaults();
  const total = (column: PeerColumn, of: readonly FaultKind[]): string =>
    `${of.reduce((sum, { fault }) => sum + (column.score.found.get(fault) ?? 0), 0)} of ${countFaults(of)}`;
  const asked = ({ asks }: PeerColumn): readonly FaultKind[] => kinds.filter((kind) => asks.includes(kind.asks));
  const seconds = (value: number | undefined): string => (value === undefined ? "" : `${value.toFixed(2)} s`);
  const rows = [
    ...kinds.map(({ fault, asks, plants }) => [
      fault,
      `${plants.length}`,
      ...columns.map((column) => {
        const count = column.score.found.get(fault) ?? 0;
        return count === 0 && !column.asks.includes(asks) ? "–" : `${count}`;
      }),
    ]),
    ["**all**", `${countFaults(kinds)}`, ...columns.map((column) => `**${total(column, kinds)}**`)],
    ["of those that it looks for", "", ...columns.map((column) => total(column, asked(column)))],
    ["false", "", ...columns.map(({ score }) => `${score.wrong.length}`)],
    ["CPU time", "", ...columns.map(({ time }) => seconds(time?.cpu))],
    ["wall time", "", ...columns.map(({ time }) => seconds(time?.wall))],
  ];
  return formatTable(["kind of fault", "planted", ...columns.map(({ name }) => name)], rows);
}

export function writeScores(columns: readonly PeerColumn[], { seed, objects, files, minor }: PeerInput): void {
  const intro = `${objects} objects in ${files} files (seed ${seed}), judged for Kubernetes 1.${minor}.`;
  updatePage(PAGE, { faults: `${intro}\n\n${formatScores(columns)}` }, "npm run peers -- --write");
}
