import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTable, replaceParts } from "../shared/markdown.ts";
import type { CampaignResult } from "./campaign.ts";
import type { Equivalent } from "./equivalents.ts";
import { HEADER, countOutcomes, formatCells } from "./report.ts";

const PATH = join(import.meta.dirname, "../../docs/design/mutants.md");
const COMMAND = "npm run mutants";

export type Run = {
  readonly folder: string;
  readonly share: { readonly index: number; readonly of: number };
  readonly seed: number;
  readonly seconds: number;
};

/** Writes the figures of a folder into its own part of the page, and leaves those of other folders. */
export function writeFolder(run: Run, result: CampaignResult, equivalents: readonly Equivalent[]): void {
  writeFileSync(PATH, withFolder(readFileSync(PATH, "utf8"), run, result, equivalents));
}

/** The page with these figures, and with the list of equivalents as it is now. */
export function withFolder(page: string, run: Run, result: CampaignResult, equivalents: readonly Equivalent[]): string {
  const parts = { [run.folder]: formatFolder(run, result), equivalents: formatEquivalents(equivalents) };
  return replaceParts(page, parts, COMMAND);
}

function formatFolder(
  { folder, share, seed, seconds }: Run,
  { found, chosen, judged, tests, leftOut }: CampaignResult,
): string {
  const time = Number.isFinite(seconds) ? ` --seconds ${seconds}` : "";
  const command = `npm run mutants -- --folder ${folder} --share ${share.index}/${share.of}${time} --seed ${seed}`;
  return [
    `\`${command}\`: ${judged.length} of ${chosen} chosen ones, of ${found} in all; ${tests} tests, ${leftOut.length} left out.`,
    formatTable(HEADER, [formatCells(countOutcomes(folder, judged))]),
  ].join("\n\n");
}

function formatEquivalents(entries: readonly Equivalent[]): string {
  if (entries.length === 0) return "None.";
  const rows = entries.map(({ file, code, mutant, why }) => [file, `\`${code}\` -> \`${mutant}\``, why]);
  return formatTable(["File", "Change", "Why nobody can tell"], rows);
}
