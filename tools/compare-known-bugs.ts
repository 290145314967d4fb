// npm run known-bugs:compare -- DIR compares a checkout of the update service's graph data with the table of known bugs.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { KNOWN_BUGS } from "../src/checks/known-bugs/bugs.ts";
import { checks } from "../src/checks/index.ts";
import { findDifferences } from "./known-bugs/differences.ts";
import { readGraphData } from "./known-bugs/graph-data.ts";
import { formatDifference } from "./known-bugs/report.ts";
import { collectPublishedNames } from "./pages/published-page.ts";

/** 0: the table is up to date; 1: it isn't; 2: the data could not be read. */
function main(args: readonly string[]): number {
  const [folder, ...more] = args;
  if (folder === undefined || more.length > 0) return refuse("name one folder: npm run known-bugs:compare -- DIR");
  const path = resolve(process.env["INIT_CWD"] ?? ".", folder);
  if (!existsSync(join(path, "blocked-edges"))) return refuse(`${folder} has no folder blocked-edges`);
  const data = readGraphData(path);
  if (data.edges.length === 0) return refuse(`${folder} has no published risks`);
  for (const problem of data.problems) console.error(`known-bugs:compare: ${problem}`);
  const table = { bugs: KNOWN_BUGS, names: collectPublishedNames(checks).map(({ name }) => name) };
  const differences = findDifferences(data, table);
  for (const difference of differences) console.log(formatDifference(difference));
  const names = new Set(data.edges.map(({ name }) => name));
  console.log(`${names.size} published risks for ${data.edges.length} releases, ${differences.length} differences.`);
  if (data.problems.length > 0) return 2;
  return differences.length > 0 ? 1 : 0;
}

function refuse(why: string): number {
  console.error(`known-bugs:compare: ${why}`);
  return 2;
}

process.exitCode = main(process.argv.slice(2));
