import { formatCount } from "../../src/model/count.ts";
import { formatTable } from "../pages/markdown.ts";
import { buildMatrixKey, countEffects, FATE_NAMES } from "./compare.ts";
import { type ExplainedDifference, listDifferences } from "./differences.ts";
import type { PlantedFault } from "./fault.ts";
import { NOT_SHOWN } from "./faults/not-shown.ts";
import type { PlayResult } from "./play-result.ts";
import { NEWEST_MINOR } from "./played-pairs.ts";

/** What the runs found, for docs/played-updates.md. */
export function formatResults(results: readonly PlayResult[], faults: readonly PlantedFault[]): string {
  return [
    "## Pairs",
    formatSummary(results),
    formatPairs(results),
    "## Effects",
    "What was said of the objects, and what happened to them, in all pairs together. The first column is what was said.",
    formatMatrix(results),
    "## Faults",
    "How many objects each fault harmed, as was said. A dash is a pair to which it does not apply.",
    formatFaults(results, faults),
    ...formatReasons(results),
    "No fault plays these checks:",
    formatTable(
      ["check", "why"],
      NOT_SHOWN.map(({ check, reason }) => [`\`${check}\``, reason]),
    ),
    "## Differences",
    formatDifferences(results),
  ].join("\n\n");
}

function formatSummary(results: readonly PlayResult[]): string {
  const differences = results.flatMap(listDifferences);
  const objects = results.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
  const open = differences.filter(({ reason }) => reason === undefined).length;
  const seeds = [...new Set(results.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  const seedsText = seeds.length === 1 ? `seed ${seeds[0]}` : `the seeds ${seeds.join(", ")}`;
  return `${formatCount(results.length, "play")} of ${formatCount(objects, "object")}, with ${seedsText}: ${formatCount(differences.length, "difference")}, ${open} of them without a reason.`;
}

const PAIR_COLUMNS = [
  "update",
  "server",
  "objects",
  "CRDs changed",
  "refused",
  "faults",
  "hits",
  "missed",
  "false alarms",
  "wrong effects",
  "seconds",
];

function formatPairs(results: readonly PlayResult[]): string {
  const rows = results.map((result) => [nameUpdate(result), formatServer(result), ...countAll(result).map(String)]);
  const sums = results.map(countAll).reduce(
    (all, counts) => all.map((sum, i) => sum + (counts[i] ?? 0)),
    Array.from({ length: PAIR_COLUMNS.length - 2 }, () => 0),
  );
  return formatTable(PAIR_COLUMNS, [...rows, ["all", "", ...sums.map(String)]]);
}

function nameUpdate({ pair: { source, target } }: PlayResult): string {
  return `${source} to ${target}`;
}

function formatServer({ pair: { emulated } }: PlayResult): string {
  return emulated === undefined ? `1.${NEWEST_MINOR} for both` : `1.${emulated.before} to 1.${emulated.after}`;
}

function countAll(result: PlayResult): readonly number[] {
  const { comparisons, crds, refusals, faults, definitions, seconds } = result;
  const differences = listDifferences(result);
  const count = (kind: ExplainedDifference["kind"]): number => differences.filter((one) => one.kind === kind).length;
  const told = comparisons.filter(
    ({ verdict, said }) => verdict === "agreed" && (said.effect !== "none" || said.dropped.length > 0),
  );
  const planted = faults.filter(({ applies }) => applies === true);
  const hits =
    told.length + definitions.hits.length + planted.reduce((sum, { difference }) => sum + difference.hits.length, 0);
  return [
    comparisons.length,
    crds.filter(({ isChanged }) => isChanged).length,
    refusals.length,
    planted.length,
    hits,
    count("missed"),
    count("false alarm"),
    count("wrong effect"),
    Math.round(seconds),
  ];
}

function formatMatrix(results: readonly PlayResult[]): string {
  const counts = countEffects(results.flatMap(({ comparisons }) => comparisons));
  const rows = FATE_NAMES.map((said) => [
    said,
    ...FATE_NAMES.map((happened) => String(counts.get(buildMatrixKey(said, happened)) ?? 0)),
  ]);
  return formatTable(["said", ...FATE_NAMES], rows);
}

function formatFaults(results: readonly PlayResult[], faults: readonly PlantedFault[]): string {
  const rows = faults.map((fault) => [
    `\`${fault.check}\``,
    fault.name,
    ...results.map(({ faults: played }) => {
      const own = played.find((one) => one.fault === fault);
      return own?.applies === true ? String(own.difference.hits.length) : "-";
    }),
  ]);
  return formatTable(["check", "fault", ...results.map(nameUpdate)], rows);
}

/** Why faults do not apply to pairs. */
function formatReasons(results: readonly PlayResult[]): readonly string[] {
  const reasons = results.flatMap((result) =>
    result.faults.flatMap(({ fault, applies }) =>
      applies === true ? [] : [{ fault: fault.name, applies, update: nameUpdate(result) }],
    ),
  );
  const groups = Map.groupBy(reasons, ({ fault, applies }) => `${fault}\n${applies}`);
  if (groups.size === 0) return [];
  const rows = [...groups.values()].map((all) => [
    all[0]?.fault ?? "",
    all[0]?.applies ?? "",
    all.map(({ update }) => update).join(", "),
  ]);
  return [formatTable(["fault", "why it does not apply", "updates"], rows)];
}

function formatDifferences(results: readonly PlayResult[]): string {
  const rows = results.flatMap((result) =>
    listDifferences(result).map(({ kind, object, text, reason }) => [
      nameUpdate(result),
      String(result.seed),
      kind,
      object,
      text,
      reason ?? "not known",
    ]),
  );
  if (rows.length === 0) return "There were none.";
  return formatTable(["update", "seed", "difference", "object", "what", "reason"], rows);
}
