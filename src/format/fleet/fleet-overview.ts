import { capitalize, formatCount, joinNames, MAX_NAMED, summarizeNames } from "../../model/text.ts";
import { formatMinute } from "../../model/time.ts";
import type { Block, TableBlock, Text, Tone } from "../text/page.ts";
import { EFFECT_WORDS } from "../view/risk-sections.ts";
import { getEffect } from "../view/view.ts";
import type { FleetCluster } from "./cluster.ts";
import { type Fleet, countVerdicts, formatCounts } from "./fleet.ts";
import type { FleetFix, FleetTrend, TrendChange, Wave, WaveCounts } from "./waves.ts";
import { WAVES, WAVE_WORDS, findWave, selectFirstFixes } from "./waves.ts";

/** What to read first: what to mend, when clusters are clear, by group, and what has changed. */
export function buildOverview(fleet: Fleet, most: number): readonly Block[] {
  return [
    ...describeFixes(fleet).map((text): Block => ({ kind: "text", text })),
    ...buildFixTable(fleet, most),
    ...buildWaveTable(fleet),
    ...buildGroupTable(fleet),
    ...buildTrendBlocks(fleet),
  ];
}

/** "Mend A and 12 clusters become clear, 34 of 60 then." */
export function describeFixes({ fixes, waves, columns }: Fleet): readonly string[] {
  const first = selectFirstFixes(fixes);
  const last = first.at(-1);
  const unsaid = waves.notSaid === 0 ? "" : ` It can't be said of ${formatCount(waves.notSaid, "cluster")}.`;
  if (last === undefined) return fixes.length === 0 ? [] : [`No fix is known to make a cluster clear.${unsaid}`];
  const names = joinNames(first.map(({ risk }) => risk.name));
  const become = `${formatCount(last.gain, "cluster becomes", "clusters become")} clear`;
  return [`Mend ${names} and ${become}: ${last.clear} of ${columns.length} then.${unsaid}`];
}

/** `most`: rows; what is left out is counted. */
export function buildFixTable({ fixes }: Fleet, most = Infinity): readonly Block[] {
  if (fixes.length === 0) return [];
  const more = fixes.length - most;
  const table: TableBlock = {
    kind: "table",
    head: ["Effect", "Risk", "Takes", "Clusters", "Alone clears", "Clear then"],
    rows: fixes.slice(0, most).map(formatFix),
    tones: fixes.slice(0, most).map(({ risk }): Tone => getEffect(risk)),
    linked: 1,
  };
  if (more <= 0) return [table];
  return [table, { kind: "text", text: `and ${formatCount(more, "more risk")}: see -o html or json` }];
}

function formatFix({ risk, clusters, alone, clear }: FleetFix): readonly Text[] {
  const takes = risk.leadTime === undefined ? "-" : [{ takes: risk.leadTime }];
  return [EFFECT_WORDS[getEffect(risk)], risk.name, takes, `${clusters}`, `${alone}`, `${clear}`];
}

/** When clusters are clear, and what has to be mended until then, or why nobody can say. */
export function buildWaveTable(fleet: Fleet): readonly Block[] {
  const { waves, columns } = fleet;
  // Then there is nothing to wait for.
  if (waves.now + waves.updated === columns.length) return [];
  const clusters = Map.groupBy(fleet.columns, findWave);
  const rows = WAVES.flatMap((wave) => {
    const own = clusters.get(wave);
    return own === undefined ? [] : [[capitalize(WAVE_WORDS[wave]), `${own.length}`, describeWave(wave, own)]];
  });
  return [{ kind: "table", head: ["When", "Clusters", "What"], rows, flexible: 2 }];
}

/** "14 by CertificateExpiresSoon, 3 by KubeletTooOld"; "12 combinations of risks" of those that lack more than one. */
export function describeWave(wave: Wave, clusters: readonly FleetCluster[]): string {
  if (wave === "notSaid") return formatCounts(countVerdicts(clusters));
  const lists = clusters.flatMap(({ outlook }) => (outlook.kind === "fixes" ? [outlook.fixes] : []));
  const groups = [...Map.groupBy(lists, (fixes) => fixes.join()).values()].toSorted((a, b) => b.length - a.length);
  if (wave === "afterTwo" || wave === "afterMore")
    return formatCount(groups.length, "combination of risks", "combinations of risks");
  if (wave !== "afterOne") return "";
  const shown = groups.slice(0, MAX_NAMED).map((own) => `${own.length} by ${own[0]?.join()}`);
  const more = groups.length - shown.length;
  return [...shown, ...(more > 0 ? [formatCount(more, "more risk")] : [])].join(", ");
}

/** Over columns: the waves that some cluster is in. */
function listWaves(all: readonly WaveCounts[]): readonly Wave[] {
  return WAVES.filter((wave) => all.some((counts) => counts[wave] > 0));
}

function buildCounts(head: string, rows: readonly (readonly [string, WaveCounts])[]): TableBlock {
  const waves = listWaves(rows.map(([, counts]) => counts));
  return {
    kind: "table",
    head: [head, ...waves.map((wave) => capitalize(WAVE_WORDS[wave]))],
    rows: rows.map(([name, counts]) => [name, ...waves.map((wave) => `${counts[wave]}`)]),
  };
}

/** Of those in no group. */
export const NO_GROUP = "in no group";

function buildGroupTable({ groups }: Fleet): readonly Block[] {
  return groups.length === 0
    ? []
    : [
        buildCounts(
          "Group",
          groups.map(({ name = NO_GROUP, waves }) => [name, waves]),
        ),
      ];
}

export function buildTrendBlocks({ trend }: Fleet): readonly Block[] {
  if (trend === undefined) return [];
  const { points } = trend;
  const last = points.length - 1;
  const rows = points.map(
    ({ observedAt, waves }, i) => [i === last ? "now" : formatMinute(observedAt), waves] as const,
  );
  return [buildCounts("Read", rows), { kind: "text", text: describeChanges(trend) }];
}

const CHANGE_WORDS: readonly (readonly [change: TrendChange, one: string, several: string])[] = [
  ["ready", "became clear or was updated", "became clear or were updated"],
  ["noLongerClear", "is no longer clear", "are no longer clear"],
  ["noLongerSaid", "can no longer be judged", "can no longer be judged"],
  ["added", "is new", "are new"],
  ["gone", "has no result any more", "have no result any more"],
];

/** "Since 2026-11-20 09:00 UTC: 4 became clear or were updated; 1 is no longer clear (prod-1)." */
function describeChanges({ points, changes }: FleetTrend): string {
  const since = `Since ${formatMinute(points.at(-2)?.observedAt ?? "")}`;
  const parts = CHANGE_WORDS.flatMap(([change, one, several]) => {
    const names = changes[change];
    return names.length === 0
      ? []
      : [`${names.length} ${names.length === 1 ? one : several} (${summarizeNames(names)})`];
  });
  return parts.length === 0 ? `${since}, no cluster has changed.` : `${since}: ${parts.join("; ")}.`;
}
