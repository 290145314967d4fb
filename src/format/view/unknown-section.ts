import { sortNames } from "../../model/text.ts";
import type { Report, CheckReport } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { type Block, type Card, type Item, SCREEN, type Section, TERMINAL, type Text } from "../text/page.ts";
import type { UnknownCause } from "./lists.ts";
import {
  listUnseen,
  collectUnknownCauses,
  listAcceptNames,
  listIncompleteChecks,
  nameCheck,
  quote,
  sortUnseen,
} from "./lists.ts";
import type { Unknown } from "../../model/check.ts";
import { formatHalf } from "../../model/halves.ts";
import { compareText } from "../../model/json.ts";
import { isPassing, UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { type Accepted, formatAcceptance, listReasons } from "./view.ts";
import { getCommandName, quoteArgument } from "../../model/commands.ts";
import { getPlatform } from "../../model/version.ts";
import { attribute, formatRightsFlags, nameOrigin } from "../../model/check-origin.ts";
import { isUngranted } from "../../model/unknown-reason.ts";

const MAX_PLACES = 10;

/** What could not be checked, by its cause: each cause once, with the checks that it leaves incomplete; then what to do. */
export function buildUnknownSection(whole: Report, view: Accepted): readonly Section[] {
  const report = omitPassing(whole);
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
        { kind: "list", items: buildCauses(others, report) },
        { kind: "facts", labelWidth: 10, rows: buildRemedies(report, acceptAs, users.length > 0) },
      ],
    },
    ...buildUnknownCards(report, view, users.length > 0),
  ];
  return [{ kind: "section", heading: "Could not be checked", tone: "unknown", blocks }];
}

/** Without what a person left out for a moment, which is said in a line. */
function omitPassing(report: Report): Report {
  const unseen = report.unseen.filter((one) => !isPassing(one));
  const names = new Set(unseen.map(({ risk }) => risk));
  return { ...report, unseen, risks: report.risks.filter(({ unknown, name }) => !unknown || names.has(name)) };
}

/** The rights that a user lacks, and the command that grants all of them. */
function buildRightsPanel({ user, half, missing, command }: UserRights): Block {
  return {
    kind: "panel",
    tone: "unknown",
    blocks: [
      { kind: "text", only: SCREEN, text: [`${formatHalf(half)}The user `, { strong: user }, " may not"] },
      {
        kind: "list",
        only: SCREEN,
        items: missing.map(({ right, checks }) => ({ text: right, note: checks.join(", ") })),
      },
      { kind: "text", text: `${formatHalf(half)}${GRANT_INTRODUCTION}` },
      { kind: "commands", commands: [command] },
    ],
  };
}

