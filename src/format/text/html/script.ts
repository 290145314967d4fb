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
for(const group of document.querySelectorAll(".group"))group.hidden=![...group.querySelectorAll(".card")].some(card=>!card.hidden);
shown.textContent=words.length?cards.filter(card=>!card.hidden).length+" of "+cards.length+" shown":""};
const orders={work:(a,b)=>cards.indexOf(a)-cards.indexOf(b),objects:(a,b)=>b.dataset.objects-a.dataset.objects,name:(a,b)=>a.dataset.name<b.dataset.name?-1:1};
toolbar.hidden=false;
toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",update);
sort.addEventListener("change",()=>{for(const group of document.querySelectorAll(".group"))group.append(...[...group.querySelectorAll(".card")].sort(orders[sort.value]))});
}
if(navigator.clipboard)for(const command of document.querySelectorAll(".command")){
const button=document.createElement("button"),text=command.querySelector("code").textContent,say=word=>{button.textContent=word;button.ariaLabel=word+" "+text};
button.type="button";say("Copy");
button.addEventListener("click",async()=>{await navigator.clipboard.writeText(text);say("Copied");setTimeout(say,2000,"Copy")});
command.append(button);
}
${COMMON_SCRIPT}
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const SCRIPT_HASH = "sha256-rNAXsP2E7NtrEG8o2iB6i88nXCko2WcS2qiRZZEL0LY=";
