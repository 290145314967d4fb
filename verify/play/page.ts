import { formatCount } from "../../src/model/text.ts";
import { formatTable } from "../shared/markdown.ts";
import { buildMatrixKey, FATE_NAMES } from "./compare.ts";
import { COMPONENTS_NOT_SHOWN, NOT_SHOWN } from "./faults/not-shown.ts";
import type { FaultRecord, PlayRecord } from "./play-record.ts";
import { NEWEST_MINOR } from "./played-pairs.ts";

/** What the runs found, for docs/played-updates.md. */
export function formatResults(results: readonly PlayRecord[]): string {
  return [
    "## Pairs",
    formatSummary(results),
    formatPairs(results),
    "## Effects",
    "What was said of the objects, and what happened to them, in all pairs together. The first column is what was said.",
    formatMatrix(results),
    "## Faults",
    "How many objects each fault harmed, as was said. A dash is a pair to which it does not apply.",
    formatFaults(results),
    ...formatReasons(results),
    "No fault plays these checks, or these risks of a check:",
    formatTable(
      ["check", "risk", "why"],
      [...NOT_SHOWN, ...COMPONENTS_NOT_SHOWN].map(({ check, risk, reason }) => [`\`${check}\``, risk ?? "", reason]),
    ),
    "## Differences",
    formatDifferences(results),
  ].join("\n\n");
}

function formatSummary(results: readonly PlayRecord[]): string {
  const differences = results.flatMap((result) => result.differences);
  const objects = results.reduce((sum, one) => sum + one.objects, 0);
  const open = differences.filter(({ reason }) => reason === undefined).length;
  const seeds = [...new Set(results.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  const seedsText = seeds.length === 1 ? `seed ${seeds[0]}` : `the seeds ${seeds.join(", ")}`;
  const counts = [formatCount(objects, "object"), formatCount(differences.length, "difference")];
  return `${formatCount(results.length, "play")} of ${counts[0]}, with ${seedsText}: ${counts[1]}, ${open} of them without a reason. \`npm run play -- 4.20 4.21 --seed ${seeds[0]}\` plays one of them again.`;
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

function formatPairs(results: readonly PlayRecord[]): string {
  const rows = results.map((result) => [nameUpdate(result), formatServer(result), ...countAll(result).map(String)]);
  const sums = results.map(countAll).reduce(
    (all, counts) => all.map((sum, i) => sum + (counts[i] ?? 0)),
    Array.from({ length: PAIR_COLUMNS.length - 2 }, () => 0),
  );
  return formatTable(PAIR_COLUMNS, [...rows, ["all", "", ...sums.map(String)]]);
}

function nameUpdate({ pair: { source, target } }: PlayRecord): string {
  return `${source} to ${target}`;
}

function formatServer({ pair: { emulated } }: PlayRecord): string {
  return emulated === undefined ? `1.${NEWEST_MINOR} for both` : `1.${emulated.before} to 1.${emulated.after}`;
}

function countAll(record: PlayRecord): readonly number[] {
  const { objects, changed, refused, hits, faults, differences, seconds } = record;
  const count = (kind: string): number => differences.filter((one) => one.kind === kind).length;
  const planted = faults.filter(({ applies }) => applies === true).length;
  const wrong = ["missed", "false alarm", "wrong effect"].map(count);
  return [objects, changed, refused, planted, hits, ...wrong, seconds];
}

function formatMatrix(results: readonly PlayRecord[]): string {
  const counts = new Map<string, number>();
  for (const [key, count] of results.flatMap(({ effects }) => effects)) counts.set(key, (counts.get(key) ?? 0) + count);
  const rows = FATE_NAMES.map((said) => [
    said,
    ...FATE_NAMES.map((happened) => String(counts.get(buildMatrixKey(said, happened)) ?? 0)),
  ]);
  return formatTable(["said", ...FATE_NAMES], rows);
}

function formatFaults(results: readonly PlayRecord[]): string {
  const keyOf = ({ check, name }: FaultRecord): string => `${check}\n${name}`;
  const faults = new Map(results.flatMap((result) => result.faults.map((fault) => [keyOf(fault), fault])));
  const rows = [...faults].map(([key, { check, name }]) => [
    `\`${check}\``,
    name,
    ...results.map((result) => {
      const own = result.faults.find((one) => keyOf(one) === key);
      return own?.applies === true ? String(own.hits) : "-";
    }),
  ]);
  return formatTable(["check", "fault", ...results.map(nameUpdate)], rows);
}

/** Why faults do not apply to pairs. */
function formatReasons(results: readonly PlayRecord[]): readonly string[] {
  const reasons = results.flatMap((result) =>
    result.faults.flatMap(({ name, applies }) =>
      applies === true ? [] : [{ fault: name, applies, update: nameUpdate(result) }],
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

function formatDifferences(results: readonly PlayRecord[]): string {
  const rows = results.flatMap((result) =>
    result.differences.map(({ kind, object, text, reason }) => [
      nameUpdate(result),
      String(result.seed),
      kind,
      object,
      shorten(text),
      reason ?? "not known",
    ]),
  );
  if (rows.length === 0) return "There were none.";
  return formatTable(["update", "seed", "difference", "object", "what", "reason"], rows);
}

const MAX_LENGTH = 300;

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
