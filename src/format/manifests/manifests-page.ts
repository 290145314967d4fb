import { nameOrigin } from "../../model/check-origin.ts";
import type { ManifestEffect, ManifestsReport, PlacedFinding, PlacedUnknown } from "../../model/manifest.ts";
import {
  MANIFEST_EFFECTS,
  countsAsRisk,
  formatManifestPath,
  formatManifestPlace,
  leavesUnknown,
} from "../../model/manifest.ts";
import { formatRef } from "../../model/resource.ts";
import { formatCount, joinNames } from "../../model/text.ts";
import { toVisible } from "../../model/visible-text.ts";
import type { Page, PageDecision, PageEntry } from "../text/page.ts";
import { buildEntryPage, toSentence } from "../view/lists.ts";

export const HEADINGS: Readonly<Record<ManifestEffect, string>> = {
  refused: "The API server refuses",
  dropped: "Fields that the API server drops",
  blocks: "Blocks an update",
  breaks: "Breaks with an update",
  later: "A later release refuses",
};

/** As the summary counts them. */
const WORDS: Readonly<Record<ManifestEffect, string>> = {
  refused: "refused",
  dropped: "dropped",
  blocks: "blocking an update",
  breaks: "breaking with an update",
  later: "refused later",
};

export type ManifestsView = { readonly report: ManifestsReport };

/** What a target makes of manifests, the worst first; the verdict comes last. */
export function buildManifestsPage(view: ManifestsView): Page {
  const report = toVisible(view.report);
  const { findings, unknowns, unread, accepted } = report;
  const isAccepted = ({ risk }: PlacedFinding): boolean => accepted.includes(risk);
  const others = unread.filter((one) => !leavesUnknown(one));
  return buildEntryPage({
    title: [joinNames(report.paths), report.target],
    summary: summarize(report),
    lines: [`${formatCount(report.objects, "object")}, judged as by the API server of Kubernetes ${report.kubernetes}`],
    decision: { ...decide(report), basis: toSentence(summarize(report)) },
    sections: [
      ...MANIFEST_EFFECTS.map((effect) => {
        const own = findings.filter((one) => one.effect === effect && !isAccepted(one));
        return [HEADINGS[effect], buildEntries(own)] as const;
      }),
      ["Could not be judged", buildUnknownEntries(unknowns)],
      ["Not read", unread.filter(leavesUnknown).map(buildUnreadEntry)],
      ["Accepted", buildEntries(findings.filter(isAccepted))],
      [`There before ${report.since?.ref ?? ""}`, buildEntries(report.since?.former ?? [])],
      ["No manifests", others.map(({ place, message }) => ({ title: `${place.file}: ${message}` }))],
    ],
    verdict: buildVerdict(report),
  });
}

function summarize(report: ManifestsReport): string {
  const { findings, unknowns, unread, accepted } = report;
  const counted = findings.filter(({ risk }) => !accepted.includes(risk));
  const open = unknowns.length + unread.filter(leavesUnknown).length;
  const parts = [
    ...MANIFEST_EFFECTS.map(
      (effect) => [counted.filter((one) => one.effect === effect).length, WORDS[effect]] as const,
    ),
    [open, "could not be judged"] as const,
    [findings.length - counted.length, "accepted"] as const,
    [report.since?.former.length ?? 0, "there before"] as const,
  ];
  const texts = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return texts.length === 0 ? "nothing is refused or dropped" : texts.join(", ");
}

/** The exit code of `manifests` says the same: 3, 4 and 0. */
function decide(report: ManifestsReport): Pick<PageDecision, "kind" | "words"> {
  const harm = findHarm(report);
  if (harm !== undefined)
    return {
      kind: "risk",
      words:
        harm === "refused" ? "The target does not take all of it" : "Some of it blocks an update, or breaks with it",
    };
  if (isIncomplete(report)) return { kind: "incomplete", words: "Not decided: not everything was judged" };
  if (report.since?.former.some(countsAsRisk(report)) === true)
    return { kind: "nothing", words: "Nothing new: the target does not take what was there before" };
  return { kind: "clear", words: "The target takes all of it" };
}

function isIncomplete({ unknowns, unread }: ManifestsReport): boolean {
  return unknowns.length > 0 || unread.some(leavesUnknown);
}

/** `update`: the target takes all objects, but some block an update, or break with it. */
function findHarm(report: ManifestsReport): "refused" | "update" | undefined {
  const counted = report.findings.filter(countsAsRisk(report));
  if (counted.length === 0) return undefined;
  return counted.every(({ effect }) => effect === "blocks" || effect === "breaks") ? "update" : "refused";
}

function buildVerdict(report: ManifestsReport): string {
  const harm = findHarm(report);
  if (harm === "refused") return `${report.target} does not take these manifests as they are.`;
  if (harm === "update")
    return isIncomplete(report)
      ? "What was judged is taken as it is written, but some of it blocks an update or breaks with it, and not everything was judged."
      : `${report.target} takes these manifests as they are, but some of them block an update or break with it.`;
  if (report.since?.former.some(countsAsRisk(report)) === true && !isIncomplete(report))
    return `Nothing since ${report.since.ref} makes it worse, but ${report.target} does not take all of it: what was there before is not counted.`;
  return isIncomplete(report)
    ? "Nothing that was judged is refused or dropped, but not everything was judged: this is not an all-clear."
    : `${report.target} takes every object as it is written.`;
}

/** The faults of one object together. */
function buildEntries(findings: readonly PlacedFinding[]): readonly PageEntry[] {
  const groups = Map.groupBy(findings, ({ object, place }) => `${formatObject(object)}\u0000${place.file}`);
  return [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map(({ object }) => ({
      title: formatObject(object),
      isStrong: true,
      points: own.map((one) => `${formatManifestPlace(one.place)} ${formatFinding(one)}`),
    })),
  );
}

/** "spec.replicas: The value must be an integer. Write replicas: 3 without quotes. (CustomResourceInvalid)" */
export function formatFinding({ path, message, remedy, risk, origin }: PlacedFinding): string {
  const name = origin === undefined ? risk : `${risk} from ${nameOrigin(origin)}`;
  return `${formatPath(path, message)}${message} ${remedy} (${name})`;
}

/** Many messages name the field themselves. */
function formatPath(path: PlacedFinding["path"], message: string): string {
  const text = formatManifestPath(path);
  return text === "" || message.includes(text) ? "" : `${text}: `;
}

export function formatObject(object: PlacedFinding["object"]): string {
  return `${formatRef(object)} (${object.apiVersion})`;
}

/** One entry for each message, since many objects of one kind lack the same CRD. */
function buildUnknownEntries(unknowns: readonly PlacedUnknown[]): readonly PageEntry[] {
  return [...Map.groupBy(unknowns, ({ message }) => message)].map(([message, own]) => ({
    title: message,
    points: own.map(
      ({ object, place, path }) => `${formatManifestPlace(place)} ${formatPath(path, message)}${formatObject(object)}`,
    ),
  }));
}

function buildUnreadEntry({ place, message }: ManifestsReport["unread"][number]): PageEntry {
  return { title: formatManifestPlace(place), isStrong: true, points: [toSentence(message)] };
}
