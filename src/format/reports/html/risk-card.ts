import type { Finding } from "../../../model/check.ts";
import { joinNames } from "../../../model/names.ts";
import { buildRefKey } from "../../../model/resource.ts";
import { formatCount } from "../../../model/count.ts";
import type { RiskBackground, View } from "../../view/view.ts";
import { formatAcceptance, formatLeadTime, type RiskEntry, type RiskGroup } from "../../view/work-order.ts";
import { escapeMarkup } from "../../text/markup.ts";
import { formatCommand } from "./command.ts";

/** Objects in sight; the others are behind one click. */
const MAX_SHOWN = 4;
/** A page with very many objects helps nobody. */
const MAX_OBJECTS = 50;
const MAX_PLACES = 10;

/** One risk: what is wrong, what to do, which objects, and what else is known. */
export function formatRiskCard(entry: RiskEntry, kind: RiskGroup["kind"], view: Pick<View, "backgrounds">): string {
  const { risk, findings, acceptances } = entry;
  const objects = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
  const leadTime = formatLeadTime(risk);
  const name = escapeMarkup(risk.name);
  return [
    `<article class="card ${kind}" id="${name}" data-kind="${kind}" data-name="${name}" data-objects="${objects.length}">`,
    `<header><h3>${name}</h3>`,
    leadTime === undefined ? "" : `<span class="badge">${leadTime}</span>`,
    objects.length > 1 ? `<span class="badge plain">${formatCount(objects.length, "object")}</span>` : "",
    "</header>",
    ...acceptances.map((one) => `<p class="accepted-why">${escapeMarkup(formatAcceptance(one))}</p>`),
    `<p>${escapeMarkup(risk.description)}</p>`,
    `<p class="do"><strong>What to do</strong> ${escapeMarkup(risk.remediation)}</p>`,
    formatObjects(objects),
    formatMore(entry, view.backgrounds?.get(risk.name)),
    "</article>",
  ].join("");
}

function formatObjects(objects: readonly (readonly Finding[])[]): string {
  if (objects.length === 0) return "";
  const hidden = objects.slice(MAX_SHOWN, MAX_OBJECTS);
  const omitted = objects.length - MAX_OBJECTS;
  return [
    `<ul class="objects">${objects.slice(0, MAX_SHOWN).map(formatObject).join("")}</ul>`,
    hidden.length === 0
      ? ""
      : `<details><summary>${formatCount(objects.length - MAX_SHOWN, "more object")}</summary><ul class="objects">${hidden.map(formatObject).join("")}</ul>${
          omitted > 0 ? `<p class="soft">and ${formatCount(omitted, "more object")} (all with -o json)</p>` : ""
        }</details>`,
  ].join("");
}

/** An object with its faults, and its commands once. */
function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return "";
  const { kind, namespace, name } = first.object;
  const more = findings.length - MAX_PLACES;
  const select = (field: "see" | "fix") => [...new Set(findings.flatMap((finding) => finding[field] ?? []))];
  return [
    `<li><p class="ref"><span class="soft">${escapeMarkup(kind)}</span> <strong>${escapeMarkup(`${namespace === undefined ? "" : `${namespace}/`}${name}`)}</strong></p>`,
    ...findings.slice(0, MAX_PLACES).map(formatPlace),
    more > 0 ? `<p class="place soft">and ${formatCount(more, "more place")} in it</p>` : "",
    ...select("see").map((command) => formatCommand("See", command)),
    ...select("fix").map((command) => formatCommand("Fix", command)),
    "</li>",
  ].join("");
}

function formatPlace({ path, message }: Finding): string {
  const where = path === undefined ? "" : `<code>${escapeMarkup(path)}</code> `;
  return `<p class="place">${where}${escapeMarkup(message)}</p>`;
}

function formatMore({ risk }: RiskEntry, background: RiskBackground | undefined): string {
  const { url, check, published = [] } = risk;
  const rows: readonly (readonly [string, string])[] = [
    ["Check", check ?? ""],
    ["Concerns", background?.concerns ?? ""],
    ["Releases", background?.releases.join("; ") ?? ""],
    ["How sure", background?.certainty ?? ""],
    ["Also called", joinNames(published)],
  ];
  const list = rows
    .filter(([, text]) => text !== "")
    .map(([term, text]) => `<dt>${term}</dt><dd>${escapeMarkup(text)}</dd>`);
  return [
    '<footer><details class="more"><summary>More about this risk</summary>',
    `<dl>${list.join("")}</dl></details>`,
    `<a href="${escapeMarkup(url)}" rel="noreferrer">Documentation<span class="hidden"> of ${escapeMarkup(risk.name)}</span></a></footer>`,
  ].join("");
}
