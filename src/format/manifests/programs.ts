import type {
  ManifestEffect,
  ManifestPlace,
  PlacedFinding,
  PlacedUnknown,
  UnreadManifest,
} from "../../model/manifest.ts";
import { formatManifestPath, formatManifestPlace, leavesUnknown } from "../../model/manifest.ts";
import { formatRef } from "../../model/resource.ts";
import { formatCount, hashText, sortNames } from "../../model/text.ts";
import { formatJsonText, toVisible } from "../../model/visible-text.ts";
import { escapeData, escapeProperty } from "../programs/lines.ts";
import { buildFileLocation, buildSarifMessage, formatSarifRun } from "../programs/sarif.ts";
import { escapeMarkup } from "../text/html-parts.ts";
import { HEADINGS, type ManifestsView, formatFinding, formatObject } from "./manifests-page.ts";

/** A line for a program: what stands where, whatever it is. */
type Row = {
  readonly rule: string;
  readonly effect: ManifestEffect | "unknown";
  readonly isAccepted: boolean;
  readonly subject: string;
  readonly path: string;
  readonly text: string;
  readonly place: ManifestPlace;
};

const NOT_JUDGED = "NotJudged";

function listRows({ report: given }: ManifestsView): readonly Row[] {
  const { findings, unknowns, unread, accepted } = toVisible(given);
  return [
    ...findings.map((one) => buildFindingRow(one, accepted.includes(one.risk))),
    ...unknowns.map(buildUnknownRow),
    ...unread.filter(leavesUnknown).map(buildUnreadRow),
  ];
}

function buildFindingRow(finding: PlacedFinding, isAccepted: boolean): Row {
  const { risk, effect, object, path, place } = finding;
  const text = `${formatObject(object)} ${formatFinding(finding)}`;
  return { rule: risk, effect, isAccepted, subject: formatRef(object), path: formatManifestPath(path), text, place };
}

function buildUnknownRow({ object, path, message, place }: PlacedUnknown): Row {
  const text = `${formatObject(object)} could not be judged: ${message}`;
  const subject = formatRef(object);
  return {
    rule: NOT_JUDGED,
    effect: "unknown",
    isAccepted: false,
    subject,
    path: formatManifestPath(path),
    text,
    place,
  };
}

function buildUnreadRow({ place, message }: UnreadManifest): Row {
  const text = `${place.file} was not read: ${message}.`;
  return { rule: NOT_JUDGED, effect: "unknown", isAccepted: false, subject: place.file, path: "", text, place };
}

/** The same for the same fault wherever it moves in its file. */
function buildKey({ rule, subject, path, text, place }: Row): string {
  return [rule, place.file, subject, path, text].join(" ");
}

const LEVELS: Readonly<Record<Row["effect"], "error" | "warning" | "note">> = {
  refused: "error",
  dropped: "warning",
  blocks: "warning",
  breaks: "warning",
  later: "note",
  unknown: "note",
};

/** SARIF 2.1.0 (OASIS), with the places in the files. */
export function formatManifestsSarif(view: ManifestsView & { readonly version: string }): string {
  const rows = listRows(view);
  const rules = sortNames(rows.map(({ rule }) => rule));
  const describe = (rule: string): object => {
    const effect = rows.find((row) => row.rule === rule)?.effect ?? "unknown";
    const text = effect === "unknown" ? "Could not be judged" : HEADINGS[effect];
    return { id: rule, shortDescription: { text }, defaultConfiguration: { level: LEVELS[effect] } };
  };
  return formatSarifRun({
    tool: { driver: { name: "preflight manifests", version: view.version, rules: rules.map(describe) } },
    columnKind: "utf16CodeUnits",
    invocations: [{ executionSuccessful: rows.every(({ effect }) => effect !== "unknown") }],
    results: rows.map((row) => ({
      ruleId: row.rule,
      ruleIndex: rules.indexOf(row.rule),
      level: LEVELS[row.effect],
      message: buildSarifMessage(row.text),
      locations: [
        {
          physicalLocation: buildFileLocation(row.place),
          logicalLocations: [
            { name: row.subject, fullyQualifiedName: `${row.subject} ${row.path}`.trim(), kind: "resource" },
          ],
        },
      ],
      suppressions: row.isAccepted ? [{ kind: "external", status: "accepted" }] : undefined,
      partialFingerprints: { "manifest/v1": buildKey(row) },
    })),
  });
}

