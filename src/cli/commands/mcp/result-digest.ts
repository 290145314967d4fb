import { type Json, type JsonObject, at, listAt, numberAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import { compareRisks } from "../../../format/view/work-order.ts";
import { parseComparedResult } from "../../../format/comparison/compared-result.ts";

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
  const parsed = parseComparedResult(result, "");
  const order = typeof parsed === "string" ? [] : [...parsed.risks.values()].toSorted(compareRisks);
  const risks = new Map(listAt(result, "risks").map((risk) => [textAt(risk, "name") ?? "", risk]));
  const accepted = new Set(textsAt(result, "accepted"));
  return order.flatMap(({ name, check = "" }) => {
    const risk = risks.get(name);
    if (risk === undefined) return [];
    const findings = listAt(result, "checks")
      .flatMap((one) => listAt(one, "findings"))
      .filter((finding) => textAt(finding, "risk") === name);
    const objects = findings.slice(0, maxObjects).map(digestFinding);
    const beyond = listAt(result, "checks").find((one) => textAt(one, "id") === check);
    const omitted = findings.length - objects.length + (numberAt(beyond ?? {}, "omittedFindings") ?? 0);
    return [
      {
        ...select(risk, ["name", "effect", "leadTime", "message", "url"]),
        check,
        accepted: accepted.has(name),
        objects,
        omittedObjects: omitted,
      },
    ];
  });
}

function digestFinding(finding: Json): Json {
  return { ...objectAt(finding, "object"), ...select(finding, ["path", "message", "see", "fix"]) };
}

function listNotices(check: Json): readonly Json[] {
  const id = textAt(check, "id") ?? "";
  return textsAt(check, "notices").map((notice) => ({ check: id, notice }));
}
