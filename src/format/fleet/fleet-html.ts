import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { escapeMarkup, formatCard, formatMoment, formatTable, formatText } from "../text/html-parts.ts";
import { COMMON_SCRIPT, formatDecisionPanel, formatPage } from "../text/html-shell.ts";
import { type Block, toPlainText } from "../text/page.ts";
import { formatClusterTiles, formatWaves } from "./fleet-clusters-html.ts";
import { buildFixTable, buildTrendBlocks, describeFixes } from "./fleet-overview.ts";
import { buildRiskCards } from "./fleet-page.ts";
import { type Fleet, decideFleet, formatCounts, formatFleetTitle } from "./fleet.ts";
import { WAVES, WAVE_WORDS } from "./waves.ts";

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

/** Added to the style of every page: names of clusters and of risks stay in sight. */
const FLEET_STYLE = `
body{max-width:72rem}.top{align-items:baseline;column-gap:.9rem;display:flex;flex-wrap:wrap}.top h1{font-size:1.6rem;margin:0}.top p{margin:0}.decision{margin:1rem 0 1.25rem}.words{font-size:1.25rem}.decision p{max-width:none}h2{margin:1.75rem 0 .6rem}.toolbar{align-items:center;margin:1.25rem 0 -.5rem}.toolbar label{align-items:center;display:flex;gap:.6rem;white-space:nowrap}.toolbar input{min-height:2rem;padding:.1rem .6rem}.toolbar p{flex:1 1 auto}
.now,.updated{--tone:var(--good)}.afterOne{--tone:var(--broken)}.afterTwo{--tone:var(--stuck)}.afterMore{--tone:var(--refused)}.notSaid{--tone:var(--unknown)}.updated{--tone:var(--accepted)}
.key{max-width:none;font-size:.9rem}.of h3{align-items:baseline;display:flex;flex-wrap:wrap;gap:.2rem .5rem;margin:.9rem 0 .35rem}.of h3 .soft{font-size:.85rem;font-weight:400}
.chips{display:grid;font-size:.75rem;gap:.2rem;grid-template-columns:repeat(auto-fill,minmax(calc(var(--chars)*.95ch + 2.1rem),1fr));list-style:none;margin:0;padding:0}
.chip{align-items:center;background:color-mix(in srgb,var(--tone) calc(var(--tint)*1.6),var(--card));border-radius:.35rem;color:var(--text);display:flex;gap:.35rem;height:1.55rem;line-height:1.2;overflow:hidden;padding:0 .35rem 0 0;text-decoration:none}
.chip b{color:var(--tone);flex:none;text-align:center;width:1.35rem}.chip i{font-size:0}.chip span:not(.hidden){overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.chip:hover{outline:1px solid var(--tone)}.chip.afterMore b,.chip.afterTwo b{font-weight:800}
.wave .badge{font-weight:650}.wave summary .soft{font-size:.85rem}.wave>.fold>.matrix{border:0;margin:.5rem 0 0}
.matrix{overflow:visible}.many.matrix{max-height:90vh;overflow:auto;position:relative}.matrix td,.matrix th{padding:.3rem .7rem}.matrix td{vertical-align:middle}
.matrix thead th{background:var(--card);position:sticky;top:0;vertical-align:bottom;z-index:2}.matrix thead th:first-child{left:0;z-index:3}
.matrix tbody th{background:var(--card);left:0;max-width:40vw;min-width:11rem;position:sticky;vertical-align:middle;z-index:1}
.matrix .name{font-weight:400;padding:.6rem .3rem;text-align:center}.name span{display:inline-block;line-height:1.3;transform:rotate(180deg);white-space:nowrap;writing-mode:vertical-rl}
.update{white-space:nowrap}.result p{color:var(--soft);font-size:.85rem;margin:.15rem 0 0;min-width:16rem}.result b{font-weight:600}
.mark{text-align:center}.mark.risk{color:var(--refused);font-weight:700}.mark.unknown{color:var(--unknown);font-weight:700}.mark.clear,.mark.notApplicable{color:var(--soft)}
.result.risk strong{color:var(--refused)}.result.clear strong,.result.updated strong{color:var(--good)}.matrix td.names{display:none}.matrix tbody tr:hover>*{background:var(--inset)}tr:target>*{background:var(--inset)}
tr[id]{scroll-margin-top:20rem}.wave{scroll-margin-top:1rem}
@media(max-width:75rem){.matrix{overflow-x:auto}}
@media(max-width:40rem){:not(.matrix)>table td{display:inline-block;margin-right:.9rem}.chips{grid-template-columns:repeat(auto-fill,minmax(1.75rem,1fr))}.chip{height:1.75rem;justify-content:center;padding:0}.chip i{font-size:0}.chip span:not(.hidden){clip-path:inset(50%);height:1px;position:absolute;width:1px}.matrix,.many.matrix{background:none;border:0;border-radius:0;margin:0;max-height:none;overflow:visible}.matrix tbody tr{scroll-margin-top:1rem}.matrix tbody th{font-size:1rem;max-width:none;min-width:0;position:static}.matrix .mark,.legend{display:none}.matrix td.names{display:block}.names ul{list-style:none;margin:.4rem 0 0;padding:0}.names li{border-top:1px solid var(--line);padding:.4rem 0}.result p{min-width:0}}
@media print{.matrix,.many.matrix{max-height:none;overflow:visible}.matrix thead th,.matrix tbody th{position:static}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters, opens what a link leads to, and what every page has. */
export const FLEET_SCRIPT = `
const byId=id=>document.getElementById(id),toolbar=byId("toolbar"),filter=byId("filter"),shown=byId("shown"),rows=[...document.querySelectorAll("tr[id]")];
if(toolbar&&rows.length>1){toolbar.hidden=false;toolbar.addEventListener("submit",event=>event.preventDefault());
const texts=new Map(rows.map(row=>[row,(row.textContent+" "+(row.dataset.group??"")).toLowerCase()]));
filter.addEventListener("input",()=>{const words=filter.value.toLowerCase().split(/\\s+/).filter(Boolean),isOn=words.length>0;
for(const row of rows)row.hidden=!words.every(word=>texts.get(row).includes(word));
for(const chip of document.querySelectorAll(".chip"))chip.parentElement.hidden=byId(chip.hash.slice(1)).hidden;
for(const group of document.querySelectorAll(".of")){const count=group.querySelectorAll("li:not([hidden])").length,place=group.querySelector(".count");group.hidden=count===0;if(place)place.textContent=count}
for(const wave of document.querySelectorAll(".wave")){const count=wave.querySelectorAll("tbody tr:not([hidden])").length,fold=wave.firstElementChild;wave.hidden=count===0;
wave.querySelector(".badge").textContent=count+(count===1?" cluster":" clusters");document.querySelector(".tile[href='#"+wave.id+"'] b").textContent=count;
if(isOn&&!fold.open){fold.open=true;fold.dataset.filtered=""}if(!isOn&&"filtered" in fold.dataset){fold.open=false;delete fold.dataset.filtered}}
shown.textContent=isOn?rows.filter(row=>!row.hidden).length+" of "+rows.length+" clusters shown":""})}
const unfold=id=>{const one=byId(id),fold=one?.querySelector(":scope>.fold")??one?.closest("details");if(fold)fold.open=true};
unfold(decodeURIComponent(location.hash.slice(1)));
addEventListener("click",event=>{const link=event.target.closest("a[href^='#']");if(link)unfold(decodeURIComponent(link.hash.slice(1)))});
${COMMON_SCRIPT}
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const FLEET_SCRIPT_HASH = "sha256-2uwA1v37D0YDji8MLLIrgnwePxHH9IvOEpAJaRf1mww=";
