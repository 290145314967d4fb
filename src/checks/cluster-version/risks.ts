import type { Finding } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts } from "../shared/summaries.ts";
import { formatCondition } from "./cluster-version.ts";

export const risks = readRisks("cluster-version", {
  ClusterVersionFailing: {},
  ClusterVersionInvalid: {},
  ClusterVersionNotUpgradeable: { message: { obstacles: formatObstacles } },
  EarlierUpdateIncomplete: { message: { progress: formatProgress } },
  TargetBelowDesired: {},
  TargetNotAccepted: {},
});

const MAX_LENGTH = 420;

function formatObstacles(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail: { reason = "", message = "" } = {} }, longest) =>
    formatCondition({ reason, message }, longest),
  );
}

/** The finding's message as the beginning of a sentence that does not have the object's name beside it. */
function formatProgress([finding]: readonly Finding[]): string {
  const message = finding?.message ?? "";
  return message.replace(/^Its/, "The cluster's").replace(/^It /, "ClusterVersion version ").replace(/\.$/, "");
}
