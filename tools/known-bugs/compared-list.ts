import { existsSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../src/checks/index.ts";
import { buildKnownBugsCheck, listBugs } from "../../src/checks/known-bugs/check.ts";
import type { BugList, KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { collectPublishedNames } from "../pages/published-page.ts";
import { type Difference, findDifferences } from "./differences.ts";
import { type GraphData, readGraphData } from "./graph-data.ts";

export type ComparedList = {
  readonly data: GraphData;
  readonly bugs: readonly KnownBug[];
  readonly differences: readonly Difference[];
};

/** Compares a list with a checkout of the graph data. Throws if the folder is none. */
export function compareWithGraphData(list: BugList, folder: string): ComparedList {
  if (!existsSync(join(folder, "blocked-edges"))) throw new Error(`${folder} has no folder blocked-edges`);
  const data = readGraphData(folder);
  if (data.edges.length === 0) throw new Error(`${folder} has no published risks`);
  const bugs = listBugs(list);
  const own = checks.map((check) => (check.id === "known-bugs" ? buildKnownBugsCheck(list) : check));
  const names = collectPublishedNames(own, bugs).map(({ name }) => name);
  return { data, bugs, differences: findDifferences(data, { bugs, names }) };
}
