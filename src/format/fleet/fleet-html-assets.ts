import { COMMON_SCRIPT } from "../text/html/script.ts";

/** Added to the style of every page: names of clusters and of risks stay in sight. */
export const FLEET_STYLE = `
body{max-width:72rem}.matrix{overflow:visible}.many.matrix{max-height:90vh;overflow:auto;position:relative}.matrix td{vertical-align:middle}
.matrix thead th{background:var(--card);position:sticky;top:0;vertical-align:bottom;z-index:2}.matrix thead th:first-child{left:0;z-index:3}
.matrix tbody th{background:var(--card);left:0;max-width:40vw;min-width:11rem;position:sticky;vertical-align:middle;z-index:1}
.matrix th:first-child{border-radius:.8rem 0 0}.matrix thead th:last-child{border-radius:0 .8rem 0 0}.matrix tbody th:first-child{border-radius:0}.matrix tbody tr:last-child th{border-radius:0 0 0 .8rem}
.matrix .name{font-weight:400;padding:.6rem .3rem;text-align:center}.name span{display:inline-block;line-height:1.3;transform:rotate(180deg);white-space:nowrap;writing-mode:vertical-rl}
.update{white-space:nowrap}.result p{color:var(--soft);font-size:.85rem;margin:.15rem 0 0;min-width:16rem}.result b{font-weight:600}
.mark{text-align:center}.mark.risk{color:var(--refused);font-weight:700}.mark.unknown{color:var(--unknown);font-weight:700}.mark.clear,.mark.notApplicable{color:var(--soft)}
tr.risk .result strong{color:var(--refused)}tr.clear .result strong,tr.updated .result strong{color:var(--good)}.matrix td.names{display:none}article details{margin-top:.4rem}tbody tr:hover>*{background:var(--inset)}
.tile{--tone:var(--unknown)}.tile.risk{--tone:var(--refused)}.tile.clear,.tile.updated{--tone:var(--good)}tr[id]{scroll-margin-top:20rem}
@media(max-width:75rem){.matrix{overflow-x:auto}}
@media(max-width:40rem){.matrix,.many.matrix{background:none;border:0;border-radius:0;margin:0;max-height:none;overflow:visible}.matrix tbody tr{background:var(--card);border:1px solid var(--line);border-radius:.8rem;margin:0 0 .75rem;padding:.8rem .9rem;scroll-margin-top:1rem}.matrix tbody th{font-size:1rem;max-width:none;min-width:0;position:static}.matrix .mark,.legend{display:none}.matrix td.names{display:block}.names ul{list-style:none;margin:.4rem 0 0;padding:0}.names li{border-top:1px solid var(--line);padding:.4rem 0}.result p{min-width:0}tbody tr:hover>*{background:none}}
@media print{.matrix,.many.matrix{max-height:none;overflow:visible}.matrix thead th,.matrix tbody th{position:static}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters, and what every page has. */
export const FLEET_SCRIPT = `
const toolbar=document.getElementById("toolbar"),filter=document.getElementById("filter"),shown=document.getElementById("shown"),rows=[...document.querySelectorAll("tbody tr")];
if(toolbar&&rows.length>1){toolbar.hidden=false;toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",()=>{const word=filter.value.toLowerCase();for(const row of rows)row.hidden=!row.textContent.toLowerCase().includes(word);shown.textContent=word?rows.filter(row=>!row.hidden).length+" of "+rows.length+" clusters shown":""})}
${COMMON_SCRIPT}
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const FLEET_SCRIPT_HASH = "sha256-O42rlzQGTxkgz3yE6teNJFPtuedOdRa3pkhGzVa7vug=";
