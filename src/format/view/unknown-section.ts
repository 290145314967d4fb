import { sortNames } from "../../model/names.ts";
import type { Report, CheckReport } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { type Block, type Card, type Item, SCREEN, type Section, TERMINAL, type Text } from "../text/page.ts";
import { listUnseen } from "./lists.ts";
import { findMissingRights, GRANT_INTRODUCTION, isGrant, type UserRights } from "./missing-rights.ts";
import {
  collectUnknownCauses,
  listAcceptNames,
  listIncompleteChecks,
  type UnknownCause,
  sortUnseen,
} from "./unknown-causes.ts";
import { compareText } from "../../model/json.ts";
import { UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { type Accepted, formatAcceptance, listReasons } from "./work-order.ts";

const MAX_PLACES = 10;

/** What could not be checked, by its cause: each cause once, with the checks that it leaves incomplete; then what to do. */
export function buildUnknownSection(report: Report, view: Accepted): readonly Section[] {
  const causes = collectUnknownCauses(report);
  if (causes.length === 0) return [];
  const { users, others } = findMissingRights(causes, report);
  const acceptAs = buildAcceptRow(report, view);
  const blocks: readonly Block[] = [
    { kind: "list", only: ["markdown"], items: listUnseen(report) },
    ...acceptAs.map(([lead, text]): Block => ({ kind: "line", only: ["markdown"], lead: `${lead}:`, text })),
    ...users.map(buildRightsPanel),
    {
      kind: "panel",
      only: TERMINAL,
      blocks: [
        { kind: "list", items: buildCauses(others) },
        { kind: "facts", labelWidth: 10, rows: buildRemedies(report, acceptAs, users.length > 0) },
      ],
    },
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
      // The reason is a word to search for; a text without a message has it already.
      text: `${formatUnknown(unknown)}${unknown.message === "" ? "" : ` (${unknown.reason})`}`,
      ...(checks.length === 0 ? {} : { note: sortNames(checks).join(", ") }),
    })),
    ...(more > 0 ? [{ text: `and ${more} more (all with -o json)` }] : []),
  ];
}

type Row = readonly [label: string, text: string];

/** The names under which it can be accepted; none if that was done for good. */
function buildAcceptRow({ unseen }: Report, { accepted }: Accepted): readonly Row[] {
  const names = listAcceptNames(unseen).map((name) => `${name}${accepted.has(name) ? " (accepted)" : ""}`);
  return names.length === 0 ? [] : [["Accept as", names.join(", ")]];
}

/** What completes the checks, which they are, and the names under which they can be accepted. */
function buildRemedies({ unseen, risks }: Report, acceptAs: readonly Row[], hasRights: boolean): readonly Row[] {
  const incomplete = listIncompleteChecks({ unseen });
  const reported = risks.filter(({ unknown }) => unknown);
  const remedies = sortNames(reported.map(({ remediation }) => remediation)).filter(
    (one) => !hasRights || !isGrant(one),
  );
  const repeat = `with --only ${incomplete.join(",")} (exit code 4: the others are left out)`;
  return [
    ...remedies.map((remedy, i) => [i === 0 ? "Do" : "", remedy] as const),
    ...acceptAs,
    ...(incomplete.length === 0 ? [] : [["Repeat", repeat] as const]),
  ];
}

/** What was not seen, a card for each risk that reports it: where, why, and what to do. */
function buildUnknownCards({ unseen, risks, checks }: Report, view: Accepted, hasRights: boolean): readonly Card[] {
  const groups = [...Map.groupBy(sortUnseen(unseen), ({ risk }) => risk)].toSorted(([a], [b]) => compareText(a, b));
  return groups.map(([name, own]) => {
    const remedy = risks.find((one) => one.unknown && one.name === name)?.remediation;
    const isMended = remedy === undefined || (hasRights && isGrant(remedy));
    const isAccepted = view.accepted.has(name) || own.every((one) => one.accepted !== undefined);
    const check = checks.find(({ id }) => own.some((one) => one.check === id));
    return {
      kind: "card",
      only: ["html"],
      title: name,
      tone: "unknown",
      ...(isAccepted ? { mark: "accepted" } : {}),
      quotes: listReasons(name, view).map(formatAcceptance),
      text: check && describeCheck(check),
      remedy: isMended ? undefined : remedy,
      items: own.map(buildItem),
    };
  });
}

function describeCheck({ id, title, leftOut }: CheckReport): Text {
  if (leftOut !== undefined) return "Checks that apply to this update were left out.";
  return [`${title}: the check `, { code: id }, " could not be completed."];
}

function buildItem({ check, unknown, risk }: Unseen): Item {
  const lead = risk === UNSEEN_RISKS.leftOut ? `${check ?? ""}, ` : "";
  return { text: `${lead}${formatUnknown(unknown)}`, ...(unknown.message === "" ? {} : { note: unknown.reason }) };
}
