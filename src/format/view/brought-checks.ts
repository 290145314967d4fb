import { type CheckOrigin, describeOrigin } from "../../model/check-origin.ts";
import { formatCount } from "../../model/count.ts";
import { compareText } from "../../model/json.ts";
import type { CheckReport } from "../../model/report.ts";
import type { Item } from "../text/page.ts";

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
