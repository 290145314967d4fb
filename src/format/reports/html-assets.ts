/** Colours have a contrast of at least 4.5 to 1 in both themes. */
export const STYLE = `
:root{color-scheme:light dark;--back:#fff;--text:#1f2328;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--bad:#a40e26;--warn:#7d4e00;--good:#116329}
@media(prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9da7b3;--line:#3d444d;--panel:#161b22;--bad:#ff8a80;--warn:#e3b341;--good:#56d364}}
body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
h1{font-size:1.5rem;line-height:1.25}h2{border-bottom:1px solid var(--line);font-size:1.25rem;margin-top:2rem}h3{font-size:1rem;margin:0}
.decision{border-left:.4rem solid var(--bad);background:var(--panel);padding:.75rem 1rem}.decision.clear{border-color:var(--good)}.decision.incomplete{border-color:var(--warn)}
article{border:1px solid var(--line);border-radius:.4rem;margin:1rem 0;padding:.75rem 1rem}
.meta,.path{color:var(--soft)}ul{padding-left:1.25rem}li{overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.3rem;margin:.4rem 0;overflow-x:auto;padding:.5rem 4.5rem .5rem .5rem;position:relative}
code{font:.85rem ui-monospace,monospace}a{color:inherit}
label{display:block;margin:1rem 0}input{background:var(--back);border:1px solid var(--soft);border-radius:.3rem;color:inherit;font:inherit;padding:.3rem .5rem;width:min(100%,24rem)}
button{background:var(--back);border:1px solid var(--soft);border-radius:.3rem;color:inherit;font:.8rem system-ui,sans-serif;position:absolute;right:.3rem;top:.3rem}
:focus-visible{outline:3px solid #0969da;outline-offset:2px}[hidden]{display:none}
@media print{label,button{display:none}body{max-width:none}article{break-inside:avoid}details>*{display:block}}
`.trim();

/** The page reads the same without it: it adds a filter and buttons that copy. */
export const SCRIPT = `
const filter=document.querySelector("#filter"),status=document.querySelector("#shown"),risks=[...document.querySelectorAll("article")];
if(filter&&risks.length){filter.closest("label").hidden=false;filter.addEventListener("input",()=>{const word=filter.value.toLowerCase();for(const one of risks)one.hidden=!one.textContent.toLowerCase().includes(word);status.textContent=risks.filter(one=>!one.hidden).length+" of "+risks.length+" risks shown"})}
if(navigator.clipboard)for(const pre of document.querySelectorAll("pre")){const button=document.createElement("button"),text=pre.innerText;button.type="button";button.textContent="Copy";button.addEventListener("click",async()=>{await navigator.clipboard.writeText(text);button.textContent="Copied"});pre.append(button)}
`.trim();
