import { compareText } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import { UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { formatUnknown } from "../document/document-checks.ts";
import type { Card, Item, Text } from "../text/page.ts";
import { isGrant } from "./missing-rights.ts";
import { sortUnseen } from "./unknown-causes.ts";
import type { View } from "./view.ts";
import { formatAcceptance, listReasons } from "./work-order.ts";

type Accepted = Pick<View, "accepted" | "acceptances">;

/** What was not seen, a card for each risk that reports it: where, why, and what to do. */
export function buildUnknownCards(report: Report, accepted: Accepted, hasRights: boolean): readonly Card[] {
  const groups = Map.groupBy(sortUnseen(report.unseen), ({ risk }) => risk);
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, unseen]) => buildCard(name, unseen, report, accepted, hasRights));
}

function buildCard(
  name: string,
  unseen: readonly Unseen[],
  { risks, checks }: Report,
  accepted: Accepted,
  hasRights: boolean,
): Card {
  const remedy = risks.find((one) => one.unknown && one.name === name)?.remediation;
  const isMended = remedy === undefined || (hasRights && isGrant(remedy));
  const isAccepted = accepted.accepted.has(name) || unseen.every((one) => one.accepted !== undefined);
  const check = checks.find(({ id }) => unseen.some((one) => one.check === id));
  return {
    kind: "card",
    only: ["html"],
    title: name,
    tone: "unknown",
    ...(isAccepted ? { mark: "accepted" } : {}),
    quotes: listReasons(name, accepted).map(formatAcceptance),
    ...defined({ text: check && describeCheck(check), remedy: isMended ? undefined : remedy }),
    objects: [],
    isLimited: false,
    items: unseen.map(buildItem),
    facts: [],
  };
}

function describeCheck({ id, title, leftOut }: CheckReport): Text {
  if (leftOut !== undefined) return "Checks that apply to this update were left out.";
  return [`${title}: the check `, { code: id }, " could not be completed."];
}

function buildItem({ check, unknown, risk }: Unseen): Item {
  const lead = risk === UNSEEN_RISKS.leftOut ? `${check ?? ""}, ` : "";
  return { text: `${lead}${formatUnknown(unknown)}`, ...(unknown.message === "" ? {} : { note: unknown.reason }) };
}
