import { checks } from "../../checks/index.ts";
import type { Applies, Check } from "../../model/check.ts";
import { readPath } from "../../runner/gather.ts";
import { unknownName } from "../../model/check.ts";
import type { Arguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { readsOf } from "../rbac.ts";

export async function list(args: Arguments, io: Io): Promise<number> {
  io.out(args.text("output") === "json" ? `${JSON.stringify(checks.map(describeCheck), undefined, 2)}\n` : table());
  return 0;
}

/** When a check speaks, in words. */
export function appliesText(applies: Applies): string {
  if (applies.kind === "crosses") return `updates into or past ${applies.minor}`;
  const words = { patch: "patch updates", minor: "updates to later minors", rollback: "rollbacks" };
  return applies.kinds.map((kind) => words[kind]).join(", ");
}

/** All that follows from a check's metadata, for `list -o json` and the generated pages. */
export function describeCheck(check: Check) {
  const risks = check.risks.map(({ name, title, url, remediation }) => ({ name, title, url, remediation }));
  return {
    id: check.id,
    title: check.title,
    applies: appliesText(check.applies),
    risks,
    unknownRisk: unknownName(check),
    reads: readsOf(check).map(readPath).toSorted(),
    readsKindsOfTarget: check.followedKinds !== undefined,
    needsManifests: check.needsManifests,
    ...(check.onRequest === undefined ? {} : { onRequest: check.onRequest }),
  };
}

function titleOf({ title, onRequest }: Check): string {
  return onRequest === undefined ? title : `${title} (only with --only)`;
}

function table(): string {
  const rows = checks.map((check) => [check.id, titleOf(check), check.risks.map((risk) => risk.name).join(", ")]);
  const header = ["CHECK", "WHAT IT HOLDS THE CLUSTER TO", "RISKS"];
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd();
  return `${[header, ...rows].map(line).join("\n")}\n`;
}
