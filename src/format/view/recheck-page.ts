import { compareText } from "../../model/json.ts";
import { formatCount } from "../../model/text.ts";
import { formatMinute } from "../../model/time.ts";
import type { Report } from "../../model/report.ts";
import type { Block, TableBlock, Text } from "../text/page.ts";

/** What became of a risk since an earlier result. `unknown`: nothing says now whether it is still there. */
export type RecheckState = "new" | "stillThere" | "unknown" | "fixed";

export type RecheckedRisk = {
  readonly name: string;
  readonly state: RecheckState;
  /** Absent if it concerns the whole result. */
  readonly check?: string;
  /** Set if it reports that a check could not be completed. */
  readonly isIncomplete?: boolean;
  readonly isAccepted: boolean;
  /** "shop/checkout": those that it has now; if it is fixed, those that it had. */
  readonly objects: readonly string[];
  /** Of a risk that is still there: how many of its objects, or of their fields, are mended of how many. */
  readonly mended?: { readonly count: number; readonly of: number; readonly what: "object" | "field" };
  /** Why its state is unknown, or what else is to be said of it. */
  readonly note?: string;
};

/** A second look, beside the earlier result. */
export type Recheck = {
  /** How the user names the earlier result. */
  readonly label: string;
  /** When that was so, RFC 3339. */
  readonly observedAt: string;
  /** Whether all checks ran again. */
  readonly isAll: boolean;
  /** What is left comes first, in the order of work. */
  readonly risks: readonly RecheckedRisk[];
};

/** What a person reads. */
export const RECHECK_STATES: Readonly<Record<RecheckState, string>> = {
  new: "new",
  stillThere: "still there",
  unknown: "unknown",
  fixed: "fixed",
};

/** "1 of 3 risks is fixed, 2 still there, 1 new, 1 check could not be completed" */
export function formatRecheckCounts({ risks }: Pick<Recheck, "risks">): string {
  const found = risks.filter(({ isIncomplete }) => isIncomplete !== true);
  const count = (state: RecheckState): number => found.filter((risk) => risk.state === state).length;
  const before = found.length - count("new");
  const states = (["fixed", "stillThere", "unknown", "new"] as const).filter((state) => count(state) > 0);
  const parts = states.map((state, i) => {
    const of = state === "new" ? count("new") : before;
    return `${i === 0 ? formatPart(count(state), of) : count(state)} ${RECHECK_STATES[state]}`;
  });
  const incomplete = risks.filter(({ isIncomplete, state }) => isIncomplete === true && state === "unknown").length;
  return [
    ...(parts.length === 0 ? ["nothing was open"] : parts),
    ...(incomplete === 0 ? [] : [`${formatCount(incomplete, "check")} could not be completed`]),
  ].join(", ");
}

/** "1 of 3 risks is", "all 3 risks are", "1 risk is" */
function formatPart(count: number, of: number): string {
  if (of === 1) return "1 risk is";
  if (count === of) return `all ${of} risks are`;
  return `${count} of ${of} risks ${count === 1 ? "is" : "are"}`;
}

/** What became of each risk since when. */
export function buildRecheckBlocks(recheck: Recheck): readonly Block[] {
  const since = `Since ${recheck.label} of ${formatMinute(recheck.observedAt)}:`;
  if (recheck.risks.length === 0) return [];
  return [{ kind: "text", text: since }, buildStates(recheck)];
}

function buildStates({ risks }: Recheck): TableBlock {
  return {
    kind: "table",
    head: ["State", "Risk", "Objects"],
    rows: risks.map((risk): readonly Text[] => [RECHECK_STATES[risk.state], risk.name, describeRisk(risk)]),
    flexible: 2,
  };
}

/** More than a line has room for. */
const MAX_OBJECTS = 20;

export function describeRisk({ isAccepted, objects, mended, note }: RecheckedRisk): string {
  const names = [...objects.slice(0, MAX_OBJECTS), ...(objects.length > MAX_OBJECTS ? ["..."] : [])].join(", ");
  const left = mended === undefined ? names : `${formatMended(mended)}, left: ${names}`;
  return [
    ...(isAccepted ? ["accepted"] : []),
    ...(note === undefined ? [] : [note]),
    ...(left === "" ? [] : [left]),
  ].join("; ");
}

/** "2 of 3 objects are mended" */
function formatMended({ count, of, what }: NonNullable<RecheckedRisk["mended"]>): string {
  return `${count} of ${formatCount(of, what)} ${count === 1 ? "is" : "are"} mended`;
}

/** "12 checks were clear on 2026-01-03 10:00 UTC and were not run again." Nothing if all ran. */
export function listKept({ checks }: Pick<Report, "checks">): readonly string[] {
  const times = checks.flatMap(({ leftOut }) => leftOut?.clearAt ?? []).toSorted(compareText);
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) return [];
  const from = formatMinute(first);
  const to = formatMinute(last);
  const when = from === to ? `on ${from}` : `between ${from} and ${to}`;
  const [was, were] = times.length === 1 ? ["check was", "was"] : ["checks were", "were"];
  return [`${times.length} ${was} clear ${when} and ${were} not run again.`];
}
