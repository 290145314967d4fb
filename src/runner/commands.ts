import type { Check, Commands, Context, Finding } from "../model/check.ts";
import { buildObjectCommand } from "../model/commands.ts";
import type { Outcome } from "../model/report.ts";

/** Adds to each finding the commands that show the fault and those that remove it. */
export function addCommands(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const findings = outcome.findings.map((finding) => ({ ...finding, ...buildCommands(check, finding, context) }));
  return { ...outcome, findings };
}

function buildCommands(check: Check, finding: Finding, context: Context): Partial<Commands> {
  const risk = check.risks.find(({ name }) => name === finding.risk);
  const see = risk?.see?.(finding, context) ?? [buildObjectCommand(context.platform, "get", finding.object)];
  const fix = risk?.fix?.(finding, context) ?? [];
  return { ...(see.length > 0 ? { see } : {}), ...(fix.length > 0 ? { fix } : {}) };
}
