import { formatTime } from "../../model/time.ts";
import { decide, formatBasis } from "../view/decision.ts";
import { describeRisk, RECHECK_STATES, type Recheck, type RecheckedRisk } from "../view/recheck-page.ts";
import type { View } from "../view/view.ts";

/** What a look says of each risk and of each incomplete check, by name. */
export type SeenRisks = ReadonlyMap<string, string>;

/** "Don't update yet: 5 risks. 27 of 38 checks apply to this update." */
export function formatVerdict(view: View): string {
  return `${decide(view.report, view).words}: ${formatBasis(view)}`;
}

/** Of the first look: a line for each risk. */
export function listFound({ risks }: Recheck): readonly string[] {
  return risks.map((risk) => formatRisk(risk.state === "stillThere" ? "found" : RECHECK_STATES[risk.state], risk));
}

/** Of a later look: a line for each risk that came, went or changed. `before`: what the look before it said. */
export function listChanges({ risks }: Recheck, before: SeenRisks): readonly string[] {
  const changed = risks.filter(
    (risk) => risk.state === "new" || risk.state === "fixed" || before.get(risk.name) !== describe(risk),
  );
  return changed.map((risk) => formatRisk(RECHECK_STATES[risk.state], risk));
}

/** What the next look is compared with. */
export function collectSeen({ risks }: Recheck): SeenRisks {
  return new Map(risks.flatMap((risk) => (risk.state === "fixed" ? [] : [[risk.name, describe(risk)] as const])));
}

/** Without how much is mended, which is so for one look. */
function describe(risk: RecheckedRisk): string {
  return describeRisk({ ...risk, mended: undefined });
}

function formatRisk(state: string, risk: RecheckedRisk): string {
  const text = describeRisk(risk);
  return `${state} ${risk.name}${text === "" ? "" : `: ${text}`}`;
}

/** "2026-01-03T10:00:00Z fixed ComponentsSetUnmanaged: x/x" */
export function stampLines(lines: readonly string[], at: Date): readonly string[] {
  return lines.map((line) => `${formatTime(at)} ${line}`);
}
