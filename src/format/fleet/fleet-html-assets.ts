/** Added to the style of every page: the matrix scrolls in its own box, and names of clusters stay in sight. */
export const FLEET_STYLE = `
body{max-width:72rem}.wide{background:var(--card);border:1px solid var(--line);border-radius:.8rem;max-height:80vh;overflow:auto;position:relative}table{border-collapse:separate;border-spacing:0;font-size:.9rem;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.45rem .8rem;text-align:left;white-space:nowrap}tbody tr:last-child>*{border-bottom:0}
thead th{background:var(--card);color:var(--soft);font-weight:600;position:sticky;top:0;z-index:1}tbody th{background:var(--card);font-weight:600;left:0;max-width:45vw;overflow:hidden;position:sticky;text-overflow:ellipsis}
td.risk,td.unknown,td.accepted,td.clear,td.notApplicable,thead th:has(a){text-align:center}td.risk{color:var(--refused);font-weight:700}td.unknown{color:var(--unknown);font-weight:700}td.clear,td.notApplicable{color:var(--soft)}
tr.risk td:nth-of-type(3){color:var(--refused)}tr.clear td:nth-of-type(3){color:var(--good)}tbody tr:hover>*{background:var(--inset)}
@media print{.wide{max-height:none;overflow:visible}thead th,tbody th{position:static}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters, and opens everything for print. */
export const FLEET_SCRIPT = `
const toolbar=document.getElementById("toolbar"),filter=document.getElementById("filter"),shown=document.getElementById("shown"),rows=[...document.querySelectorAll("tbody tr")];
if(toolbar&&rows.length>1){toolbar.hidden=false;toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",()=>{const word=filter.value.toLowerCase();for(const row of rows)row.hidden=!row.textContent.toLowerCase().includes(word);shown.textContent=word?rows.filter(row=>!row.hidden).length+" of "+rows.length+" clusters shown":""})}
addEventListener("beforeprint",()=>{for(const one of document.querySelectorAll("details:not([open])")){one.open=true;one.dataset.closed=""}});
addEventListener("afterprint",()=>{for(const one of document.querySelectorAll("[data-closed]")){one.open=false;delete one.dataset.closed}});
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const FLEET_SCRIPT_HASH = "sha256-NoV0WuZRRUBvZcxkUTD4FnCiFeiHe9TQ6GdVqKl6SEE=";
