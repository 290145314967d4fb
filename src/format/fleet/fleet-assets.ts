import { COMMON_SCRIPT } from "../text/html-shell.ts";

/** Added to the style of every page: names of clusters and of risks stay in sight. */
export const FLEET_STYLE = `
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
