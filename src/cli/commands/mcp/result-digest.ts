import { at, type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import { compareRisks } from "../../../format/view/view.ts";
import { parseResult } from "../../../format/result/result.ts";
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
  const { risks } = parseResult(result);
  const findings = Map.groupBy(
    listAt(result, "checks").flatMap((check) => listAt(check, "findings")),
    (finding) => textAt(finding, "risk"),
  );
  const origins = new Map(listAt(result, "risks").map((risk) => [textAt(risk, "name"), select(risk, ["origin"])]));
  return risks
    .filter(({ name, unknown }) => !unknown && name !== FURTHER_RISKS)
    .toSorted(compareRisks)
    .map(({ name, effect, leadTime, message, url, check = "", isAccepted = false, omittedPlaces }) => {
      const own = findings.get(name) ?? [];
      const objects = own.slice(0, maxObjects).map(digestFinding);
      const omittedObjects = own.length - objects.length + omittedPlaces;
      const work = { ...(effect && { effect }), ...(leadTime && { leadTime }) };
      return {
        name,
        ...origins.get(name),
        ...work,
        message,
        url,
        check,
        accepted: isAccepted,
        objects,
        omittedObjects,
      };
    });
}

function digestFinding(finding: Json): Json {
  return { ...objectAt(finding, "object"), ...select(finding, ["path", "message", "see", "fix", "fixKind"]) };
}

function listNotices(check: Json): readonly Json[] {
  const id = textAt(check, "id") ?? "";
  return textsAt(check, "notices").map((notice) => ({ check: id, ...select(check, ["origin"]), notice }));
}
