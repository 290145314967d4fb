import { sortFindings } from "../../model/check.ts";
import { formatCount, joinNames, summarizeNames } from "../../model/text.ts";
import type { ReportRisk } from "../../model/report.ts";
import { formatTime } from "../../model/time.ts";
import { type Block, type Card, type Item, type Page, type PageDecision, TERMINAL, toPlainLine } from "../text/page.ts";
import { toSentence, buildListAge, buildListSection, listNotices } from "../view/lists.ts";
import { formatClusterOrigin, formatHeadline } from "../view/decision.ts";
import { buildImageLines, listUpdateNotes } from "../view/report-page.ts";
import { buildRiskSections } from "../view/risk-sections.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { compareRisks, getEffect } from "../view/view.ts";
import { formatPlace } from "../result/risk-table.ts";
import type { TargetCell, TargetGroup, TargetResult, TargetsView } from "./targets.ts";
import {
  buildTargetTable,
  describeCell,
  groupByTargets,
  isChecked,
  judgeTarget,
  listObjectDifferences,
  selectFindings,
} from "./targets.ts";

/** How each target is offered, a matrix of risks by targets, then common results, then differences. */
export function buildTargetsPage({ targets, ...view }: TargetsView): Page {
  const [first] = targets.filter(isChecked);
  const title = targets.map(({ label }) => label).join(", ");
  return {
    title,
    headline: {
      only: ["markdown"],
      text: targets.flatMap(({ label }, i) => (i === 0 ? [label] : [{ own: ", " }, label])),
    },
    lines: formatClusterOrigin(first?.report ?? {}, view).map((text) => ({ text })),
    observedAt: first === undefined ? undefined : formatTime(first.report.observedAt),
    decision: decideTargets(targets),
    blocks: [
      { kind: "list", only: ["markdown"], items: targets.map((target) => ({ text: formatTarget(target) })) },
      ...targets.map((target): Block => ({ ...buildTarget(target), only: TERMINAL })),
      ...buildMatrix(targets),
      {
        kind: "section",
        only: ["html"],
        heading: "Targets",
        blocks: [{ kind: "facts", labelWidth: 0, rows: targets.map(describeTarget) }],
      },
      ...groupByTargets(targets).flatMap(buildGroup),
      ...buildListAge(targets.filter(isChecked).map(({ report }) => report)),
    ],
  };
}

function decideTargets(targets: readonly TargetResult[]): PageDecision {
  const kinds = targets.map(judgeTarget);
  const select = (kind: PageDecision["kind"]): readonly string[] =>
    targets.flatMap(({ label }, i) => (kinds[i] === kind ? label : []));
  const risky = select("risk");
  const open = select("incomplete");
  const clear = select("clear");
  const basis = [
    ...(risky.length === 0 ? [] : [`${formatCount(risky.length, "target")} with risks`]),
    ...(open.length === 0 ? [] : [`not decided: ${joinNames(open)}`]),
    ...(clear.length === 0 ? [] : [`no unaccepted risk: ${joinNames(clear)}`]),
  ];
  return { ...describeTargets(risky, open), basis: toSentence(basis.join("; ")) };
}

function describeTargets(risky: readonly string[], open: readonly string[]): Pick<PageDecision, "kind" | "words"> {
  if (risky.length > 0) return { kind: "risk", words: `Don't update to ${joinNames(risky)} yet` };
  if (open.length > 0)
    return { kind: "incomplete", words: "Not decided: not every target could be checked completely" };
  return { kind: "clear", words: "No target has a risk that is not accepted" };
}

function formatTarget(target: TargetResult): string {
  return isChecked(target) ? formatHeadline(target.report, target) : `${target.label}: not checked: ${target.message}`;
}

function buildTarget(target: TargetResult): Block {
  const panel = { kind: "panel" } as const;
  if (!isChecked(target))
    return { ...panel, heading: `${target.label}: not checked`, blocks: [{ kind: "text", text: target.message }] };
  const { report } = target;
  const blocks = [
    ...buildImageLines(report).map((line): Block => ({ kind: "line", ...line })),
    ...listUpdateNotes(report, target).map((text): Block => ({ kind: "text", text })),
  ];
  return { ...panel, heading: formatTarget(target), blocks };
}

