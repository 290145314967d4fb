import { checks } from "../../checks/index.ts";
import { getUnknownRiskName } from "../../model/check.ts";
import { UNSEEN_RISK_TITLES } from "../../model/unseen.ts";
import type { Candidate } from "./completion.ts";
import { join } from "node:path";
import { isBaseFile } from "../../cases/case-files.ts";
import { readEntries } from "../../files/named-folder.ts";
import { compareText } from "../../model/json.ts";

export function listChecks(): readonly Candidate[] {
  return checks.map(({ id, title }) => ({ word: id, describe: title }));
}

export function listRisks(): readonly Candidate[] {
  const ofChecks = checks.flatMap((check) => [
    ...check.risks.map(({ name, title }) => ({ word: name, describe: title })),
    { word: getUnknownRiskName(check), describe: `The check ${check.id} could not be completed` },
  ]);
  return [...ofChecks, ...Object.entries(UNSEEN_RISK_TITLES).map(([word, describe]) => ({ word, describe }))];
}

/** The cases beside the checks of those words that are folders with some. */
export async function listCaseNames(words: readonly string[]): Promise<readonly Candidate[]> {
  const folders = words.filter((word) => word !== "" && !word.startsWith("-"));
  const entries = await Promise.all(folders.map((folder) => readEntries(join(folder, "cases")).catch(() => [])));
  const names = entries.flat().map(({ name }) => name);
  return names
    .filter((name) => !name.startsWith(".") && !isBaseFile(name))
    .map((name) => name.replace(/\.yaml$/, ""))
    .toSorted(compareText)
    .map((word) => ({ word }));
}
