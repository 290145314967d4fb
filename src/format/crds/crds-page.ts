import type { CrdChange, CrdEffect, CrdsReport } from "../../model/crd-changes.ts";
import type { Unknown } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import type { ComparisonPage, Item, Section } from "../comparison/comparison-sections.ts";
import { formatCount } from "../count.ts";

export const HEADINGS: Readonly<Record<CrdEffect, string>> = {
  refused: "The API server refuses the CRD",
  rejected: "Objects that can no longer be written",
  frozen: "Objects with fields that can no longer be changed",
  dropped: "Objects that lose fields",
  lost: "Lost",
  stricter: "Stricter",
};

/** What people read: a table and markdown follow from it. */
export function buildCrdsPage(report: CrdsReport): ComparisonPage {
  const effects: readonly CrdEffect[] = ["refused", "rejected", "frozen", "dropped", "lost", "stricter"];
  const sections: readonly Section[] = [
    ...effects.map((effect) => buildSection(effect, report.changes)),
    { heading: "Could not be judged", items: report.unknowns.map(buildUnknownItem) },
    { heading: "Worth knowing", items: report.notices.map((notice) => buildItem(notice, false, [])) },
  ];
  return {
    headline: `${report.from} -> ${report.to}: ${summarize(report)}`,
    lines: [
      `${formatCount(report.crds, "CRD")} and ${formatCount(report.objects, "object")}, judged as by the API server of Kubernetes ${report.kubernetes.replace(/^v/, "")}`,
    ],
    sections: sections.filter(({ items }) => items.length > 0),
    verdict: buildVerdict(report),
  };
}

function summarize({ changes, unknowns }: CrdsReport): string {
  const counts = [...Map.groupBy(changes, ({ effect }) => effect)].map(
    ([effect, found]) => `${found.length} ${effect}`,
  );
  const open = unknowns.length === 0 ? [] : [`${unknowns.length} could not be judged`];
  const parts = [...counts, ...open];
  return parts.length === 0 ? "nothing breaks" : parts.join(", ");
}

function buildVerdict({ changes, objects }: CrdsReport): string {
  if (changes.length === 0) return "No object that the released CRDs accept becomes invalid or loses a field.";
  const isAboutObjects = changes.some(({ object }) => object !== undefined);
  const given =
    objects === 0
      ? "Give objects with --objects to see which of them break."
      : "The given objects stay valid and complete.";
  return isAboutObjects ? "Objects that exist in clusters may break in the same way." : given;
}

function buildSection(effect: CrdEffect, changes: readonly CrdChange[]): Section {
  const found = changes.filter((change) => change.effect === effect);
  const groups = [...Map.groupBy(found, getTitle)];
  const items = groups.map(([title, group]) => buildItem(title, effect !== "stricter", group.map(formatPoint)));
  return { heading: HEADINGS[effect], items };
}

/** The object that breaks, or else the CRD and its version. */
function getTitle({ crd, version, object }: CrdChange): string {
  if (object !== undefined) return `${formatRef(object)} (${object.apiVersion})`;
  return version === undefined ? crd : `${crd} ${version}`;
}

function formatPoint({ path, message, place }: CrdChange): string {
  const where = place === undefined ? "" : ` (${place.file}:${place.line})`;
  return `${path === undefined ? "" : `${path}: `}${message}${where}`;
}

function buildUnknownItem({ where, message }: Unknown): Item {
  return buildItem(where, true, [`${message}.`]);
}

function buildItem(title: string, isWorse: boolean, points: readonly string[]): Item {
  return { title, isWorse, texts: [], points };
}
