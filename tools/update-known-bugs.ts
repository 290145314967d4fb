// npm run known-bugs:update -- DIR compares a checkout of the update service's graph data with the list of known bugs, writes what no
// entry covers as entries to be decided, and the day of the data into the list's head. --list DIR: another list than the built-in one.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { EMBEDDED_LIST } from "../src/checks/known-bugs/bug-data.ts";
import { formatError } from "../src/model/errors.ts";
import { readDataState } from "./known-bugs/list-date.ts";
import { readList } from "./known-bugs/list-differences.ts";
import { type UpdatedList, updateList } from "./known-bugs/update.ts";

const CHECK = join(import.meta.dirname, "..", "src", "checks", "known-bugs");
const USAGE =
  "name the folder of the graph data: git clone --depth 1 https://github.com/openshift/cincinnati-graph-data DIR, then npm run known-bugs:update -- DIR";

/** 0: nothing is to be decided; 1: something is; 2: the data or the list can't be used, and nothing is written. */
async function main(args: readonly string[]): Promise<number> {
  const options = {
    list: { type: "string" },
    date: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return refuse(USAGE);
  const data = find(folder);
  const state = { ...(await readDataState(data)), ...(values.date === undefined ? {} : { date: values.date }) };
  const isOpen = updateList(await openList(values.list), data, state, (line) => console.log(line));
  return isOpen ? 1 : 0;
}

function find(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? ".", path);
}

async function openList(folder: string | undefined): Promise<UpdatedList> {
  if (folder === undefined)
    return { list: EMBEDDED_LIST, folder: join(CHECK, "bugs"), undecided: join(CHECK, "undecided.yaml") };
  const path = find(folder);
  const list = { ...(await readList(path)), place: { file: folder } };
  return { list, folder: path, undecided: join(path, "undecided.yaml") };
}

function refuse(why: string): number {
  console.error(`known-bugs:update: ${why}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => refuse(formatError(thrown)));
