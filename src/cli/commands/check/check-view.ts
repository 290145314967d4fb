import { selectAcceptedNames } from "../../../format/view/acceptances.ts";
import type { View } from "../../../format/view/view.ts";
import type { CycleResult } from "../../../model/report.ts";
import { listKnownChecks } from "../../checks/check-set.ts";
import { buildRiskBackgrounds } from "../../checks/risk-background.ts";
import type { Io } from "../../io/io.ts";
import { judgeReports, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { buildResultDocument } from "../../session/result.ts";
import type { TargetCheck } from "../../session/session.ts";
import type { LoadedCheckValues } from "./definition.ts";
import type { RecheckRun } from "./recheck.ts";

export type Completed = Extract<CycleResult, { kind: "completed" }>;

/** What every format shows of a completed cycle, without how it looks. */
export type CheckView = Omit<View, "colour" | "width">;

/** `compare`: of a second look, what it makes of the first. */
export function buildCheckView(
  result: Completed,
  origin: Omit<TargetCheck, "result">,
  values: LoadedCheckValues,
  io: Io,
  compare?: RecheckRun["compare"],
): CheckView {
  const { report } = result;
  const [acceptances = []] = judgeReports([report], values, io);
  warnOfCheckAcceptances([report], values, io);
  const accepted = selectAcceptedNames(acceptances);
  const checks = listKnownChecks(values.checkSet);
  const recheck = compare?.({ report, accepted, cluster: origin.cluster, checks });
  const document = buildResultDocument(result, values, io.now());
  const backgrounds = buildRiskBackgrounds(checks, report);
  const { only, "unknown-risks": hasUnknownRisks } = values;
  return { report, document, hasUnknownRisks, accepted, acceptances, backgrounds, recheck, only, ...origin };
}
