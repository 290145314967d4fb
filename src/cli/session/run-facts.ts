import { buildDocument, type RunFacts, buildPreflightId } from "../../format/document/document.ts";
import type { PreflightDocument } from "../../model/document.ts";
import type { CycleResult } from "../../model/report.ts";
import type { ValuesOf } from "../settings/command.ts";
import type { releaseImageSettings, unknownRiskSettings } from "../settings/shared-settings.ts";
import { VERSION } from "../io/program.ts";

export type RunFactsValues = ValuesOf<typeof unknownRiskSettings> & Partial<ValuesOf<typeof releaseImageSettings>>;

/** The document of a single cycle. */
export function buildResultDocument(result: CycleResult, values: RunFactsValues, now: Date): PreflightDocument {
  return buildDocument({ result, run: buildRunFacts(values, now, getTargetVersion(result)) });
}

/** Undefined if the cycle failed before it was known. */
export function getTargetVersion(result: CycleResult): string | undefined {
  return result.kind === "completed" ? result.report.target.text : result.target?.text;
}

/** The facts of one run, which every document of the run repeats. */
export function buildRunFacts(
  values: RunFactsValues,
  now: Date,
  targetVersion?: string,
  intervalSeconds = 0,
): RunFacts {
  return {
    preflightID: buildPreflightId(now, targetVersion),
    runnerVersion: VERSION,
    intervalSeconds,
    hasUnknownRisks: values["unknown-risks"],
    targetVersion,
    image: values["release-image"],
  };
}
