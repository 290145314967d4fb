import type { DocumentRisk } from "../model/document.ts";
import { byText } from "../model/json.ts";
import type { Report, ReportRisk } from "../model/report.ts";
import type { RiskNote } from "./budget.ts";
import { plainLines } from "./plain.ts";
import { timeText } from "./times.ts";

const FOUND = "A check of the target release found this on the cluster.";
const BLIND = "A check of the target release could not look at all that it needs.";

/** A report's risks as notes, sorted by name; a name stands once. */
export function notesOf(risks: readonly ReportRisk[]): readonly RiskNote[] {
  const byName = new Map(risks.toReversed().map((risk) => [risk.name, risk]));
  return [...byName.values()].toSorted((a, b) => byText(a.name, b.name)).map(noteOf);
}

function noteOf({ name, unknown, message, remediation, url }: ReportRisk): RiskNote {
  return { name, unknown, message: plainLines(message), remediation: plainLines(remediation), url };
}

/** `seen` says since when risks have applied; one that it doesn't name has since this report's reads. */
export function documentRisk(note: RiskNote, report: Report, seen: ReadonlyMap<string, string>): DocumentRisk {
  return {
    name: note.name,
    message: note.message,
    url: note.url,
    targetVersion: report.target.text,
    matchingRules: [{ type: "Always" }],
    conditions: [
      {
        type: "Applies",
        status: "True",
        reason: note.unknown ? "PreflightPartial" : "PreflightValidation",
        message: note.unknown ? BLIND : FOUND,
        lastTransitionTime: earlier(seen.get(note.name), timeText(report.observedAt)),
      },
    ],
  };
}

/** A clock that was set back must not leave a time in the future. Both are of the same fixed form, so text order is time order. */
function earlier(seen: string | undefined, now: string): string {
  return seen !== undefined && seen < now ? seen : now;
}
