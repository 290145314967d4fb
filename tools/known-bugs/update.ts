import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BugList } from "../../src/checks/known-bugs/known-bug.ts";
import { formatCount } from "../../src/model/text.ts";
import { compareWithGraphData } from "./compared-list.ts";
import { addDrafts, draftEntries, listDraftIds } from "./drafts.ts";
import { type DataState, setListDate } from "./list-date.ts";
import { formatDifference } from "./report.ts";

/** A list, its folder, and the file for what is not decided. That of the built-in list is no part of it, so that it can still be built. */
export type UpdatedList = { readonly list: BugList; readonly folder: string; readonly undecided: string };

/** Compares a list with a checkout of the graph data, and writes what it lacks. Whether anything is to be decided; throws, and writes nothing, if the data can't be used. */
export function updateList(
  { list, folder, undecided }: UpdatedList,
  dataFolder: string,
  state: DataState,
  print: (line: string) => void,
): boolean {
  const compared = compareWithGraphData(list, dataFolder);
  const { problems } = compared.data;
  if (problems.length > 0)
    throw new Error(`nothing is written, since not all of the data can be read: ${problems.join("; ")}`);
  if (state.date !== undefined && state.date < list.head.date)
    throw new Error(`the data are of ${state.date}, older than the list, which is of ${list.head.date}`);
  for (const difference of compared.differences) print(formatDifference(difference));
  const drafts = draftEntries(compared);
  if (state.date === undefined)
    print(`The list keeps its date, because ${dataFolder} is no clone: name its day with --date YYYY-MM-DD.`);
  else writeDate(folder, state);
  const before = existsSync(undecided) ? readFileSync(undecided, "utf8") : "";
  const text = drafts.length === 0 ? before : addDrafts(before, drafts);
  if (text !== before) writeFileSync(undecided, text);
  const count = formatCount(listDraftIds(text).length, "entry", "entries");
  print(text === "" ? "Nothing to decide." : `${count} to decide in ${undecided}.`);
  return text !== "";
}

function writeDate(folder: string, state: DataState): void {
  for (const file of readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (/^kind: KnownBugs$/m.test(text)) writeFileSync(path, setListDate(text, state));
  }
}
