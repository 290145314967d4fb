import { getUnknownRiskName } from "../../../model/check.ts";
import { compareText } from "../../../model/json.ts";
import type { CheckReport, Report } from "../../../model/report.ts";
import { formatUnknown, sortUnknowns } from "../../document-checks.ts";
import type { View } from "../../view.ts";
import { formatAcceptance } from "../../work-order.ts";
import { escapeMarkup } from "../xml.ts";
import { isGrant } from "../../missing-rights.ts";

const MAX_PLACES = 50;

type Accepted = Pick<View, "accepted" | "acceptances">;

/** The checks that could not be completed: what could not be read, and what to do. */
export function formatUnknownCards(report: Report, accepted: Accepted, hasRightsPanel: boolean): readonly string[] {
  return report.checks
    .filter(({ outcome }) => outcome.kind === "unknown")
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((check) => formatUnknownCard(check, report, accepted, hasRightsPanel));
}

function formatUnknownCard(
  check: CheckReport,
  { risks }: Report,
  { accepted, acceptances = [] }: Accepted,
  hasRightsPanel: boolean,
): string {
  const { outcome, title, id } = check;
  const name = escapeMarkup(getUnknownRiskName(check));
  const unknowns = outcome.kind === "unknown" ? sortUnknowns(outcome.unknowns) : [];
  const places = unknowns.slice(0, MAX_PLACES).map((one) => {
    const reason = one.message === "" ? "" : ` <span class="soft">(${escapeMarkup(one.reason)})</span>`;
    return `<li>${escapeMarkup(formatUnknown(one))}${reason}</li>`;
  });
  const more = unknowns.length - MAX_PLACES;
  const remedy = risks.find((risk) => risk.unknown && risk.check === id)?.remediation;
  const isMended = remedy === undefined || (hasRightsPanel && isGrant(remedy));
  const reasons = acceptances.filter(
    ({ acceptance, state }) =>
      acceptance.risk === getUnknownRiskName(check) && state.kind === "accepted" && acceptance.reason !== undefined,
  );
  return [
    `<article class="card unknown" id="${name}" data-kind="unknown" data-name="${name}" data-objects="${unknowns.length}">`,
    `<header><h3>${name}</h3>${accepted.has(getUnknownRiskName(check)) ? '<span class="badge plain">accepted</span>' : ""}</header>`,
    ...reasons.map(({ acceptance }) => `<p class="accepted-why">${escapeMarkup(formatAcceptance(acceptance))}</p>`),
    `<p>${escapeMarkup(title)}: the check <code>${escapeMarkup(id)}</code> could not be completed.</p>`,
    isMended ? "" : `<p class="do"><strong>What to do</strong> ${escapeMarkup(remedy)}</p>`,
    `<ul class="places">${places.join("")}</ul>`,
    more > 0 ? `<p class="soft">and ${more} more (all with -o json)</p>` : "",
    "</article>",
  ].join("");
}
