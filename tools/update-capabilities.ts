// npm run capabilities:update -- DIR compares the ClusterVersion CRDs of a clone of openshift/api (its branches release-X.Y), or of a
// folder with the CRDs of each minor in a folder X.Y, with the table of capabilities, and adds what is new. --table FILE: another table.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CapabilityTable } from "../src/model/capabilities.ts";
import { formatError } from "../src/model/errors.ts";
import { formatMinor, getMinorOrdinal, LAST_KNOWN_RELEASE } from "../src/model/version.ts";
import { readPublishedCapabilities } from "./capabilities/published-crds.ts";
import { formatTable } from "./capabilities/table-text.ts";
import { updateTable } from "./capabilities/update-table.ts";

const TABLE = join(import.meta.dirname, "..", "src", "model", "capabilities.json");
const USAGE =
  "name a clone of openshift/api with its release branches: git clone https://github.com/openshift/api DIR, then npm run capabilities:update -- DIR";

/** 0: nothing is new; 1: the table was changed; 2: the data can't be used, and nothing is written. */
async function main(args: readonly string[]): Promise<number> {
  const options = { table: { type: "string", default: TABLE } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) return refuse(USAGE);
  const path = find(folder);
  if (!existsSync(path)) return refuse(`${folder} does not exist: ${USAGE}`);
  const published = await readPublishedCapabilities(path);
  if (published.length === 0) return refuse(`${folder} has no ClusterVersion CRD of a minor: ${USAGE}`);
  const before: CapabilityTable = JSON.parse(readFileSync(find(values.table), "utf8"));
  const { table, added, gone } = updateTable(before, published);
  for (const line of [...added, ...gone]) console.log(line);
  if (added.length > 0) writeFileSync(find(values.table), formatTable(table));
  const minors = new Set(published.map(({ minor }) => formatMinor(minor)));
  const later = [...new Map(published.map(({ minor }) => [formatMinor(minor), minor])).values()]
    .filter((minor) => getMinorOrdinal(minor) > getMinorOrdinal(LAST_KNOWN_RELEASE))
    .map(formatMinor);
  if (later.length > 0)
    console.log(
      `${later.join(", ")}: later than LAST_KNOWN_RELEASE (src/model/version.ts), so no check uses it before that is raised.`,
    );
  console.log(`${minors.size} minors compared, ${added.length} additions.`);
  return added.length > 0 ? 1 : 0;
}

function find(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? ".", path);
}

function refuse(why: string): number {
  console.error(`capabilities:update: ${why}`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => refuse(formatError(thrown)));
