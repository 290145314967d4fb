import { type Finding, sortFindings } from "../../model/check.ts";
import { capitalize, summarizeNames } from "../../model/text.ts";

/** Before anything is found. */
const GENERAL = "let more pods run than the budget requires, or let it require fewer";

const NUMBER = /^minAvailable (\d+)$/;

/** What lets a budget spare a pod. */
function findRemedy({ path = "", detail }: Finding): string {
  if (path === "spec.selector") return "let the selector take all pods of their controller";
  const limit = detail?.["limit"] ?? "";
  if (limit === "maxUnavailable 1")
    return path === "spec.minAvailable"
      ? "replace spec.minAvailable by spec.maxUnavailable: 1"
      : "set spec.maxUnavailable to 1";
  const number = NUMBER.exec(limit)?.[1];
  if (number !== undefined) return `let more pods run than spec.minAvailable requires, or set it to ${number}`;
  return "set spec.minAvailable to a number that is below that of its pods";
}

/** "Set spec.maxUnavailable to 1, or delete ...", or each of several remedies with the budgets that it is for. */
export function formatRemedies(findings: readonly Finding[]): string {
  const groups = [...Map.groupBy(sortFindings(findings), findRemedy)];
  const [[remedy] = [GENERAL]] = groups;
  if (groups.length < 2) return `${capitalize(remedy)}, or delete the budget during the update`;
  return [...groups.map(formatGroup), "or delete these budgets during the update"].map(capitalize).join(". ");
}

function formatGroup([remedy, findings]: readonly [string, readonly Finding[]]): string {
  const names = findings.map(({ object }) => `${object.namespace ?? ""}/${object.name}`);
  return `for ${summarizeNames([...new Set(names)])}, ${remedy}`;
}
