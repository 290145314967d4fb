import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import type { BugList } from "../../src/checks/known-bugs/known-bug.ts";
import { formatError } from "../../src/model/errors.ts";
import { compareWithGraphData } from "./compared-list.ts";
import { listDifferences, readList } from "./list-differences.ts";
import { formatDifference } from "./report.ts";

type Print = { readonly out: (line: string) => void; readonly err: (line: string) => void };

/** 0: nothing differs; 1: something does; 2: the data could not be read. */
export async function compareKnownBugs(args: readonly string[], print: Print): Promise<number> {
  try {
    return await compare(args, print);
  } catch (thrown) {
    return refuse(formatError(thrown), print);
  }
}

async function compare(args: readonly string[], print: Print): Promise<number> {
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
  if (values.against !== undefined && positionals.length === 0) return compareLists(list, values.against, print);
  if (folder === undefined || more.length > 0 || values.against !== undefined)
    return refuse("name one folder, or one list: npm run known-bugs:compare -- DIR, or --against LIST", print);
  return compareGraphData(list, folder, print);
}

function find(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? ".", path);
}

function compareGraphData(list: BugList, folder: string, print: Print): number {
  const { data, differences } = compareWithGraphData(list, find(folder));
  for (const problem of data.problems) print.err(`known-bugs:compare: ${problem}`);
  for (const difference of differences) print.out(formatDifference(difference));
  const published = new Set(data.edges.map(({ name }) => name));
  print.out(`${published.size} published risks for ${data.edges.length} releases, ${differences.length} differences.`);
  if (data.problems.length > 0) return 2;
  return differences.length > 0 ? 1 : 0;
}

async function compareLists(list: BugList, against: string, print: Print): Promise<number> {
  const differences = listDifferences(list, await readList(find(against)));
  for (const difference of differences) print.out(difference);
  print.out(`${differences.length} differences.`);
  return differences.length > 0 ? 1 : 0;
}

function refuse(why: string, { err }: Print): number {
  err(`known-bugs:compare: ${why}`);
  return 2;
}
