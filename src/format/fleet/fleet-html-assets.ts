/** Added to the style of a report: the matrix scrolls in its own box, and names of clusters stay in sight. */
export const FLEET_STYLE = `
body{max-width:80rem}.wide{overflow:auto;max-height:80vh;border:1px solid var(--line)}table{border-collapse:collapse;font-size:.875rem}
th,td{border-bottom:1px solid var(--line);padding:.25rem .5rem;text-align:left;white-space:nowrap}
thead th{background:var(--card);position:sticky;top:0;z-index:1}tbody th{background:var(--page);left:0;position:sticky;font-weight:600}
td.risk,td.unknown,td.accepted,td.clear,td.notApplicable{text-align:center}td.risk{color:var(--refused);font-weight:700}td.unknown{color:var(--unknown);font-weight:700}td.clear,td.notApplicable{color:var(--soft)}
.said{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
@media print{.wide{overflow:visible;max-height:none}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters. */
export const FLEET_SCRIPT = `
const filter=document.querySelector("#filter"),status=document.querySelector("#shown"),rows=[...document.querySelectorAll("tbody tr")];
if(filter&&rows.length){filter.closest("label").hidden=false;filter.addEventListener("input",()=>{const word=filter.value.toLowerCase();for(const one of rows)one.hidden=!one.textContent.toLowerCase().includes(word);status.textContent=rows.filter(one=>!one.hidden).length+" of "+rows.length+" clusters shown"})}
`.trim();
