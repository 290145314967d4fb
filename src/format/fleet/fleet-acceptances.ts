import type { Acceptance } from "../../model/acceptance.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { formatRef } from "../../model/resource.ts";
import { defined } from "../../model/optional.ts";
import { judgeByRisk, selectAcceptedNames } from "../view/acceptances.ts";
import type { ResultFields } from "./result-fields.ts";

/** The names of a result's risks that acceptances cover. */
export function selectFleetAcceptances(
  acceptances: readonly Acceptance[],
  value: JsonObject,
  { risks, observedAt = "" }: Pick<ResultFields, "risks" | "observedAt">,
): ReadonlySet<string> {
  const names = new Set(risks.map(({ name }) => name));
  return selectAcceptedNames(
    judgeByRisk(acceptances, observedAt, (risk) => (names.has(risk) ? listObjects(risk, value) : undefined)),
  );
}

/** A document does not name them, so no acceptance of certain objects holds for it. */
const UNNAMED = ["objects that the document does not name"];

function listObjects(risk: string, value: JsonObject): readonly string[] {
  const checks = listAt(value, "checks");
  const check = checks.find((one) => listAt(one, "risks").includes(risk));
  if (check === undefined || objectAt(check)["findings"] === undefined) return UNNAMED;
  const findings = listAt(check, "findings").filter((finding) => textAt(finding, "risk") === risk);
  const objects = findings.map((finding) =>
    formatRef({
      apiVersion: textAt(finding, "object", "apiVersion") ?? "",
      kind: textAt(finding, "object", "kind") ?? "",
      name: textAt(finding, "object", "name") ?? "",
      ...defined({ namespace: textAt(finding, "object", "namespace") }),
    }),
  );
  const places = listAt(check, "unknowns").flatMap((unknown) => textAt(unknown, "where") ?? []);
  const named = objects.length === 0 ? places : objects;
  return objectAt(check)["omittedFindings"] === undefined ? sortNames(named) : [...sortNames(named), ...UNNAMED];
}
