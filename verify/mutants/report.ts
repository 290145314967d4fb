import type { CampaignResult, Judged } from "./campaign.ts";
import { formatMutant } from "./mutation.ts";
import type { OutcomeKind } from "./trials.ts";

export type Row = Readonly<Record<OutcomeKind, number>> & { readonly name: string; readonly mutants: number };

const KINDS = ["killed", "survived", "notReached", "endless", "other", "crashed"] as const;
const TITLES: Readonly<Record<OutcomeKind, string>> = {
  killed: "killed",
  survived: "survived",
  notReached: "not reached",
  endless: "endless",
  other: "other error",
  crashed: "crashed",
};

export function countOutcomes(name: string, judged: readonly Judged[]): Row {
  const count = (kind: OutcomeKind): number => judged.filter(({ outcome }) => outcome.kind === kind).length;
  const killed = count("killed");
  const survived = count("survived");
  const notReached = count("notReached");
  const endless = count("endless");
  const other = count("other");
  const crashed = count("crashed");
  return { name, mutants: judged.length, killed, survived, notReached, endless, other, crashed };
}

/** In percent. What no test reaches is not killed; what is endless, or fails otherwise, says nothing. */
export function getKilledShare({ killed, survived, notReached }: Row): number {
  const judged = killed + survived + notReached;
  return judged === 0 ? 100 : (100 * killed) / judged;
}

export const HEADER = ["Mutants", "Killed", "Survived", "Not reached", "Endless", "Other error", "Crashed", "Share"];

export function formatCells(row: Row): readonly string[] {
  return [row.mutants, ...KINDS.map((kind) => row[kind])].map(String).concat(`${getKilledShare(row).toFixed(1)} %`);
}

/** What a person reads: who was asked, each file, the folder, and every mutant that lives. */
export function formatResult(folder: string, result: CampaignResult): string {
  const { judged, found, chosen, tests, leftOut, equivalents, stale, unknown } = result;
  const files = Map.groupBy(judged, ({ mutant }) => mutant.file);
  const rows = [...files]
    .map(([file, some]) => countOutcomes(file, some))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    ...formatLeftOut(result),
    `${tests} tests, ${leftOut.length} left out`,
    "",
    ...[...rows, countOutcomes(folder, judged)].map(formatRow),
    "",
    ...KINDS.slice(1).flatMap((kind) => formatKind(kind, judged)),
    ...equivalents.map((mutant) => `equivalent: ${formatMutant(mutant)}`),
    ...stale.map(({ file, code, mutant }) => `stale, no mutant is so: ${file}  ${code} -> ${mutant}`),
    ...unknown.map((line) => `unknown, no mutant is so: ${line}`),
    `${folder}: ${found} mutants, ${equivalents.length} of them equivalent; ${chosen} chosen, ${judged.length} run`,
  ].join("\n");
}

function formatLeftOut({ leftOut }: CampaignResult): readonly string[] {
  const files = [...Map.groupBy(leftOut, ({ file, why }) => `left out: ${file}: ${why}`)];
  return files.map(([text, some]) =>
    some.length === 1 ? `${text} (${some[0]?.name ?? ""})` : `${text} (${some.length} tests)`,
  );
}

function formatRow(row: Row): string {
  const counts = KINDS.filter((kind) => row[kind] > 0).map((kind) => `${row[kind]} ${TITLES[kind]}`);
  return `${getKilledShare(row).toFixed(1).padStart(5)} %  ${row.name}: ${row.mutants} mutants: ${counts.join(", ")}`;
}

function formatKind(kind: OutcomeKind, judged: readonly Judged[]): readonly string[] {
  return judged
    .filter(({ outcome }) => outcome.kind === kind)
    .map(({ mutant, outcome }) => {
      const { by, message } = outcome;
      const reason =
        kind === "survived" || !message ? "" : `  (${by ? `${by.file}: ` : ""}${message.split("\n")[0] ?? ""})`;
      return `${TITLES[kind]}: ${formatMutant(mutant)}${reason}`;
    })
    .toSorted();
}
