import type { RunFacts } from "../../format/document/document.ts";
import { buildPreflightId } from "../../format/document/times.ts";
import { defined } from "../../model/optional.ts";
import type { ValuesOf } from "../settings/command.ts";
import type { releaseImageSettings, unknownRiskSettings } from "../settings/shared-settings.ts";
import { VERSION } from "../io/program.ts";

type RunValues = ValuesOf<typeof unknownRiskSettings> & Partial<ValuesOf<typeof releaseImageSettings>>;

/** The facts of one run, which every document of the run repeats. */
export function buildRunFacts(
  values: RunValues,
  now: Date,
  targetVersion: string | undefined,
  intervalSeconds: number,
): RunFacts {
  return {
    preflightID: buildPreflightId(now, targetVersion),
    runnerVersion: VERSION,
    intervalSeconds,
    hasUnknownRisks: values["unknown-risks"],
    ...defined({ targetVersion, image: values["release-image"] }),
  };
}
