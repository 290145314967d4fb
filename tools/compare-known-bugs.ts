// npm run known-bugs:compare -- DIR compares a checkout of the update service's graph data with the list of known bugs, and
// npm run known-bugs:compare -- --against LIST another list. With --list LIST, that one is compared instead of the built-in one.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EMBEDDED_LIST } from "../src/checks/known-bugs/bug-data.ts";
import type { BugList } from "../src/checks/known-bugs/known-bug.ts";
import { formatError } from "../src/model/errors.ts";
import { compareWithGraphData } from "./known-bugs/compared-list.ts";
import { listDifferences, readList } from "./known-bugs/list-differences.ts";
import { formatDifference } from "./known-bugs/report.ts";

/** 0: nothing differs; 1: something does; 2: the data could not be read. */
async function main(args: readonly string[]): Promise<number> {
  const options = {
    list: { type: "string" },
    against: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder, ...more] = positionals;
  const list =
    values.list === undefined
      ? EMBEDDED_LIST
      : { ...(await readList(find(values.list))), place: { file: values.list } };
  if (values.against !== undefined && positionals.length === 0) return compareLists(list, values.against);
  if (folder === undefined || more.length > 0 || values.against !== undefined)
    return refuse("name one folder, or one list: npm run known-bugs:compare -- DIR, or --against LIST");
  return compareGraphData(list, folder);
}

function find(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? ".", path);
}

function compareGraphData(list: BugList, folder: string): number {
  const { data, differences } = compareWithGraphData(list, find(folder));
  for (const problem of data.problems) console.error(`known-bugs:compare: ${problem}`);
  for (const difference of differences) console.log(formatDifference(difference));
  const published = new Set(data.edges.map(({ name }) => name));
  console.log(
    `${published.size} published risks for ${data.edges.length} releases, ${differences.length} differences.`,
  );
  if (data.problems.length > 0) return 2;
  return differences.length > 0 ? 1 : 0;
}

async function compareLists(list: BugList, against: string): Promise<number> {
  const differences = listDifferences(list, await readList(find(against)));
  for (const difference of differences) console.log(difference);
  console.log(`${differences.length} differences.`);
  return differences.length > 0 ? 1 : 0;
}

function refuse(why: string): number {
  console.error(`known-bugs:compare: ${why}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => refuse(formatError(thrown)));
