import type { Check, Commands, Context, Finding } from "../model/check.ts";
import { buildObjectCommand } from "../model/commands.ts";
import type { Outcome } from "../model/report.ts";
import type { ObjectRef } from "../model/resource.ts";
import { isVisibleLine } from "../model/visible-text.ts";

/** Adds to each finding the commands that show the fault and those that remove it. */
export function addCommands(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const findings = outcome.findings.map((finding) => ({ ...finding, ...buildCommands(check, finding, context) }));
  return { ...outcome, findings };
}

/**
 * Only what can be written exactly: an output shows a hidden character as text, with which a command would name something else. Steps that
 * remove a fault are offered together or not at all.
 */
function buildCommands(check: Check, finding: Finding, context: Context): Partial<Commands> {
  if (!isServable(finding.object)) return {};
  const risk = check.risks.find(({ name }) => name === finding.risk);
  const all = risk?.see?.(finding, context) ?? [buildObjectCommand(context.platform, "get", finding.object)];
  const see = all.filter(isVisibleLine);
  const steps = risk?.fix?.(finding, context) ?? [];
  const fix = steps.every(isVisibleLine) ? steps : [];
  return { ...(see.length > 0 ? { see } : {}), ...(fix.length > 0 ? { fix } : {}) };
}

/** An archive may hold what no API server serves, such as a kind that a command would take for an option. */
function isServable({ apiVersion, kind, name }: ObjectRef): boolean {
  return /^[\w./-]*$/.test(apiVersion) && /^\w+$/.test(kind) && !name.startsWith("-");
}
