import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { escapeMarkup, formatCard, formatMoment, formatTable, formatText } from "../text/html-parts.ts";
import { formatDecisionPanel, formatPage } from "../text/html-shell.ts";
import { type Block, toPlainText } from "../text/page.ts";
import type { Fleet } from "./fleet.ts";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, FLEET_STYLE } from "./fleet-assets.ts";
import { formatClusterTiles, formatWaves } from "./fleet-clusters-html.ts";
import { buildFixTable, buildTrendBlocks, describeFixes } from "./fleet-overview.ts";
import { buildRiskCards } from "./fleet-page.ts";
import { decideFleet, formatCounts, formatFleetTitle } from "./fleet-words.ts";
import { WAVE_WORDS, WAVES } from "./waves.ts";

export type FleetPageOptions = {
  /** Relative addresses of the clusters' own pages, by the names of the clusters. */
  readonly reports?: ReadonlyMap<string, string>;
};

/** What to mend first, each cluster as a tile in its group, the clusters by risks in their waves, and what each risk is and where. */
export function formatFleetHtml(fleet: Fleet, { reports = new Map() }: FleetPageOptions = {}): string {
  const title = formatFleetTitle(fleet);
  return formatPage({
    title: `Preflight: ${title}`,
    style: FLEET_STYLE,
    script: FLEET_SCRIPT,
    scriptHash: FLEET_SCRIPT_HASH,
    header: [
      '<p class="soft">Preflight</p>',
      `<h1>${escapeMarkup(title)}</h1>`,
      formatMoment("Written", formatTime(fleet.observedAt)),
    ],
    main: [
      formatDecisionPanel(decideFleet(fleet), formatBasis(fleet), formatWaveTiles(fleet)),
      ...formatFixes(fleet),
      ...formatTrend(fleet),
      ...formatClusterTiles(fleet),
      ...formatWaves(fleet, reports),
      ...formatRisks(fleet),
    ],
  });
}

/** "12 clusters: 2 with risks, 8 clear. Mend A and 2 clusters become clear: 10 of 12 then." */
function formatBasis(fleet: Fleet): string {
  const counts = formatCounts(fleet.counts);
  const clusters = formatCount(fleet.columns.length, "cluster");
  return [`${clusters}${counts === "" ? "" : `: ${counts}`}.`, ...describeFixes(fleet)].join(" ");
}

/** How many clusters are in each wave, and the way to them. */
function formatWaveTiles({ waves }: Fleet): readonly string[] {
  return WAVES.flatMap((wave) =>
    waves[wave] === 0
      ? []
      : `<li><a class="tile ${wave}" href="#wave-${wave}"><b>${waves[wave]}</b> ${WAVE_WORDS[wave]}</a></li>`,
  );
}

/** More than a screen has room for beside the tiles. */
const MAX_FIXES = 10;

function formatFixes(fleet: Fleet): readonly string[] {
  const blocks = buildFixTable(fleet, MAX_FIXES);
  return blocks.length === 0
    ? []
    : ["<section><h2>What to mend, in this order</h2>", ...blocks.map(formatBlock), "</section>"];
}

function formatTrend(fleet: Fleet): readonly string[] {
  const blocks = buildTrendBlocks(fleet);
  return blocks.length === 0 ? [] : ["<section><h2>What has changed</h2>", ...blocks.map(formatBlock), "</section>"];
}

/** Of an overview, which has texts and tables. */
function formatBlock(block: Block): string {
  if (block.kind === "table") return formatTable(block);
  return block.kind === "text" ? `<p>${formatText(toPlainText(block.text))}</p>` : "";
}

const MAX_OPEN = 5;

function formatRisks(fleet: Fleet): readonly string[] {
  const cards = buildRiskCards(fleet).map((card, i) => ({
    ...card,
    url: fleet.risks[i]?.url || undefined,
    items: card.items?.map(({ lead = "", text }) => ({ text: [{ strong: lead }, `: ${toPlainText(text)}`] })),
  }));
  const place = { level: 3, hasId: true, isFolded: cards.length > MAX_OPEN };
  return cards.length === 0
    ? []
    : ["<section><h2>Risks</h2>", ...cards.map((card) => formatCard(card, place)), "</section>"];
}
