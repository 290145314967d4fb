import { formatTable } from "../shared/markdown.ts";
import type { ReleaseComparison, CrdCounts } from "./compare-releases.ts";
import type { MinorPair } from "./pair-list.ts";

export type PairRow = MinorPair & ReleaseComparison & { readonly featureSet: string };
/** Rows of one kind of update, under its heading. */
export type PairSection = { readonly title: string; readonly rows: readonly PairRow[] };

const COLUMNS: readonly (readonly [key: keyof CrdCounts, header: string, meaning: string])[] = [
  ["both", "in both", "CRDs that both releases have"],
  [
    "changed",
    "changed",
    "CRDs among them with another schema, whose objects `crd-skew` reads; descriptions don't count",
  ],
  ["added", "new", "CRDs that only the target has"],
  ["gone", "gone", "CRDs that only the source has; an update leaves them in the cluster"],
  [
    "tightenings",
    "tightenings",
    "places that both schemas have and where a value that was valid might not be: a type, an enum value or null lost, a bound narrowed, a field required, a pattern, format, list type or alternative changed. A place counts once, however much changes there, and a required field at its object",
  ],
  [
    "drops",
    "drops",
    "places that the source's schema has and the target's lacks: the API server drops what stands there",
  ],
  ["unserved", "unserved", "versions that the target has no longer, or serves no longer"],
  ["rules", "rules", "CEL rules that are new or changed in a place that both schemas have, transition rules apart"],
  [
    "transitionRules",
    "transition rules",
    "such transition rules: they look at `oldSelf`, so they judge changes and no stored object",
  ],
  [
    "notEvaluated",
    "not evaluated",
    "CEL rules of the changed schemas, old ones too and transition rules apart, that this program can't evaluate",
  ],
];

/** docs/crd-pairs.md. `notes` say what was omitted. */
export function formatPairsPage(command: string, sections: readonly PairSection[], notes: readonly string[]): string {
  const rows = sections.flatMap((section) => section.rows);
  return `${[
    "# CRDs between releases",
    [
      "What the CRDs of each OpenShift release from 4.12 to 5.2 mean for the objects of another one: for neighbours, skips of two and rollbacks, in each feature set of a self-managed cluster with all capabilities.",
      `It is made by \`${command}\` from the manifests of each release, with this program's own reading, choosing, preparing and comparing of them, the last as in \`preflight crds\`.`,
      formatSummary(rows, sections),
    ].join("\n"),
    [...COLUMNS.map(([, header, meaning]) => `- **${header}**: ${meaning}.`), MILLISECONDS_NOTE].join("\n"),
    "4.23 and 5.0 count as the same minor: each is the neighbour of 4.22 and of 5.1, and there is an update from the former to the latter.",
    "Every version that both releases serve is compared. Where they share none, the served version of the source is compared with the stored one of the target, unless a webhook converts.",
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join("\n")] : []),
    ...sections.map(formatSection),
  ].join("\n\n")}\n`;
}

const MILLISECONDS_NOTE =
  "- **ms**: milliseconds to prepare the changed schemas of both sides. Of one machine in one run: the only column that differs from run to run.";

function formatSummary(rows: readonly PairRow[], sections: readonly PairSection[]): string {
  const total = (key: keyof CrdCounts): number => sumCount(rows, key);
  const kinds = sections.map((section) => `${section.rows.length} ${section.title.toLowerCase()}`).join(", ");
  const loud = rows.filter((row) => !isQuiet(row)).length;
  return `Of ${rows.length} pairs (${kinds}) ${loud} tighten a schema, drop something or bring a rule; added up over all of them there are ${total("changed")} changed CRDs, ${total("tightenings")} tightenings, ${total("drops")} drops, ${total("unserved")} versions no longer served, ${total("rules")} rules new or changed, and ${total("notEvaluated")} rules not evaluated.`;
}

function isQuiet({ counts }: PairRow): boolean {
  return counts.tightenings === 0 && counts.drops === 0 && counts.rules === 0 && counts.transitionRules === 0;
}

function formatSection({ title, rows }: PairSection): string {
  const header = ["source", "target", "feature set", ...COLUMNS.map(([, text]) => text), "ms"];
  const lines = rows.map(({ source, target, featureSet, counts, milliseconds }) => [
    source,
    target,
    featureSet,
    ...COLUMNS.map(([key]) => String(counts[key])),
    String(Math.round(milliseconds)),
  ]);
  const spent = rows.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const last = ["all", "", "", ...COLUMNS.map(([key]) => String(sumCount(rows, key))), String(Math.round(spent))];
  return `## ${title}\n\n${formatTable(header, [...lines, last])}`;
}

/** The sum of each count over the rows. */
export function sumCounts(rows: readonly PairRow[]): Readonly<Record<string, number>> {
  return Object.fromEntries(COLUMNS.map(([key]) => [key, sumCount(rows, key)]));
}

function sumCount(rows: readonly PairRow[], key: keyof CrdCounts): number {
  return rows.reduce((total, { counts }) => total + counts[key], 0);
}
