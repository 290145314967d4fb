import { at, type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import { compareRisks } from "../../../format/view/work-order.ts";
import { parseResult } from "../../../format/document/result-parser.ts";
import { FURTHER_RISKS } from "../../../model/document.ts";

/** What an assistant needs of `check -o json`: the risks in the order of work with their first objects, and what is not known. */
export function digestResult(result: JsonObject, maxObjects: number): JsonObject {
  const copied = ["sourceVersion", "targetVersion", "clusterID", "observedAt", "complete", "minorsBetween"] as const;
  const recommendation = at(result, "offer", "recommendation");
  return {
    ...select(result, copied),
    ...(recommendation === undefined ? {} : { recommendation }),
    risks: digestRisks(result, maxObjects),
    unknowns: listAt(result, "unseen"),
    notices: listAt(result, "checks").flatMap(listNotices),
  };
}

function select(value: Json, keys: readonly string[]): JsonObject {
  const entries = keys.map((key) => [key, at(value, key)] as const);
  const present: Record<string, Json> = {};
  for (const [key, one] of entries) if (one !== undefined) present[key] = one;
  return present;
}

/** Without those of incomplete checks, which the unknowns are about. */
function digestRisks(result: JsonObject, maxObjects: number): readonly Json[] {
  const { risks, checks, accepted = [] } = parseResult(result);
  return risks
    .flatMap(({ name, unknown, ...risk }) =>
      name === undefined || unknown || name === FURTHER_RISKS ? [] : [{ name, ...risk }],
    )
    .toSorted(compareRisks)
    .map((risk) => {
      const check = checks.find((one) => one.risks.includes(risk.name));
      const findings = checks.flatMap((one) => one.findings ?? []).filter((finding) => finding.risk === risk.name);
      const objects = findings.slice(0, maxObjects).map(({ content }) => digestFinding(content));
      return {
        ...risk,
        check: check?.id ?? "",
        accepted: accepted.includes(risk.name),
        objects,
        omittedObjects: findings.length - objects.length + (check?.omittedFindings ?? 0),
      };
    });
}

function digestFinding(finding: Json): Json {
  return { ...objectAt(finding, "object"), ...select(finding, ["path", "message", "see", "fix", "fixKind"]) };
}

function listNotices(check: Json): readonly Json[] {
  const id = textAt(check, "id") ?? "";
  return textsAt(check, "notices").map((notice) => ({ check: id, notice }));
}
