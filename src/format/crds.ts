import { formatJsonText, toVisible } from "../model/visible-text.ts";
import { createPageFormats } from "./text/page-formats.ts";
import type { CrdChange, CrdEffect, CrdsReport, NotJudged } from "../model/crd-changes.ts";
import { summarizeNames, formatCount, joinNames } from "../model/text.ts";
import { formatRef } from "../model/resource.ts";
import type { Page, PageDecision, PageEntry } from "./text/page.ts";
import { buildEntryPage, toSentence } from "./view/lists.ts";
import { buildFileLocation, buildSarifMessage, formatSarifRun } from "./programs/sarif.ts";

const HEADINGS: Readonly<Record<CrdEffect, string>> = {
  refused: "The API server refuses the CRD",
  rejected: "Objects that can no longer be written",
  frozen: "Objects with fields that can no longer be changed",
  dropped: "Objects that lose fields",
  lost: "Lost",
  stricter: "Stricter",
  mayBeStricter: "May be stricter",
};

/** As the summary counts them, where that is not the name. */
const WORDS: Readonly<Partial<Record<CrdEffect, string>>> = { mayBeStricter: "may be stricter" };

const EFFECTS: readonly CrdEffect[] = ["refused", "rejected", "frozen", "dropped", "lost", "stricter", "mayBeStricter"];

type CrdsView = { readonly report: CrdsReport };

/** What the changes of CRDs break, the worst first; the verdict comes last. */
function buildCrdsPage(view: CrdsView): Page {
  const report = toVisible(view.report);
  const { from, to, changes, unknowns, leftOut, notices } = report;
  return buildEntryPage({
    title: [from, to],
    summary: summarize(report),
    lines: buildLines(report),
    decision: { ...decideCrds(report), basis: `${toSentence(summarize(report))} ${buildVerdict(report)}` },
    sections: [
      ...EFFECTS.map((effect) => [HEADINGS[effect], buildChangeEntries(effect, changes)] as const),
      ["Could not be judged", groupByMessage(unknowns.filter(isOpen)).map(buildNotJudgedEntry)],
      ["Other variants, not judged", groupByMessage(unknowns.filter((one) => !isOpen(one))).map(buildNotJudgedEntry)],
      ["Left out, as requested", groupByMessage(leftOut).map(buildLeftOutEntry)],
      ["Worth knowing", notices.map((title) => ({ title }))],
    ],
    verdict: buildVerdict(report),
  });
}

function buildLines({ crds, objects, kubernetes, notJudged, isAnnotated, ...report }: CrdsReport): readonly string[] {
  const without = [
    ...(notJudged.crds === 0 ? [] : [formatCount(notJudged.crds, "CRD")]),
    ...(notJudged.variants === 0 ? [] : [formatVariants(notJudged.variants)]),
    ...(notJudged.objects === 0 ? [] : [formatCount(notJudged.objects, "object")]),
  ];
  return [
    `${formatCount(crds, "CRD")} and ${formatCount(objects, "object")}, judged as by the API server of Kubernetes ${kubernetes.replace(/^v/, "")}`,
    ...(isAnnotated
      ? [`CRDs of the feature set ${report.featureSet} and the cluster profile ${report.profile} are judged`]
      : []),
    ...(without.length === 0 ? [] : [`Not judged: ${joinNames(without)}`]),
  ];
}

function summarize({ changes, unknowns }: CrdsReport): string {
  const counts = [...Map.groupBy(changes, ({ effect }) => effect)].map(
    ([effect, found]) => `${found.length} ${WORDS[effect] ?? effect}`,
  );
  const open = unknowns.filter(isOpen).length;
  const others = unknowns.length - open;
  const parts = [
    ...counts,
    ...(open === 0 ? [] : [`${open} could not be judged`]),
    ...(others === 0 ? [] : [`${formatVariants(others)} not judged`]),
  ];
  return parts.length === 0 ? "nothing breaks" : parts.join(", ");
}

/** Not what is for other clusters than the judged one. */
function isOpen({ isOtherVariant }: NotJudged): boolean {
  return isOtherVariant !== true;
}

function formatVariants(count: number): string {
  return formatCount(count, "other variant");
}

/** The exit code of `crds` says the same: 3, 4 and 0. */
function decideCrds({ changes, unknowns }: CrdsReport): Pick<PageDecision, "kind" | "words"> {
  const effects = new Set(changes.map(({ effect }) => effect));
  if (EFFECTS.some((effect) => effects.has(effect) && effect !== "stricter" && effect !== "mayBeStricter"))
    return { kind: "risk", words: "The changes break something" };
  if (effects.has("stricter")) return { kind: "risk", words: "Schemas become stricter" };
  if (effects.has("mayBeStricter")) return { kind: "incomplete", words: "Not decided: schemas may become stricter" };
  if (unknowns.length > 0) return { kind: "incomplete", words: "Not decided: not everything was judged" };
  return { kind: "clear", words: "Nothing breaks" };
}

function buildVerdict({ changes, unknowns, objects, notJudged }: CrdsReport): string {
  if (changes.length === 0 && unknowns.length > 0)
    return "Nothing that was judged breaks, but not everything was judged: this is not an all-clear.";
  if (changes.length === 0) return "No object that the released CRDs accept becomes invalid or loses a field.";
  const isAboutObjects = changes.some(({ object }) => object !== undefined);
  const given =
    objects === 0 && notJudged.objects === 0
      ? "Give objects with --objects to see which of them break."
      : "The given objects stay valid and complete.";
  return isAboutObjects ? "Objects that exist in clusters may break in the same way." : given;
}

