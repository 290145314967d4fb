import { escapeMarkup, formatText } from "./html-parts.ts";

type Page = {
  readonly title: string;
  /** Added to the style of every page. */
  readonly style?: string;
  readonly script: string;
  /** "sha256-...", of the script. */
  readonly scriptHash: string;
  /** Markup. */
  readonly header: readonly string[];
  readonly main: readonly string[];
};

/** One page without any other file. By its own policy it loads nothing, and runs no script but its own. */
export function formatPage({ title, style = "", script, scriptHash, header, main }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${STYLE}${style}</style></head><body>`,
    '<header class="top">',
    ...header,
    "</header><main>",
    ...main,
    "</main>",
    `<script>${script}</script></body></html>`,
    "",
  ]
    .filter((line, i, lines) => line !== "" || i === lines.length - 1)
    .join("\n");
}

const SYMBOLS = { risk: "!", incomplete: "?", nothing: "?", clear: "✓" } as const;

/** What a page comes to: its words, what they rest on, and the numbers behind it. `basis` is text; `tiles` is markup of list items. */
export function formatDecisionPanel(
  { kind, words }: { readonly kind: keyof typeof SYMBOLS; readonly words: string },
  basis: string,
  tiles: readonly string[],
): string {
  return [
    `<section class="decision ${kind}"><p class="words"><span class="symbol" aria-hidden="true">${SYMBOLS[kind]}</span><strong>${escapeMarkup(words)}.</strong></p>`,
    `<p>${formatText(basis)}</p>`,
    ...(tiles.length === 0 ? [] : [`<ul class="tiles">${tiles.join("")}</ul>`]),
    "</section>",
  ].join("\n");
}

/** Every text has a contrast of at least 4.5 to 1 in both themes; colour never says anything alone. */
const STYLE = `
:root{color-scheme:light dark;--page:#f5f6f8;--card:#fff;--text:#1b1f24;--soft:#59626d;--line:#dfe3e8;--inset:#f5f6f8;--link:#0b57b7;--refused:#b3202c;--stuck:#96480b;--broken:#7a5300;--unknown:#5b4bb0;--accepted:#59626d;--good:#1a6b34;--tint:7%}
@media(prefers-color-scheme:dark){:root{--page:#0f1216;--card:#171b21;--text:#e4e8ed;--soft:#9aa5b1;--line:#2b323b;--inset:#0f1216;--link:#7ab7ff;--refused:#ff8b86;--stuck:#ffa866;--broken:#e5c158;--unknown:#b9acff;--accepted:#9aa5b1;--good:#62d184;--tint:14%}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--soft:#4a4f55;--line:#c9ced4;--inset:#f5f6f8;--link:#000;--refused:#b3202c;--stuck:#96480b;--broken:#7a5300;--unknown:#5b4bb0;--accepted:#4a4f55;--good:#1a6b34}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{background:var(--page);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;margin:0 auto;max-width:56rem;padding:2.5rem 1.25rem 4rem;overflow-wrap:anywhere}
p{margin:.5rem 0;max-width:46rem;text-wrap:pretty}
h1{font-size:2rem;font-weight:650;letter-spacing:-.01em;line-height:1.2;margin:.1rem 0 .5rem}
h2{align-items:center;display:flex;flex-wrap:wrap;font-size:1.2rem;font-weight:650;gap:.55rem;line-height:1.3;margin:2.1rem 0 .75rem}
h3{font-size:1.05rem;font-weight:650;line-height:1.35;margin:1.4rem 0 .65rem}h4,h5{font-size:1rem;font-weight:650;line-height:1.35;margin:1.25rem 0 .6rem}
a{color:var(--link);text-underline-offset:.15em}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code span{display:inline-block;max-width:100%}
p code,dd code,li>code,td code{background:var(--inset);border-radius:.3rem;box-decoration-break:clone;-webkit-box-decoration-break:clone;padding:.08rem .35rem}
.soft,.arrow{color:var(--soft)}.top p{font-size:.925rem;margin:.1rem 0}
.hidden{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
[hidden]{display:none!important}
.tile{--tone:var(--text)}
.refused{--tone:var(--refused)}.notRecommended,.stuck{--tone:var(--stuck)}.broken{--tone:var(--broken)}.unknown{--tone:var(--unknown)}.accepted{--tone:var(--accepted)}
.decision{--tone:var(--refused);background:color-mix(in srgb,var(--tone) var(--tint),var(--card));border:1px solid color-mix(in srgb,var(--tone) 35%,var(--line));border-radius:.9rem;margin:1.75rem 0 1.25rem;padding:1.25rem 1.4rem}
.decision.clear{--tone:var(--good)}.decision.incomplete,.decision.nothing{--tone:var(--unknown)}
.words{align-items:center;color:var(--tone);display:flex;font-size:1.4rem;gap:.7rem;line-height:1.3;margin:0 0 .4rem;max-width:none}
.symbol{align-items:center;border:2px solid;border-radius:50%;display:inline-flex;flex:none;font-size:1.05rem;font-weight:700;height:1.9rem;justify-content:center;width:1.9rem}
.tiles{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));list-style:none;margin:1.1rem 0 0;padding:0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.6rem;color:var(--text);display:flex;flex-direction:column;font-size:.9rem;height:100%;line-height:1.35;padding:.6rem .85rem .7rem;text-decoration:none}
.tile b{color:var(--tone);font-size:1.35rem;font-weight:650;line-height:1.3}.tile:hover{border-color:var(--tone)}
.note{border-left:3px solid var(--line);padding-left:.9rem}
.toolbar{align-items:end;display:flex;flex-wrap:wrap;gap:.75rem 1rem;margin:1.75rem 0 -.75rem}
.toolbar label{color:var(--soft);display:grid;font-size:.85rem;gap:.25rem}.toolbar label:first-child{flex:1 1 16rem;max-width:24rem}.toolbar p{flex-basis:100%;font-size:.9rem;margin:0}
input,select,button{background:var(--card);border:1px solid color-mix(in srgb,var(--soft) 55%,var(--line));border-radius:.5rem;color:var(--text);font:inherit}
input,select{font-size:1rem;min-height:2.5rem;padding:.3rem .7rem;width:100%}
input[type=checkbox]{accent-color:var(--link);flex:none;height:1.25rem;margin:.15rem 0 0;min-height:0;padding:0;width:1.25rem}
.task{align-items:start;display:flex;gap:.6rem}.file{background:var(--inset);border:1px solid var(--line);border-radius:.5rem;overflow-x:auto;padding:.6rem .75rem}
input::placeholder{color:var(--soft);opacity:1}
.dot{background:var(--tone);border-radius:50%;display:inline-block;flex:none;height:.65rem;width:.65rem}:is(h3,h4) .dot{margin-right:.5rem}
.count{color:var(--soft);font-weight:400}
.card,.panel{background:var(--card);border:1px solid var(--line);border-radius:.8rem;margin:0 0 1rem;padding:1.1rem 1.25rem;scroll-margin-top:1rem}
.card>header>:is(h3,h4,h5){font-size:1.05rem;margin:0}
.card>header{align-items:center;display:flex;flex-wrap:wrap;gap:.4rem .6rem}
.badge{background:color-mix(in srgb,var(--tone) var(--tint),var(--card));border-radius:1rem;color:var(--tone);font-size:.8rem;line-height:1.4;padding:.12rem .6rem;white-space:nowrap}
.badge.plain{background:var(--inset);color:var(--soft)}
.takes{border-radius:1rem;padding:.12rem .6rem;white-space:nowrap}td .takes{font-size:.85rem}.takes.days{background:var(--text);color:var(--page);font-weight:650}.takes.hours{background:none;border:1px solid var(--soft);color:var(--text);font-weight:600}.takes.minutes{color:var(--soft);padding-inline:0}
.accepted-why{background:var(--inset);border-radius:.5rem;padding:.4rem .7rem}
.do{border-left:3px solid var(--tone);padding-left:.85rem}.do strong{color:var(--tone);display:block;font-size:.85rem}
.fold>summary{align-items:center;color:var(--text);display:flex;flex-wrap:wrap;font-size:1rem;gap:.4rem .6rem;padding:0 0 0 1.3rem}.fold>summary>:is(h3,h4,h5){font-size:1.05rem;margin:0;max-width:calc(100% - .7rem)}
.fold>summary::before{align-self:start;border:solid var(--soft);border-width:0 2px 2px 0;content:"";flex:none;height:.5rem;margin:.5rem .2rem 0 -1.3rem;transform:rotate(-45deg);width:.5rem}.fold[open]>summary::before{transform:rotate(45deg)}
.card:has(>.fold:not([open])){margin-bottom:.5rem;padding-block:.55rem}
.objects,.lines,.places{list-style:none;margin:.9rem 0 0;padding:0}
.objects>li{border-top:1px solid var(--line);padding:.75rem 0 .35rem}.objects>li:last-child{padding-bottom:0}
.ref{margin:0 0 .15rem}.ref strong{display:inline-block;max-width:100%}.place{font-size:.95rem;margin:.15rem 0}
.places li{border-top:1px solid var(--line);padding:.45rem 0}
.command{align-items:start;background:var(--inset);border:1px solid var(--line);border-radius:.5rem;display:flex;gap:.7rem;margin:.45rem 0;padding:.4rem .45rem .4rem .75rem}
.command .label{color:var(--soft);flex:none;font-size:.8rem;line-height:1.75;min-width:1.7rem;white-space:nowrap}.command code{flex:1;min-width:0;padding:.1rem 0;white-space:pre-wrap}
.command var{color:var(--tone);font-style:normal;text-decoration:underline dotted;text-underline-offset:.2em}
.command button{flex:none;font-size:.8rem;line-height:1.5;min-height:1.6rem;min-width:3.9rem;padding:.05rem .5rem}
button:hover,input:hover,select:hover{border-color:var(--text)}
.card>footer{align-items:baseline;display:flex;flex-wrap:wrap;font-size:.9rem;gap:.3rem 1.25rem;justify-content:space-between;margin-top:.9rem}
summary{color:var(--soft);cursor:pointer;font-size:.9rem;padding:.15rem 0}summary:hover{color:var(--text)}
.more{flex:1 1 20rem}.more[open]{flex-basis:100%}
dl{display:grid;font-size:.925rem;gap:.3rem 1.25rem;grid-template-columns:minmax(6rem,auto) 1fr;margin:.6rem 0}dt{color:var(--soft)}dd{margin:0}
.wide{background:var(--card);border:1px solid var(--line);border-radius:.8rem;margin:1.25rem 0;overflow-x:auto}table{border-collapse:separate;border-spacing:0;font-size:.9rem;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.5rem .8rem;text-align:left;vertical-align:top}tbody tr:last-child>*{border-bottom:0}thead th{color:var(--soft);font-weight:600}tbody th{font-weight:600;overflow-wrap:break-word}tr[class] th{color:var(--tone)}.fits :is(th,td):not(.flexible){overflow-wrap:break-word}
ol.lines{list-style:decimal inside}.lines .places{margin-top:.3rem}.lines li{border-top:1px solid var(--line);padding:.6rem 0}.lines li:first-child{border-top:0}
.tag{background:color-mix(in srgb,var(--soft) 12%,var(--page));border-radius:.35rem;color:var(--soft);font-size:.8rem;margin-right:.25rem;padding:.1rem .45rem;white-space:nowrap}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media(min-width:50rem){li:has(>.task){align-items:start;display:grid;gap:0 1.25rem;grid-template-columns:minmax(0,1.2fr) minmax(0,1.3fr)}li:has(>.task)>.command{grid-column:2;margin:.1rem 0}}
@media(max-width:40rem){body{padding:1.5rem 1rem 3rem}h1{font-size:1.6rem}.words{font-size:1.2rem}.decision{padding:1rem}.card{padding:.9rem}.tiles{gap:.5rem;grid-template-columns:1fr 1fr}.tile{padding:.5rem .7rem .55rem}.command{flex-wrap:wrap;row-gap:.1rem}.command code{flex-basis:100%;order:3}.command button{margin-left:auto}dl{gap:.1rem;grid-template-columns:1fr}dd{margin-bottom:.5rem}
thead{display:none}table,tbody,tr,th,td{display:block}tbody tr{border-bottom:1px solid var(--line);padding:.6rem .9rem}tbody tr:last-child{border-bottom:0}tbody th,td{border:0;padding:.1rem 0}td[data-label]::before{color:var(--soft);content:attr(data-label) ": "}.overview tbody tr{column-gap:.9rem;display:flex;flex-wrap:wrap}.overview td.linked{flex-basis:100%;font-weight:600;order:-1}.overview td.linked::before{display:none}}
@page{margin:14mm}@media print{body{max-width:none;padding:0}.toolbar,.command button{display:none}.card,.decision{break-inside:auto}h2,.card>header,.objects>li{break-inside:avoid;break-after:avoid-page}.objects>li{break-after:auto}details::details-content{block-size:auto;content-visibility:visible}a[href^=https]::after{color:var(--soft);content:" (" attr(href) ")";font-size:.85em}}
`.trim();

/** Of every page: it says how long ago something was, and opens everything for print. */
export const COMMON_SCRIPT = `
for(const time of document.querySelectorAll("time")){
const seconds=(Date.now()-Date.parse(time.dateTime))/1e3,[unit,size]=[["day",86400],["hour",3600],["minute",60]].find(one=>seconds>=one[1])??[];
if(unit){const count=Math.floor(seconds/size);time.after(" ("+count+" "+unit+(count>1?"s":"")+" ago)")}
}
addEventListener("beforeprint",()=>{for(const one of document.querySelectorAll("details:not([open])")){one.open=true;one.dataset.closed=""}});
addEventListener("afterprint",()=>{for(const one of document.querySelectorAll("[data-closed]")){one.open=false;delete one.dataset.closed}});
`.trim();

/** The page reads the same without it: it adds a filter, an order and buttons that copy, and opens everything for print. */
export const SCRIPT = `
const byId=id=>document.getElementById(id),toolbar=byId("toolbar"),cards=[...document.querySelectorAll(".card")];
if(toolbar&&cards.length>1){
const filter=byId("filter"),sort=byId("sort"),shown=byId("shown"),texts=new Map(cards.map(card=>[card,card.textContent.toLowerCase()]));
const update=()=>{const words=filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
for(const card of cards)card.hidden=!words.every(word=>texts.get(card).includes(word));
for(const row of document.querySelectorAll("tr:has([href^='#'])"))row.hidden=byId(row.querySelector("[href]").hash.slice(1))?.hidden??false;
for(const group of document.querySelectorAll(".group")){const all=[...group.querySelectorAll(".card")],count=all.filter(card=>!card.hidden).length;
group.hidden=count===0&&words.length>0;
if(all.length)for(const place of [group.querySelector(".count"),document.querySelector(".tile[href='#"+group.id+"'] b")])if(place)place.textContent=count}
shown.textContent=words.length?cards.filter(card=>!card.hidden).length+" of "+cards.length+" shown":""};
const orders={work:(a,b)=>cards.indexOf(a)-cards.indexOf(b),objects:(a,b)=>b.dataset.objects-a.dataset.objects,name:(a,b)=>a.dataset.name<b.dataset.name?-1:1};
toolbar.hidden=false;
toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",update);
sort.addEventListener("change",()=>{for(const group of document.querySelectorAll(".group"))group.append(...[...group.querySelectorAll(".card")].sort(orders[sort.value]))});
}
const unfold=id=>{const fold=byId(id)?.querySelector(":scope>.fold");if(fold)fold.open=true};
unfold(location.hash.slice(1));
addEventListener("click",event=>{const link=event.target.closest("a[href^='#']");if(link)unfold(link.hash.slice(1))});
if(navigator.clipboard)for(const command of document.querySelectorAll(".command")){
const button=document.createElement("button"),text=command.querySelector("code").textContent,say=word=>{button.textContent=word;button.ariaLabel=word+" "+text};
button.type="button";say("Copy");
button.addEventListener("click",async()=>{await navigator.clipboard.writeText(text);say("Copied");setTimeout(say,2000,"Copy")});
command.append(button);
}
${COMMON_SCRIPT}
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const SCRIPT_HASH = "sha256-uFMoV/oSIeMSr7lJ6usLIqmxjKFFg280d3sxqNp3Ei0=";
