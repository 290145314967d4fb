import type { Unknown } from "../../model/check.ts";
import { sortNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { type UnknownCause, collectUnknownCauses, listIncompleteChecks } from "../view/unknown-causes.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { findMissingRights, GRANT_INTRODUCTION, isGrant, type UserRights } from "../view/missing-rights.ts";
import { formatSection } from "./section.ts";
import { toLine } from "../../model/visible-text.ts";
import type { View } from "../view/view.ts";
import { wrapText } from "../text/wrapping.ts";

type Options = Pick<View, "accepted" | "colour" | "width">;

const MAX_PLACES = 10;

/** What could not be checked, by its cause: each cause once, with the checks that it leaves incomplete; then what to do. */
export function formatUnknownSection(report: Report, options: Options): readonly string[] {
  const causes = collectUnknownCauses(report);
  if (causes.length === 0) return [];
  const { users, others } = findMissingRights(causes, report.target);
  const blocks = [
    ...users.map((user) => formatUserRights(user, options.width)),
    formatPlaces(others, options.width),
    formatChecks(report, users.length > 0, options),
  ];
  return formatSection(
    "Could not be checked",
    blocks.filter((block) => block.length > 0),
    options,
  );
}

/** The rights that a user lacks, one to a line, and the command that grants all of them. */
function formatUserRights({ user, missing, command }: UserRights, width: number): readonly string[] {
  return [
    ...wrapText("  ", `The user ${user} may not`, width),
    ...missing.flatMap(({ right, checks }) => wrapText("  - ", `${right} [${checks.join(", ")}]`, width)),
    ...wrapText("  ", GRANT_INTRODUCTION, width),
    `    ${toLine(command)}`,
  ];
}

function formatPlaces(causes: readonly UnknownCause[], width: number): readonly string[] {
  const lines = causes.slice(0, MAX_PLACES).flatMap(({ unknown, checks }) => {
    const text = `${formatUnknown(unknown)}${formatReason(unknown)}`;
    const names = checks.length === 0 ? "" : ` [${sortNames(checks).join(", ")}]`;
    return wrapText("  - ", `${text}${names}`, width);
  });
  const more = causes.length - MAX_PLACES;
  return more > 0 ? [...lines, ...wrapText("  - ", `and ${more} more (all with -o json)`, width)] : lines;
}

/** The reason, as a word to search for; a line without a message has it already. */
function formatReason({ reason, message }: Unknown): string {
  return message === "" ? "" : ` (${reason})`;
}

/** The incomplete checks, the names under which they can be accepted, and what completes them. */
function formatChecks({ unseen, risks }: Report, hasRights: boolean, { accepted, width }: Options): readonly string[] {
  const incomplete = listIncompleteChecks({ unseen });
  const reported = risks.filter(({ unknown }) => unknown);
  const names = sortNames(reported.map(({ name }) => `${name}${accepted.has(name) ? " (accepted)" : ""}`));
  const remedies = sortNames(reported.map(({ remediation }) => remediation)).filter(
    (one) => !hasRights || !isGrant(one),
  );
  return [
    ...remedies.flatMap((remedy, i) => wrapText(i === 0 ? "  Do         " : INDENT, remedy, width)),
    ...(incomplete.length === 0 ? [] : wrapText("  Incomplete ", incomplete.join(", "), width)),
    ...(names.length === 0 ? [] : wrapText("  Accept as  ", names.join(", "), width)),
    ...(incomplete.length === 0 ? [] : wrapText("  Repeat     ", formatRepeat(incomplete), width)),
  ];
}

/** The exit code is no verdict then: with all of these complete it is still that of the checks that are left out. */
function formatRepeat(incomplete: readonly string[]): string {
  return `To run only these checks again, add --only ${incomplete.join(",")} (exit code 4 then says that the others are left out)`;
}

const INDENT = " ".repeat(13);
