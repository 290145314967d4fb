/** Added to the style of a report: the matrix scrolls in its own box, and names of clusters stay in sight. */
export const FLEET_STYLE = `
body{max-width:76rem}.wide{background:var(--card);border:1px solid var(--line);border-radius:.8rem;max-height:80vh;overflow:auto;position:relative}.toolbar{margin-bottom:.75rem}
table{border-collapse:separate;border-spacing:0;font-size:.9rem;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;white-space:nowrap}
thead th{background:var(--inset);color:var(--soft);font-weight:600;position:sticky;top:0;z-index:2}tbody th{background:var(--card);font-weight:600;left:0;max-width:16rem;overflow:hidden;position:sticky;text-overflow:ellipsis}
th.cell,.cell{font-weight:700;text-align:center}td.risk{color:var(--refused)}td.unknown{color:var(--unknown)}td.accepted,td.clear,td.notApplicable{color:var(--soft);font-weight:400}
tr.risk>.verdict{color:var(--refused)}tr.failed>.verdict,tr.invalid>.verdict,tr.stale>.verdict,tr.running>.verdict,tr.incomplete>.verdict{color:var(--unknown)}tr.clear>.verdict{color:var(--good)}
@media print{.wide{max-height:none;overflow:visible}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters, and opens everything for print. */
export const FLEET_SCRIPT = `
const byId=id=>document.getElementById(id),toolbar=byId("toolbar"),rows=[...document.querySelectorAll("tbody tr")];
if(toolbar&&rows.length>1){
const filter=byId("filter"),shown=byId("shown"),texts=new Map(rows.map(row=>[row,row.textContent.toLowerCase()]));
toolbar.hidden=false;
toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",()=>{const words=filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
for(const row of rows)row.hidden=!words.every(word=>texts.get(row).includes(word));
shown.textContent=words.length?rows.filter(row=>!row.hidden).length+" of "+rows.length+" clusters":""});
}
addEventListener("beforeprint",()=>{for(const one of document.querySelectorAll("details:not([open])")){one.open=true;one.dataset.closed=""}});
addEventListener("afterprint",()=>{for(const one of document.querySelectorAll("[data-closed]")){one.open=false;delete one.dataset.closed}});
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const FLEET_SCRIPT_HASH = "sha256-5rqoWieNDg4z6K32QjLkbaMb2QdZ+VeY7VuUHjsXftA=";
