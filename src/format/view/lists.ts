import { compareText } from "../../model/json.ts";
import type { Report } from "../../model/report.ts";
import { sortUnseen } from "./unknown-causes.ts";
import { formatUnknown } from "../document/document-checks.ts";
import { formatAcceptanceProblem } from "./acceptances.ts";
import { getNotices } from "./outcome-contents.ts";
import type { View } from "./view.ts";

/** "crd-skew: reports.example.com: 403 forbidden": what was not seen, and why. */
export function listUnseen({ unseen }: Pick<Report, "unseen">): readonly string[] {
  return sortUnseen(unseen).map(
    ({ check, unknown }) => `${check === undefined ? "" : `${check}: `}${formatUnknown(unknown)}`,
  );
}

export function listNotices({ checks }: Report): readonly string[] {
  return sortChecks(checks).flatMap(({ id, outcome }) => getNotices(outcome).map((notice) => `${id}: ${notice}`));
}

function sortChecks(checks: Report["checks"]): Report["checks"] {
  return checks.toSorted((a, b) => compareText(a.id, b.id));
}

/** Acceptances that don't hold, and why: "DualStackNetworks was accepted until 2026-01-31 and counts again". */
export function listLapsedAcceptances({ acceptances = [] }: Pick<View, "acceptances">): readonly string[] {
  return acceptances.flatMap((one) => formatAcceptanceProblem(one) ?? []);
}
