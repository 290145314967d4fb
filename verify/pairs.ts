/** How CRDs change from release to release. Reads crds/ and envtest/ in PREFLIGHT_SHARED or ../shared: `npm run pairs -- --write`. */
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compareReleases } from "./pairs/compare-releases.ts";
import { type MinorPair, buildPairs } from "./pairs/pair-list.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { formatPairsPage, type PairRow, type PairSection, sumCounts } from "./pairs/pairs-page.ts";
import { FEATURE_SETS, readReleases, type ReleaseByFeatureSet } from "./pairs/releases.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = "docs/crd-pairs.md";

const { values } = requireFlags({
  command: "npm run pairs --",
  about: "Compares the CRDs of each pair of releases: what changes, and what preflight says of it.",
  flags: { write: COMMON.write },
});

async function main(): Promise<void> {
  const shared = resolve(process.env["PREFLIGHT_SHARED"] ?? join(ROOT, "../shared"));
  if (!existsSync(join(shared, "crds"))) {
    endWithout(`${shared} has no folder crds with the CRDs of releases: set PREFLIGHT_SHARED to its parent`);
  }
  const begun = performance.now();
  const releases = await readReleases(shared);
  const kinds = buildPairs(releases.map(({ minor }) => minor));
  const sections = [
    { title: "Neighbours", rows: buildRows(kinds.neighbours, releases) },
    { title: "Skips of two", rows: buildRows(kinds.skips, releases) },
    { title: "Rollbacks", rows: buildRows(kinds.rollbacks, releases) },
  ];
  if (values.write)
    writeFileSync(join(ROOT, PAGE), formatPairsPage("npm run pairs -- --write", sections, buildNotes(releases)));
  printReport(sections, performance.now() - begun);
}

function buildRows(pairs: readonly MinorPair[], releases: readonly ReleaseByFeatureSet[]): readonly PairRow[] {
  const sets = new Map(releases.map((release) => [release.minor, release.sets]));
  return [...FEATURE_SETS.keys()].flatMap((featureSet) =>
    pairs.flatMap(({ source, target }) => {
      const from = sets.get(source)?.get(featureSet);
      const to = sets.get(target)?.get(featureSet);
      if (from === undefined || to === undefined) return [];
      return [{ source, target, featureSet, ...compareReleases(from, to, () => performance.now()) }];
    }),
  );
}

/** The feature sets that the table omits, and why. */
function buildNotes(releases: readonly ReleaseByFeatureSet[]): readonly string[] {
  const absent = [...FEATURE_SETS.keys()].flatMap((set) => {
    const without = releases.filter(({ sets }) => !sets.has(set)).map(({ minor }) => minor);
    const why =
      set === "CustomNoUpgrade" ? "whose manifests require gates that each cluster chooses" : "which do not have it";
    return without.length === 0 ? [] : [`${set} is left out for ${without.join(", ")}, ${why}.`];
  });
  const problems = releases.flatMap(({ minor, sets }) =>
    [...sets].flatMap(([set, { problems: found }]) => found.map(({ message }) => `${minor} ${set}: ${message}.`)),
  );
  return [...absent, ...problems];
}

function printReport(sections: readonly PairSection[], milliseconds: number): void {
  const rows = sections.flatMap((section) => section.rows);
  console.log(`${values.write ? `wrote ${PAGE}: ` : ""}${rows.length} pairs in ${(milliseconds / 1000).toFixed(1)} s`);
  console.log(JSON.stringify(sumCounts(rows)));
}

await main();