const GITHUB: Readonly<Record<Row["effect"], "error" | "warning" | "notice">> = {
  refused: "error",
  dropped: "error",
  blocks: "error",
  breaks: "error",
  later: "notice",
  unknown: "warning",
};

/** Annotations of GitHub Actions at the lines of files. */
export function formatManifestsGithub(view: ManifestsView): string {
  return listRows(view)
    .map(({ effect, isAccepted, rule, text, place: { file, line, column } }) => {
      const level = isAccepted ? "notice" : GITHUB[effect];
      const place = `file=${escapeProperty(file)},line=${line},col=${column},title=${escapeProperty(rule)}`;
      return `::${level} ${place}::${escapeData(isAccepted ? `Accepted. ${text}` : text)}\n`;
    })
    .join("");
}

const SEVERITIES: Readonly<Record<Row["effect"], "info" | "minor" | "major" | "critical">> = {
  refused: "critical",
  dropped: "major",
  blocks: "major",
  breaks: "major",
  later: "minor",
  unknown: "info",
};

/** A report of GitLab's code quality, which merge requests show at the lines. What is accepted is left out. */
export function formatManifestsGitlab(view: ManifestsView): string {
  const issues = listRows(view)
    .filter(({ isAccepted }) => !isAccepted)
    .map((row) => ({
      description: row.text,
      check_name: row.rule,
      fingerprint: hashText(buildKey(row))
        .map((part) => (part >>> 0).toString(16).padStart(8, "0"))
        .join(""),
      severity: SEVERITIES[row.effect],
      location: { path: row.place.file, lines: { begin: row.place.line } },
    }));
  return formatJsonText(issues);
}

/** A test suite with a test case for each object or file that something is said of, and one for all others. */
export function formatManifestsJunit(view: ManifestsView): string {
  const rows = listRows(view);
  const groups = [...Map.groupBy(rows, ({ place, subject }) => `${place.file}\u0000${subject}`).values()];
  const cases = groups.map(buildCase);
  const passed = view.report.objects - groups.length;
  const rest = `<testcase classname="preflight.manifests" name="${formatCount(Math.max(passed, 0), "other object")}" time="0"/>`;
  const count = (kind: string): number => cases.filter((one) => one.kind === kind).length;
  const counts = `tests="${cases.length + 1}" failures="${count("failed")}" errors="${count("incomplete")}" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="0">`,
    `  <testsuite name="${escapeMarkup(`preflight manifests -> ${toVisible(view.report).target}`)}" ${counts} time="0">`,
    ...[rest, ...cases.flatMap(({ lines }) => lines)].map((line) => `    ${line}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function buildCase(rows: readonly Row[]): { readonly kind: string; readonly lines: readonly string[] } {
  const [first] = rows;
  const attributes = `classname="${escapeMarkup(first?.place.file ?? "")}" name="${escapeMarkup(first?.subject ?? "")}" time="0"`;
  const failures = rows.filter(({ effect, isAccepted }) => effect !== "unknown" && effect !== "later" && !isAccepted);
  const unknowns = rows.filter(({ effect }) => effect === "unknown");
  const notes = rows.filter(({ effect, isAccepted }) => effect === "later" || isAccepted);
  const say = (row: Row): string => escapeMarkup(`${formatManifestPlace(row.place)} ${row.text}`);
  const lines = [
    `<testcase ${attributes}>`,
    ...failures.map((row) => `  <failure type="${row.rule}" message="${escapeMarkup(row.text)}">${say(row)}</failure>`),
    // One test case is either failed or incomplete: what could not be judged stands beside a failure as a note.
    ...(failures.length > 0
      ? []
      : unknowns.map((row) => `  <error type="Incomplete" message="${escapeMarkup(row.text)}">${say(row)}</error>`)),
    ...(failures.length > 0 ? [...notes, ...unknowns] : notes).map((row) => `  <system-out>${say(row)}</system-out>`),
    "</testcase>",
  ];
  return { kind: failures.length > 0 ? "failed" : unknowns.length > 0 ? "incomplete" : "passed", lines };
}
