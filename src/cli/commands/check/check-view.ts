import type { FormatName } from "../../../format/index.ts";
import { selectAcceptedNames } from "../../../format/view/acceptances.ts";
import type { View } from "../../../format/view/view.ts";
import type { CycleResult } from "../../../model/report.ts";
import { formatJsonText, toLine } from "../../../model/visible-text.ts";
import { buildRiskBackgrounds } from "../../checks/check-metadata.ts";
import { listKnownChecks } from "../../checks/check-set.ts";
import type { Io } from "../../io/io.ts";
import { judgeReports, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { buildResultDocument, writeOutputFiles } from "../../session/result.ts";
import { type TargetCheck, buildFailedError } from "../../session/session.ts";
import type { CheckValues, LoadedCheckValues } from "./definition.ts";
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

/** The formats in which a failure has a form. */
const DOCUMENT_FORMATS: readonly FormatName[] = ["json", "preflight-v1-json"];

/** Says why there is no result, and writes it where a document is wanted. */
export async function printFailure(
  result: Extract<CycleResult, { kind: "failed" }>,
  values: CheckValues,
  io: Io,
): Promise<1> {
  const { message } = result.failure;
  if (io.stopSignal.aborted) throw buildFailedError(message, io);
  const document = formatJsonText(buildResultDocument(result, values, io.now()));
  const { stdout, files } = values.output;
  const { written = [], others = [] } = Object.groupBy(files, ({ format }) =>
    DOCUMENT_FORMATS.includes(format) ? "written" : "others",
  );
  await writeOutputFiles(written, () => document);
  if (DOCUMENT_FORMATS.includes(stdout) && !values.quiet) io.out(document);
  io.err(`preflight: ${toLine(message)}\n`);
  for (const { file } of others) io.err(`preflight: ${toLine(file)} was not written\n`);
  return 1;
}
