import { createPageFormats } from "../text/page-formats.ts";
import { buildTargetsPage } from "./targets-page.ts";
import { formatTime } from "../../model/time.ts";
import { isComplete } from "../../model/unseen.ts";
import { buildTargetResult, type ResultFacts } from "../programs/json.ts";
import type { ResultRisk } from "../result/result.ts";
import { formatJsonText } from "../../model/visible-text.ts";
import type { TargetColumn, TargetResult, TargetsView } from "./targets.ts";
import { buildTargetTable, describeCell, isChecked } from "./targets.ts";

/** The output formats of several targets, by name. */
export const targetsFormats = { ...createPageFormats(buildTargetsPage), json: formatTargetsJson };

/** For machines; schemas/preflight-targets-v1.schema.json describes it. The result of a target is what `check -o json` prints. */
function formatTargetsJson({ targets, cluster, ...facts }: TargetsView & ResultFacts): string {
  const [first] = targets.filter(isChecked);
  const { columns, risks } = buildTargetTable(targets);
  return formatJsonText({
    format: "preflight-targets-v1-json",
    sourceVersion: first?.report.source.text,
    clusterID: first?.report.clusterId,
    cluster,
    observedAt: formatTime(facts.observedAt),
    complete: targets.every((target) => target.kind === "checked" && isComplete(target.report)),
    risks: risks.map((risk) => buildRiskJson(risk, columns)),
    targets: targets.map((target) => buildTargetJson(target, facts)),
    runner: { version: facts.run.runnerVersion },
  });
}

function buildRiskJson(risk: ResultRisk, columns: readonly TargetColumn[]): object {
  const { name, check, effect, leadTime } = risk;
  const targets = columns.map((column) => ({ name: column.target.label, ...describeCell(column, risk) }));
  return { name, check, effect, leadTime, targets };
}

function buildTargetJson(target: TargetResult, facts: ResultFacts): object {
  if (!isChecked(target)) return { name: target.label, state: "notChecked", reason: target.message };
  const { label, ...view } = target;
  const targetVersion = view.report.target.text;
  return { name: label, targetVersion, state: "checked", result: buildTargetResult(view, targetVersion, facts) };
}
