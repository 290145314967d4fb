import type { PreflightDocument } from "../../model/document.ts";
import type { CycleResult } from "../../model/report.ts";
import { formatJsonText } from "../../model/visible-text.ts";
import { buildSummary, type FindingComponent } from "./readiness-components.ts";
import { formatReadiness } from "./readiness.ts";

/** The readiness beside a runner's document. Risks are accepted in ClusterVersion, so none is here. */
export function formatRunnerReadiness(result: CycleResult | "running", document: PreflightDocument): string {
  if (result === "running" || result.kind === "failed") return formatUnfinished(document);
  return formatReadiness({ report: result.report, document, accepted: new Set(), colour: false, width: 80 });
}

/** Without a completed cycle nothing is known now; what the last one found is kept, as the document keeps it. */
function formatUnfinished({ sourceVersion, targetVersion, failure, risks, observedAt }: PreflightDocument): string {
  const why =
    failure === undefined ? "The first cycle has not completed yet." : `${failure.reason}: ${failure.message}`;
  const name = `${sourceVersion ?? "unknown version"} -> ${targetVersion ?? "unknown version"}`;
  const unfinished: FindingComponent = {
    type: "ota_finding",
    severity: "warning",
    check: "preflight",
    detail: `Nothing is known of this update now. ${why}`,
    prerequisite: "Let a preflight complete before updating.",
  };
  const kept = risks.map((risk): FindingComponent => ({
    type: "ota_finding",
    severity: "warning",
    check: "preflight",
    detail: `Found at ${observedAt ?? "an unknown time"}: ${risk.name}: ${risk.message} ${risk.url}`,
  }));
  return formatJsonText({
    analysisData: [buildSummary("escalate", [{ name, status: "error", detail: why }]), unfinished, ...kept],
  });
}
