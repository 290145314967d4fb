import { type CapabilityTable, selectBaselineSets, selectCapabilities } from "../../src/model/capabilities.ts";
import { joinNames, sortNames } from "../../src/model/text.ts";
import { formatMinor, type MinorVersion, parseMinorOrdinal } from "../../src/model/version.ts";
import type { PublishedCapabilities } from "./published-crds.ts";

/** A table with what was missing in it, and a line for each difference. */
export type UpdatedTable = {
  readonly table: CapabilityTable;
  readonly added: readonly string[];
  readonly gone: readonly string[];
};

/** Stands for all feature sets. */
const EVERY = "*";

/** Adds what the CRDs have and the table lacks, minor by minor. What is in the table only stays, and is named. */
export function updateTable(table: CapabilityTable, published: readonly PublishedCapabilities[]): UpdatedTable {
  const minors = Map.groupBy(published, ({ minor }) => formatMinor(minor));
  let result: UpdatedTable = { table, added: [], gone: [] };
  for (const variants of minors.values()) result = addMinor(result, variants);
  return result;
}

function addMinor({ table, added, gone }: UpdatedTable, variants: readonly PublishedCapabilities[]): UpdatedTable {
  const [first] = variants;
  if (first === undefined) return { table, added, gone };
  const { minor } = first;
  const since = formatMinor(minor);
  const names = groupMissing(table, variants);
  const entries = [...names].map(([key, own]) => ({
    since,
    ...(key === EVERY ? {} : { featureSets: key.split(",") }),
    names: own,
  }));
  const hasNewSet = first.sets.includes(`v${since}`) && !table.namedSets.includes(since);
  return {
    table: {
      ...table,
      capabilities: [...table.capabilities, ...entries].toSorted(
        (a, b) => parseMinorOrdinal(a.since) - parseMinorOrdinal(b.since),
      ),
      namedSets: hasNewSet
        ? [...table.namedSets, since].toSorted((a, b) => parseMinorOrdinal(a) - parseMinorOrdinal(b))
        : table.namedSets,
    },
    added: [
      ...added,
      ...entries.map((entry) => `new   ${since}: ${joinNames(entry.names)}${describeSets(entry)}`),
      ...(hasNewSet ? [`new   ${since}: the set v${since}`] : []),
    ],
    gone: [...gone, ...listGone(table, variants, minor)],
  };
}

function describeSets({ featureSets }: { readonly featureSets?: readonly string[] }): string {
  return featureSets === undefined
    ? ""
    : `, in the feature sets ${joinNames(featureSets.map((set) => set || "Default"))} only`;
}

/** The names that the table lacks, by the feature sets that have them. */
function groupMissing(
  table: CapabilityTable,
  variants: readonly PublishedCapabilities[],
): ReadonlyMap<string, readonly string[]> {
  const missing = variants.flatMap(({ known, featureSet, minor }) => {
    const own = selectCapabilities(table, minor, featureSet);
    return known.filter((name) => !own.includes(name));
  });
  return Map.groupBy(sortNames(missing), (name) => {
    const holders = variants.filter(({ known }) => known.includes(name));
    return holders.length === variants.length
      ? EVERY
      : sortNames(holders.map(({ featureSet }) => featureSet)).join(",");
  });
}

function listGone(
  table: CapabilityTable,
  variants: readonly PublishedCapabilities[],
  minor: MinorVersion,
): readonly string[] {
  const names = variants.flatMap(({ known, featureSet }) =>
    selectCapabilities(table, minor, featureSet).filter((name) => !known.includes(name)),
  );
  const sets = variants.flatMap(({ sets: own }) =>
    selectBaselineSets(table, minor).filter((set) => !own.includes(set)),
  );
  return sortNames([...names, ...sets]).map((name) => `gone  ${formatMinor(minor)}: ${name}, which the table keeps`);
}