function buildChangeEntries(effect: CrdEffect, changes: readonly CrdChange[]): readonly PageEntry[] {
  const groups = Map.groupBy(
    changes.filter((change) => change.effect === effect),
    getTitle,
  );
  return [...groups].map(([title, group]) => ({
    title,
    isStrong: effect !== "stricter" && effect !== "mayBeStricter",
    points: group.map(formatPoint),
  }));
}

/** The object that breaks, or else the CRD and its version. */
function getTitle({ crd, version, object, objectPlace: at }: CrdChange): string {
  const where = at === undefined ? "" : ` in ${at.file}:${at.line}`;
  if (object !== undefined) return `${formatRef(object)} (${object.apiVersion})${where}`;
  return version === undefined ? crd : `${crd} ${version}`;
}

function formatPoint({ path, message, place }: CrdChange): string {
  const where = place === undefined ? "" : ` (${place.file}:${place.line})`;
  return `${path === undefined ? "" : `${path}: `}${message}${where}`;
}

type MessageGroup = {
  readonly message: string;
  readonly names: readonly string[];
  readonly places: readonly string[];
};

function groupByMessage(parts: readonly NotJudged[]): readonly MessageGroup[] {
  return [...Map.groupBy(parts, ({ message }) => message)].map(([message, own]) => ({
    message: `${message}.`,
    names: own.map(({ where }) => where),
    places: own.map(formatNotJudgedPlace),
  }));
}

function formatNotJudgedPlace({ where, file, line }: NotJudged): string {
  if (file === undefined) return where;
  const place = line === undefined ? file : `${file}:${line}`;
  return file === where ? place : `${where} (${place})`;
}

function buildNotJudgedEntry({ message, places }: MessageGroup): PageEntry {
  const [first = ""] = places;
  if (places.length === 1) return { title: first, isStrong: true, points: [message] };
  return { title: `${places.length} times`, isStrong: true, texts: [message], points: places };
}

/** Only a few of them by name: somebody chose to leave them out, and the JSON has them all. */
function buildLeftOutEntry({ message, names }: MessageGroup): PageEntry {
  return { title: formatCount(names.length, "CRD"), texts: [message], points: [summarizeNames(names)] };
}

/** The output formats of `preflight crds`, by name. */
export const crdsFormats = {
  ...createPageFormats(buildCrdsPage),
  json: ({ report }: CrdsView) => formatJsonText(report),
  sarif: formatCrdsSarif,
};

const LEVELS: Readonly<Record<CrdEffect, "error" | "warning" | "note">> = {
  refused: "error",
  rejected: "error",
  frozen: "warning",
  dropped: "warning",
  lost: "warning",
  stricter: "note",
  mayBeStricter: "note",
};

/** Names of rules are part of the output: they never change. */
const RULES: Readonly<Record<CrdEffect, string>> = {
  refused: "CrdRefused",
  rejected: "ObjectRejected",
  frozen: "ObjectFieldsFrozen",
  dropped: "ObjectFieldsDropped",
  lost: "SchemaLost",
  stricter: "SchemaStricter",
  mayBeStricter: "SchemaMayBeStricter",
};
const NOT_JUDGED = "NotJudged";

/** SARIF 2.1.0 (OASIS), with the lines of the new CRDs. */
function formatCrdsSarif({ report: given, version }: CrdsView & { readonly version: string }): string {
  const report = toVisible(given);
  const rules = [
    ...EFFECTS.map((effect) => ({
      id: RULES[effect],
      shortDescription: { text: HEADINGS[effect] },
      defaultConfiguration: { level: LEVELS[effect] },
    })),
    { id: NOT_JUDGED, shortDescription: { text: "Could not be judged" }, defaultConfiguration: { level: "note" } },
  ];
  const { crds, objects, notJudged, featureSet, profile, leftOut } = report;
  return formatSarifRun({
    tool: { driver: { name: "preflight crds", version, rules } },
    invocations: [{ executionSuccessful: report.unknowns.length === 0 }],
    results: [...report.changes.map(buildResult), ...report.unknowns.map(buildNotJudgedResult)],
    properties: { crds, objects, notJudged, featureSet, profile, leftOut: leftOut.map(({ where }) => where) },
  });
}

function buildNotJudgedResult({ reason, where, message, file, line = 1 }: NotJudged): object {
  return {
    ruleId: NOT_JUDGED,
    ruleIndex: EFFECTS.length,
    level: "note",
    message: buildSarifMessage(`${where}: ${message}.`),
    locations: [
      {
        physicalLocation: file === undefined ? undefined : buildFileLocation({ file, line }),
        logicalLocations: [{ name: where, fullyQualifiedName: where, kind: "resource" }],
      },
    ],
    partialFingerprints: { "change/v1": [reason, where, file ?? "", message].join(" ") },
  };
}

function buildResult(change: CrdChange): object {
  const { effect, crd, version, path, object, message, place } = change;
  const subject = object === undefined ? [crd, version].filter(Boolean).join(" ") : formatRef(object);
  const name = path === undefined ? subject : `${subject} ${path}`;
  const physicalLocation = place && buildFileLocation(place);
  return {
    ruleId: RULES[effect],
    ruleIndex: EFFECTS.indexOf(effect),
    level: LEVELS[effect],
    message: buildSarifMessage(`${name}: ${message}`),
    locations: [
      {
        physicalLocation,
        logicalLocations: [{ name: crd, fullyQualifiedName: name, kind: "resource" }],
      },
    ],
    partialFingerprints: { "change/v1": [effect, crd, version ?? "", name, message].join(" ") },
  };
}
