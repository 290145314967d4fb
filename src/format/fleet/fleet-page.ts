import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { getCell } from "../result/risk-table.ts";
import type { Block, Card, Item, Page } from "../text/page.ts";
import { buildListSection } from "../view/lists.ts";
import { getEffect, getEffectHeadings } from "../view/view.ts";
import { findProblem } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";
import { CELLS, LEGEND, decideFleet, formatCluster, formatFleetHeadline, formatFleetTitle } from "./fleet.ts";
import { buildOverview } from "./fleet-overview.ts";

/** What to mend first, the clusters by risks, why some have no whole result, and what each risk is and where. */
export function buildFleetPage(fleet: Fleet): Page {
  const headline = formatFleetHeadline(fleet);
  const cards = buildRiskCards(fleet).map((card, i) => ({ ...card, title: `Risk ${i + 1}: ${card.title}` }));
  return {
    title: formatFleetTitle(fleet),
    headline: { text: headline },
    lines: [{ text: `Written at ${formatTime(fleet.observedAt)}` }],
    decision: { ...decideFleet(fleet), basis: headline },
    blocks: [
      ...buildOverview(fleet, Infinity),
      ...buildTable(fleet),
      ...buildListSection(UNSAID_HEADING, groupProblems(fleet)),
      { kind: "section", heading: "Risks (see preflight explain RISK)", blocks: cards },
    ],
  };
}

export const UNSAID_HEADING = "Without a whole result";

function buildTable({ columns, risks }: Fleet): readonly Block[] {
  if (columns.length === 0) return [];
  const rows = columns.map((cluster) => [
    ...formatCluster(cluster),
    ...risks.map((risk) => CELLS[getCell(cluster, risk).kind].mark),
  ]);
  return [
    { kind: "text", text: `The worst cluster comes first; each number is a risk below: ${LEGEND}` },
    { kind: "table", head: ["Cluster", "From", "To", "Result", ...risks.map((_, i) => `${i + 1}`)], rows },
  ];
}

/** Without the address of a risk, which is a text of whoever wrote the result. */
export function buildRiskCards(fleet: Fleet): readonly Card[] {
  return fleet.risks.map((risk) => ({
    kind: "card",
    title: risk.name,
    tone: risk.unknown ? "unknown" : getEffect(risk),
    badge: risk.unknown ? "Could not be checked" : getEffectHeadings(risk)[getEffect(risk)],
    mark: formatCount(risk.count, "cluster"),
    items: groupMessages(risk.name, fleet),
  }));
}

/** What is said of clusters; `lead`: their names. */
type ClusterNote = Item & { readonly lead: string; readonly text: string };

/** Why nobody can say when clusters are clear. A wrong network or a wrong release fails many of them. */
export function groupProblems({ columns }: Fleet): readonly ClusterNote[] {
  return groupByText(
    columns.flatMap((cluster) => {
      const problem = findProblem(cluster);
      return problem === undefined ? [] : [{ lead: cluster.name, text: `${problem.reason}: ${problem.message}` }];
    }),
  );
}

/** What a risk's message is on each cluster that has it. */
function groupMessages(risk: string, { columns }: Fleet): readonly ClusterNote[] {
  return groupByText(
    columns.flatMap(({ name, risks }) => {
      const own = risks.find((one) => one.name === risk);
      return own === undefined ? [] : [{ lead: `${name}${own.isAccepted ? " (accepted)" : ""}`, text: own.message }];
    }),
  );
}

/** Clusters of which the same is said are one entry. */
function groupByText(notes: readonly ClusterNote[]): readonly ClusterNote[] {
  const groups = Map.groupBy(notes, ({ text }) => text);
  return [...groups].map(([text, own]) => ({ lead: own.map(({ lead }) => lead).join(", "), text }));
}
