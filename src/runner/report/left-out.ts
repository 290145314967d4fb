import { type CheckAcceptance, hasLapsed } from "../../model/acceptance.ts";
import type { Context, Unknown } from "../../model/check.ts";
import type { CheckReport } from "../../model/report.ts";
import { formatTime } from "../../model/time.ts";
import { findNotApplicableReason } from "../updates/applicable-checks.ts";
import type { LeftOutCheck } from "../updates/prepare-update.ts";

/** The report of a check that was left out: unknown, unless it does not apply anyway. An acceptance counts until its last day. */
export function reportLeftOut({ check, by, accepted }: LeftOutCheck, context: Context): CheckReport {
  const { id, name, title, origin } = check;
  const common = { id, name, title, origin };
  const reason = findNotApplicableReason(check, context);
  if (reason !== undefined) return { ...common, outcome: { kind: "notApplicable", reason } };
  const holding = accepted === undefined || hasLapsed(accepted, formatTime(context.now)) ? undefined : accepted;
  const unknowns = [buildUnknown(by, holding)];
  return {
    ...common,
    outcome: { kind: "unknown", unknowns, findings: [], notices: [] },
    leftOut: { accepted: holding },
  };
}

function buildUnknown(by: string, accepted: CheckAcceptance | undefined): Unknown {
  const until = accepted?.until === undefined ? "" : ` until ${accepted.until}`;
  const message =
    accepted === undefined
      ? "the check was left out"
      : `the check was left out, which is accepted${until}: ${accepted.reason}`;
  return { reason: "LeftOut", where: by, message };
}
