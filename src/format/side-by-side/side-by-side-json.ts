import { defined } from "../../model/optional.ts";
import { isComplete } from "../../model/unseen.ts";
import { formatTime } from "../../model/time.ts";
import type { RunFacts } from "../document/document.ts";
import { buildTargetResult } from "../programs/json.ts";
import {
  buildRiskRows,
  type Cell,
  isChecked,
  type RiskRow,
  type SideBySideView,
  type TargetResult,
} from "./side-by-side.ts";
import { formatJsonText } from "../text/json-text.ts";

type Facts = { readonly run: RunFacts; readonly observedAt: Date };

/** For machines; schemas/preflight-targets-v1.schema.json describes it. The result of a target is what `check -o json` prints. */
export function formatSideBySideJson({ targets, cluster, ...facts }: SideBySideView & Facts): string {
  const [first] = targets.filter(isChecked);
  return formatJsonText({
    format: "preflight-targets-v1-json",
    ...defined({ sourceVersion: first?.report.source.text, clusterID: first?.report.clusterId, cluster }),
    observedAt: formatTime(facts.observedAt),
    complete: targets.every((target) => target.kind === "checked" && isComplete(target.report)),
    risks: buildRiskRows(targets).map((row) => buildRowJson(row, targets)),
    targets: targets.map((target) => buildTargetJson(target, facts)),
    runner: { version: facts.run.runnerVersion },
  });
}

function buildRowJson({ risk, cells }: RiskRow, targets: readonly TargetResult[]): object {
  const { name, check, effect, leadTime } = risk;
  return {
    name,
    check,
    ...defined({ effect, leadTime }),
    targets: targets.map(({ label }, i) => ({ name: label, ...buildCellJson(cells[i]) })),
  };
}

function buildCellJson(cell: Cell = { kind: "notChecked" }): object {
  if (cell.kind !== "risk") return { state: cell.kind };
  return { state: cell.kind, objects: cell.objects, accepted: cell.isAccepted };
}

function buildTargetJson(target: TargetResult, { run, observedAt }: Facts): object {
  if (target.kind === "notChecked") return { name: target.label, state: "notChecked", reason: target.message };
  const { report, accepted, label, offer } = target;
  const targetVersion = report.target.text;
  return {
    name: label,
    targetVersion,
    state: "checked",
    result: buildTargetResult({ report, accepted, ...defined({ offer }) }, targetVersion, observedAt, run),
  };
}
