import { type CheckOrigin, describeOrigin } from "../../model/check-origin.ts";
import { formatCount } from "../../model/count.ts";
import { compareText } from "../../model/json.ts";
import { type CheckReport, getNotices, type Report } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import type { Item, Section } from "../text/page.ts";
import { formatAcceptanceProblem } from "./acceptances.ts";
import { sortUnseen } from "./unknown-causes.ts";
import type { View } from "./view.ts";

/** What was not seen, and why, by check. */
export function listUnseen({ unseen }: Pick<Report, "unseen">): readonly Item[] {
  return sortUnseen(unseen).map(({ check, unknown }) => ({
    ...(check === undefined ? {} : { lead: check }),
    text: formatUnknown(unknown),
  }));
}

/** Each notice, and the check that gave it. */
export function listNotices({ checks }: Pick<Report, "checks">): readonly Item[] {
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  return sorted.flatMap(({ id, outcome }) => getNotices(outcome).map((text) => ({ lead: id, text })));
}

/** Acceptances that don't hold, and why. */
export function listLapsedAcceptances({ acceptances = [] }: Pick<View, "acceptances">): readonly Item[] {
  return acceptances.flatMap((one) => formatAcceptanceProblem(one) ?? []).map((text) => ({ text }));
}

/** The checks that preflight itself does not have: who brings each, where it stands, and how many objects it judged. */
export function listBroughtChecks(checks: readonly CheckReport[]): readonly Item[] {
  return checks
    .flatMap(({ origin, ...check }) =>
      // A notice of the check says which list it has.
      origin === undefined || origin.kind === "knownBugs" ? [] : [{ ...check, origin }],
    )
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((check) => ({ lead: check.id, text: `${formatPlace(check.origin)}: ${formatResult(check)}` }));
}

function formatPlace(origin: CheckOrigin): string {
  const text = describeOrigin(origin);
  return text.includes(origin.file) ? text : `${text}, ${origin.file}`;
}

const RESULTS = { clear: "clear", risk: "a risk", unknown: "unknown", notApplicable: "not applicable" } as const;

/** Without any object, a check is clear whatever it looks for. */
function formatResult({ outcome, judged }: CheckReport): string {
  const lists = Object.entries(judged ?? {}).map(([list, count]) => `${list}: ${formatCount(count, "object")}`);
  return `${RESULTS[outcome.kind]}${lists.length === 0 ? "" : ` (${lists.join(", ")})`}`;
}

/** A heading and its items; nothing if there are none. */
export function buildListSection(heading: string, items: readonly Item[], only?: Section["only"]): readonly Section[] {
  if (items.length === 0) return [];
  return [{ kind: "section", heading, ...(only === undefined ? {} : { only }), blocks: [{ kind: "list", items }] }];
}