/** A target in a line: what was found, how it is offered, and its image. */
function describeTarget(target: TargetResult): readonly [label: string, text: string] {
  if (!isChecked(target)) return [target.label, `Not checked: ${target.message}`];
  const { report, label } = target;
  const image = buildImageLines(report).map((line) => `${toPlainLine(line)}.`);
  return [label, [`${formatHeadline(report, target)}.`, ...listUpdateNotes(report, target), ...image].join(" ")];
}

function buildMatrix(targets: readonly TargetResult[]): readonly Block[] {
  const { columns, risks } = buildTargetTable(targets);
  const rows = risks.map((risk) => [risk.name, ...columns.map((column) => formatCell(describeCell(column, risk)))]);
  return rows.length === 0 ? [] : [{ kind: "table", head: ["Risk", ...targets.map(({ label }) => label)], rows }];
}

function formatCell(cell: TargetCell): string {
  switch (cell.state) {
    case "risk":
      return cell.accepted ? "accepted" : formatCount(cell.objects, "object");
    case "clear":
      return "-";
    case "unknown":
      return "unknown";
    case "notChecked":
      return "not checked";
  }
}

function buildGroup(group: TargetGroup): readonly Block[] {
  const { report, targets, isEvery } = group;
  const labels = targets.map(({ label }) => label);
  const heading = formatGroupHeading(group);
  const blocks = [
    ...buildRiskSections(report, group),
    ...buildListSection("Objects that differ", listDifferences(group)),
    ...buildUnknownSection(report, group),
    ...buildListSection("Notices", listNotices(report)),
  ];
  return [
    { kind: "section", only: TERMINAL, heading: `== ${heading}`, isLong: true, blocks },
    { kind: "section", only: ["html"], heading, blocks },
    {
      kind: "section",
      only: ["markdown"],
      heading: isEvery ? "All checked targets" : `Only ${labels.join(", ")}`,
      blocks: [
        ...report.risks
          .filter(({ unknown }) => !unknown)
          .toSorted(compareRisks)
          .map((risk) => buildCard(risk, group)),
        ...buildUnknownSection(report, group),
        ...buildListSection("Notices", listNotices(report)),
      ],
    },
  ];
}

/** Texts name one target: the first of the group. */
export function formatGroupHeading({ targets, isEvery }: TargetGroup): string {
  const names = joinNames(targets.map(({ label }) => label));
  const [first] = targets;
  if (targets.length === 1) return isEvery ? names : `Only ${names}`;
  return `${isEvery ? "All checked targets" : `Only ${names}`} (in the words for ${first?.label ?? ""})`;
}

function listDifferences(group: TargetGroup): readonly Item[] {
  return group.report.risks.flatMap(({ name }) =>
    listObjectDifferences(group, name).map(({ label, added, removed }) => {
      const parts = [
        ...(added.length === 0 ? [] : [`also ${summarizeNames(added)}`]),
        ...(removed.length === 0 ? [] : [`not ${summarizeNames(removed)}`]),
      ];
      return { lead: `${name}, for ${label}`, text: parts.join("; ") };
    }),
  );
}

const MAX_PLACES = 10;

/** A risk with its places in one list, and how those of other targets differ. */
function buildCard(risk: ReportRisk, group: TargetGroup): Card {
  const { name, description, remediation, url } = risk;
  const findings = sortFindings(selectFindings(group.report, name));
  const more = findings.length - MAX_PLACES;
  const items: readonly Item[] = [
    ...findings.slice(0, MAX_PLACES).map((one) => ({ text: `${formatPlace(one)}: ${one.message}` })),
    ...(more > 0 ? [{ text: [{ own: `and ${formatCount(more, "more place")} (all with \`-o json\`)` }] }] : []),
    ...listObjectDifferences(group, name).map(({ label, added, removed }) => {
      const parts = [...added.map((one) => `also ${one}`), ...removed.map((one) => `not ${one}`)];
      return { text: `for ${label}: ${parts.join(", ")}` };
    }),
  ];
  return {
    kind: "card",
    title: name,
    tone: getEffect(risk),
    badge: group.accepted.has(name) ? "accepted" : undefined,
    text: description,
    items,
    remedy: remediation,
    url,
  };
}
