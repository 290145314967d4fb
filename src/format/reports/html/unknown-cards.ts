import { compareText } from "../../../model/json.ts";
import type { CheckReport, Report } from "../../../model/report.ts";
import { UNSEEN_RISKS, type Unseen } from "../../../model/unseen.ts";
import { sortUnseen } from "../../view/unknown-causes.ts";
import { formatUnknown } from "../../document/document-checks.ts";
import type { View } from "../../view/view.ts";
import { formatAcceptance } from "../../view/work-order.ts";
import { escapeMarkup } from "../../text/markup.ts";
import { isGrant } from "../../view/missing-rights.ts";

const MAX_PLACES = 50;

type Accepted = Pick<View, "accepted" | "acceptances">;

/** What was not seen, a card for each risk that reports it: where, why, and what to do. */
export function formatUnknownCards(report: Report, accepted: Accepted, hasRightsPanel: boolean): readonly string[] {
  const groups = Map.groupBy(sortUnseen(report.unseen), ({ risk }) => risk);
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, unseen]) => formatUnknownCard(name, unseen, report, accepted, hasRightsPanel));
}

function formatUnknownCard(
  name: string,
  unseen: readonly Unseen[],
  { risks, checks }: Report,
  accepted: Accepted,
  hasRightsPanel: boolean,
): string {
  const risk = risks.find((one) => one.unknown && one.name === name);
  const checksOfRisk = checks.filter(({ id }) => unseen.some(({ check }) => check === id));
  const more = unseen.length - MAX_PLACES;
  const remedy = risk?.remediation;
  const isMended = remedy === undefined || (hasRightsPanel && isGrant(remedy));
  const isAccepted = accepted.accepted.has(name) || unseen.every((one) => one.accepted !== undefined);
  return [
    `<article class="card unknown" id="${escapeMarkup(name)}" data-kind="unknown" data-name="${escapeMarkup(name)}" data-objects="${unseen.length}">`,
    `<header><h3>${escapeMarkup(name)}</h3>${isAccepted ? '<span class="badge plain">accepted</span>' : ""}</header>`,
    ...listReasons(name, accepted).map((reason) => `<p class="accepted-why">${escapeMarkup(reason)}</p>`),
    formatSummary(checksOfRisk, unseen),
    isMended ? "" : `<p class="do"><strong>What to do</strong> ${escapeMarkup(remedy)}</p>`,
    `<ul class="places">${unseen.slice(0, MAX_PLACES).map(formatPlace).join("")}</ul>`,
    more > 0 ? `<p class="soft">and ${more} more (all with -o json)</p>` : "",
    "</article>",
  ].join("");
}

function listReasons(name: string, { acceptances = [] }: Accepted): readonly string[] {
  return acceptances
    .filter(
      ({ acceptance, state }) =>
        acceptance.risk === name && state.kind === "accepted" && acceptance.reason !== undefined,
    )
    .map(({ acceptance }) => formatAcceptance(acceptance));
}

function formatSummary(checks: readonly CheckReport[], [first]: readonly Unseen[]): string {
  const [check] = checks;
  if (check === undefined || first === undefined) return "";
  if (check.leftOut !== undefined) return "<p>Checks that apply to this update were left out.</p>";
  return `<p>${escapeMarkup(check.title)}: the check <code>${escapeMarkup(check.id)}</code> could not be completed.</p>`;
}

function formatPlace({ check, unknown, risk }: Unseen): string {
  const reason = unknown.message === "" ? "" : ` <span class="soft">(${escapeMarkup(unknown.reason)})</span>`;
  const lead = risk === UNSEEN_RISKS.leftOut ? `${check ?? ""}, ` : "";
  return `<li>${escapeMarkup(`${lead}${formatUnknown(unknown)}`)}${reason}</li>`;
}