function buildCauses(causes: readonly UnknownCause[], report: Pick<Report, "checks">): readonly Item[] {
  const names = new Map(report.checks.map((check) => [check.id, nameCheck(check)]));
  const more = causes.length - MAX_PLACES;
  return [
    ...causes.slice(0, MAX_PLACES).map(({ unknown, checks }) => ({
      // The reason is a word to search for; a text without a message has it already.
      text: `${formatUnknown(unknown)}${unknown.message === "" ? "" : ` (${unknown.reason})`}`,
      note: checks.length === 0 ? undefined : sortNames(checks.map((id) => names.get(id) ?? id)).join(", "),
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
      mark: isAccepted ? "accepted" : undefined,
      quotes: listReasons(name, view).map(formatAcceptance),
      text: check && describeCheck(check),
      origin: check?.origin && nameOrigin(check.origin),
      remedy: isMended ? undefined : remedy,
      items: own.map((one) => buildItem(one, check)),
    };
  });
}

function describeCheck({ id, title, leftOut, origin }: CheckReport): Text {
  if (leftOut !== undefined) return "Checks that apply to this update were left out.";
  return [{ foreign: attribute(title, origin) }, ": the check ", { code: id }, " could not be completed."];
}

function buildItem({ check, unknown, risk }: Unseen, of: CheckReport | undefined): Item {
  const lead = risk === UNSEEN_RISKS.leftOut ? `${check ?? ""}, ` : "";
  return {
    text: quote(`${lead}${formatUnknown(unknown)}`, of?.origin),
    note: unknown.message === "" ? undefined : unknown.reason,
  };
}

type MissingRight = Pick<Unknown, "half"> & {
  readonly user: string;
  readonly right: string;
  readonly checks: readonly string[];
};

/** An API server's refusal, of a user whose name can be written in a command. Source: NewForbidden and forbiddenMessage, k8s.io/apiserver. */
const REFUSAL =
  /User "(?<user>(?![^"]*U\+[0-9A-F]{4})[^"\\]+)" cannot (?<verb>\w+) (?:resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"|path "(?<path>[^"]+)")(?<scope> at the cluster scope| in the namespace "(?<namespace>[^"]+)")?/;

/** The rights that one user lacks, each with the checks that need it, and the command that grants all of them. */
type UserRights = Pick<MissingRight, "user" | "half"> & {
  readonly missing: readonly Omit<MissingRight, "user" | "half">[];
  readonly command: string;
};

/** Stands before the command. */
const GRANT_INTRODUCTION = "A cluster administrator grants all rights of a check with";

/** Separates refusals, which one ClusterRole and one binding remove, from everything else. */
export function findMissingRights(
  causes: readonly UnknownCause[],
  report: Pick<Report, "target" | "checks">,
): { readonly users: readonly UserRights[]; readonly others: readonly UnknownCause[] } {
  const parsed = causes.map((cause) => ({ cause, right: parseMissingRight(cause) }));
  // The same name is another user in the other half.
  const byUser = Map.groupBy(
    parsed.flatMap(({ right }) => right ?? []),
    ({ user, half }) => `${user}${half === undefined ? "" : ` ${half}`}`,
  );
  return {
    users: [...byUser]
      .toSorted(([a], [b]) => compareText(a, b))
      .flatMap(([, missing]) => {
        const { user, half } = missing[0] ?? {};
        if (user === undefined) return [];
        return { user, half, missing: mergeRights(missing), command: buildGrantCommand(user, missing, report) };
      }),
    others: parsed.flatMap(({ cause, right }) => (right === undefined ? cause : [])),
  };
}

function mergeRights(missing: readonly MissingRight[]): UserRights["missing"] {
  const byRight = [...Map.groupBy(missing, ({ right }) => right)].toSorted(([a], [b]) => compareText(a, b));
  return byRight.map(([right, causes]) => ({ right, checks: sortNames(causes.flatMap(({ checks }) => checks)) }));
}

function parseMissingRight({ unknown, checks }: UnknownCause): MissingRight | undefined {
  const found =
    unknown.reason === "Forbidden" && !isUngranted(unknown) ? REFUSAL.exec(unknown.message)?.groups : undefined;
  if (found?.["user"] === undefined) return undefined;
  const { user, verb, resource, group, path, namespace } = found;
  const kind = path ?? `${resource}${group === "" ? "" : `.${group}`}`;
  const right = `${verb} ${kind}${namespace === undefined ? "" : ` in ${namespace}`}`;
  return { user, right, checks, half: unknown.half };
}

function buildGrantCommand(
  user: string,
  missing: readonly MissingRight[],
  { target, checks }: Pick<Report, "target" | "checks">,
): string {
  const ids = new Set(missing.flatMap((one) => one.checks));
  const flags = formatRightsFlags(checks.filter(({ id }) => ids.has(id)));
  const platform = getPlatform(target);
  const version = platform === "kubernetes" ? ` --target-version v${target.text}` : "";
  return `preflight rbac${flags}${version} --bind-to ${quoteArgument(user)} | ${getCommandName(platform)} apply -f -`;
}

/** Whether a remedy says no more than the command that grants the rights: some checks are incomplete for other reasons too. */
export function isGrant(remedy: string): boolean {
  return /^Grant the rights that "preflight rbac.*" prints, or check these by hand before updating\.$/.test(remedy);
}
