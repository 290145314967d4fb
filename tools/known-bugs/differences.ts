import { isAffected } from "../../src/data-checks/format/definition.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { sortNames } from "../../src/model/text.ts";
import { type Version, compareVersions, isInRange } from "../../src/model/version.ts";
import { deduplicate, type GraphData, type PublishedEdge } from "./graph-data.ts";

/** How the published data differ from the table, for one name. */
export type Difference =
  | { readonly kind: "new"; readonly name: string; readonly targets: readonly Version[]; readonly edge: PublishedEdge }
  | { readonly kind: "widened"; readonly name: string; readonly updates: readonly UncoveredUpdate[] }
  | { readonly kind: "fixed"; readonly name: string; readonly fixedIn: string }
  | { readonly kind: "gone"; readonly name: string };

/** Updates to a release that no entry covers, and the sources that the data name. */
export type UncoveredUpdate = { readonly target: Version; readonly sources: readonly Version[] };

/** The table: its entries, and every name that some check covers. */
export type Table = { readonly bugs: readonly KnownBug[]; readonly names: readonly string[] };

export function findDifferences({ edges, releases }: GraphData, { bugs, names }: Table): readonly Difference[] {
  const byName = Map.groupBy(edges, ({ name }) => name);
  return sortNames([...byName.keys(), ...names]).flatMap((name): readonly Difference[] => {
    const published = (byName.get(name) ?? []).toSorted((a, b) => compareVersions(a.target, b.target));
    const [first] = published;
    if (first === undefined) return [{ kind: "gone", name }];
    if (!names.includes(name)) return [{ kind: "new", name, targets: selectTargets(published), edge: first }];
    const entries = bugs.filter((bug) => bug.published.includes(name));
    // A check without a table of releases covers the name: there is nothing to compare.
    if (entries.length === 0) return [];
    return [...findWidened(name, published, entries, releases), ...findFixed(name, published, entries)];
  });
}

function selectTargets(edges: readonly PublishedEdge[]): readonly Version[] {
  return deduplicate(edges.map(({ target }) => target));
}

function findWidened(
  name: string,
  edges: readonly PublishedEdge[],
  entries: readonly KnownBug[],
  releases: readonly Version[],
): readonly Difference[] {
  const updates = selectTargets(edges).flatMap((target): readonly UncoveredUpdate[] => {
    const toTarget = edges.filter((edge) => edge.target.text === target.text);
    const sources = releases
      .filter((source) => compareVersions(source, target) < 0 && toTarget.some(({ isFrom }) => isFrom(source)))
      .filter((source) => !entries.some(({ versions }) => isAffected(versions, { source, target })))
      .toSorted(compareVersions);
    return sources.length > 0 || !isKnownTarget(target, entries) ? [{ target, sources }] : [];
  });
  return updates.length === 0 ? [] : [{ kind: "widened", name, updates }];
}

function isKnownTarget(target: Version, entries: readonly KnownBug[]): boolean {
  return entries.some(({ versions }) =>
    versions.some(({ first, last }) => isInRange(target, { from: first, to: last })),
  );
}

/** Releases with the fix that no range of the table names. */
function findFixed(name: string, edges: readonly PublishedEdge[], entries: readonly KnownBug[]): readonly Difference[] {
  const known = new Set(entries.flatMap(({ versions }) => versions.flatMap(({ fixedIn }) => fixedIn ?? [])));
  const published = sortNames(edges.flatMap(({ fixedIn }) => fixedIn ?? []));
  return published.filter((fixedIn) => !known.has(fixedIn)).map((fixedIn) => ({ kind: "fixed", name, fixedIn }));
}
