import { collectUnknownCauses } from "../../view/unknown-causes.ts";
import { findMissingRights, GRANT_INTRODUCTION, type UserRights } from "../../view/missing-rights.ts";
import type { Report } from "../../../model/report.ts";
import { escapeMarkup } from "../../text/markup.ts";
import { formatCommand } from "./command.ts";

/** The rights that are missing, once for all checks, and the command that grants them; empty if none are. */
export function formatRightsPanels(report: Report): readonly string[] {
  return findMissingRights(collectUnknownCauses(report), report.target).users.map(formatRightsPanel);
}

function formatRightsPanel({ user, missing, command }: UserRights): string {
  const items = missing.map(
    ({ right, checks }) =>
      `<li>${escapeMarkup(right)} <span class="soft">(${escapeMarkup(checks.join(", "))})</span></li>`,
  );
  return [
    `<div class="panel unknown"><p>The user <strong>${escapeMarkup(user)}</strong> may not</p>`,
    `<ul class="places">${items.join("")}</ul>`,
    `<p>${GRANT_INTRODUCTION}</p>${formatCommand("Fix", command)}</div>`,
  ].join("");
}
