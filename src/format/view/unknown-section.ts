import type { Unknown } from "../../model/check.ts";
import { sortNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { type Block, type Item, SCREEN, type Section, TERMINAL } from "../text/page.ts";
import { listUnseen } from "./lists.ts";
import { findMissingRights, GRANT_INTRODUCTION, isGrant, type UserRights } from "./missing-rights.ts";
import { buildUnknownCards } from "./unknown-cards.ts";
import { collectUnknownCauses, listIncompleteChecks, type UnknownCause } from "./unknown-causes.ts";
import type { View } from "./view.ts";

const MAX_PLACES = 10;

/** What could not be checked, by its cause: each cause once, with the checks that it leaves incomplete; then what to do. */
export function buildUnknownSection(report: Report, view: Pick<View, "accepted" | "acceptances">): readonly Section[] {
  const causes = collectUnknownCauses(report);
  if (causes.length === 0) return [];
  const { users, others } = findMissingRights(causes, report.target);
  const blocks: readonly Block[] = [
    { kind: "list", only: ["markdown"], items: listUnseen(report) },
    ...users.map(buildRightsPanel),
    ...(others.length === 0 ? [] : [{ kind: "list", only: TERMINAL, items: buildCauses(others) } as const]),
    { kind: "facts", only: TERMINAL, labelWidth: 10, rows: buildRemedies(report, view.accepted, users.length > 0) },
    ...buildUnknownCards(report, view, users.length > 0),
  ];
  return [{ kind: "section", heading: "Could not be checked", tone: "unknown", blocks }];
}

/** The rights that a user lacks, and the command that grants all of them. */
function buildRightsPanel({ user, missing, command }: UserRights): Block {
  return {
    kind: "panel",
    tone: "unknown",
    blocks: [
      { kind: "text", only: SCREEN, text: ["The user ", { strong: user }, " may not"] },
      {
        kind: "list",
        only: SCREEN,
        items: missing.map(({ right, checks }) => ({ text: right, note: checks.join(", ") })),
      },
      { kind: "text", text: GRANT_INTRODUCTION },
      { kind: "commands", commands: [command] },
    ],
  };
}

function buildCauses(causes: readonly UnknownCause[]): readonly Item[] {
  const more = causes.length - MAX_PLACES;
  return [
    ...causes.slice(0, MAX_PLACES).map(({ unknown, checks }) => ({
      text: `${formatUnknown(unknown)}${formatReason(unknown)}`,
      ...(checks.length === 0 ? {} : { note: sortNames(checks).join(", ") }),
    })),
    ...(more > 0 ? [{ text: `and ${more} more (all with -o json)` }] : []),
  ];
}

/** The reason, as a word to search for; a text without a message has it already. */
function formatReason({ reason, message }: Unknown): string {
  return message === "" ? "" : ` (${reason})`;
}

/** What completes the checks, which they are, and the names under which they can be accepted. */
function buildRemedies(
  { unseen, risks }: Report,
  accepted: View["accepted"],
  hasRights: boolean,
): readonly (readonly [string, string])[] {
  const incomplete = listIncompleteChecks({ unseen });
  const reported = risks.filter(({ unknown }) => unknown);
  const names = sortNames(reported.map(({ name }) => `${name}${accepted.has(name) ? " (accepted)" : ""}`));
  const remedies = sortNames(reported.map(({ remediation }) => remediation)).filter(
    (one) => !hasRights || !isGrant(one),
  );
  return [
    ...remedies.map((remedy, i) => [i === 0 ? "Do" : "", remedy] as const),
    ...(incomplete.length === 0 ? [] : [["Incomplete", incomplete.join(", ")] as const]),
    ...(names.length === 0 ? [] : [["Accept as", names.join(", ")] as const]),
    ...(incomplete.length === 0 ? [] : [["Repeat", formatRepeat(incomplete)] as const]),
  ];
}

/** The exit code is no verdict then: with all of these complete it is still that of the checks that are left out. */
function formatRepeat(incomplete: readonly string[]): string {
  return `To run only these checks again, add --only ${incomplete.join(",")} (exit code 4 then says that the others are left out)`;
}
