import type { FleetMatrix } from "../../model/fleet.ts";
import { formatTime } from "../../model/time.ts";
import { formatCount } from "../../model/count.ts";
import type { Block, Card, PageDecision, Page } from "../text/page.ts";
import { buildListSection } from "../view/lists.ts";
import { EFFECT_HEADINGS } from "../view/work-order.ts";
import {
  formatFleetHeadline,
  formatFleetTitle,
  formatVerdict,
  groupMessages,
  groupProblems,
  LEGEND,
  MARKS,
} from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

/** The clusters by risks, why some have no whole result, and what each risk is and where. */
export function buildFleetPage(matrix: FleetMatrix): Page {
  const headline = formatFleetHeadline(matrix);
  const cards = buildRiskCards(matrix).map((card, i) => ({ ...card, title: `Risk ${i + 1}: ${card.title}` }));
  return {
    title: formatFleetTitle(matrix),
    headline: { text: headline },
    lines: [{ text: `Written at ${formatTime(matrix.observedAt)}` }],
    decision: { ...decideFleet(matrix), basis: headline },
    blocks: [
      ...buildTable(matrix),
      ...buildListSection("Without a whole result", groupProblems(matrix)),
      { kind: "section", heading: "Risks (see preflight explain RISK)", blocks: cards },
    ],
  };
}

export function decideFleet({ counts, clusters }: FleetMatrix): Pick<PageDecision, "kind" | "words"> {
  if (counts.risk > 0) return { kind: "risk", words: "Not every cluster can be updated yet" };
  if (clusters.length === 0) return { kind: "nothing", words: "No cluster was checked" };
  if (counts.clear + counts.updated < clusters.length)
    return { kind: "incomplete", words: "Not decided: some clusters have no whole result" };
  if (counts.clear === 0) return { kind: "nothing", words: "Every cluster runs the target already" };
  const which = counts.updated > 0 ? " that does not run the target yet" : "";
  return { kind: "clear", words: `No unaccepted risk was found on any cluster${which}` };
}

function buildTable({ clusters, risks }: FleetMatrix): readonly Block[] {
  if (clusters.length === 0) return [];
  const rows = clusters.map((cluster) => [
    cluster.name,
    cluster.source ?? "-",
    cluster.target ?? "-",
    formatVerdict(cluster),
    ...risks.map((risk) => MARKS[getCell(cluster, risk)]),
  ]);
  return [
    { kind: "text", text: `The worst cluster comes first; each number is a risk below: ${LEGEND}` },
    { kind: "table", head: ["Cluster", "From", "To", "Result", ...risks.map((_, i) => `${i + 1}`)], rows },
  ];
}

/** Without the address of a risk, which is a text of whoever wrote the result. */
export function buildRiskCards(matrix: FleetMatrix): readonly Card[] {
  return matrix.risks.map(({ name, unknown, effect = "broken", clusters }) => ({
    kind: "card",
    title: name,
    tone: unknown ? "unknown" : effect,
    badge: unknown ? "Could not be checked" : EFFECT_HEADINGS[effect],
    mark: formatCount(clusters, "cluster"),
    quotes: [],
    objects: [],
    isLimited: false,
    items: groupMessages(name, matrix),
    facts: [],
  }));
}
