import type { Acceptance } from "../../model/acceptance.ts";
import { sortNames } from "../../model/names.ts";
import { formatRef } from "../../model/resource.ts";
import { judgeByRisk, selectAcceptedNames } from "../view/acceptances.ts";
import type { ParsedCheck } from "../document/result-parser.ts";
import type { ResultFields } from "./result-fields.ts";

/** The names of a result's risks that acceptances cover. */
export function selectFleetAcceptances(
  acceptances: readonly Acceptance[],
  { risks, checks, observedAt = "" }: ResultFields,
): ReadonlySet<string> {
  const names = new Set(risks.map(({ name }) => name));
  return selectAcceptedNames(
    judgeByRisk(acceptances, observedAt, (risk) => (names.has(risk) ? listObjects(risk, checks) : undefined)),
  );
}

/** A document does not name them, so no acceptance of certain objects holds for it. */
const UNNAMED = ["objects that the document does not name"];

function listObjects(name: string, checks: readonly ParsedCheck[]): readonly string[] {
  const check = checks.find(({ risks }) => risks.includes(name));
  if (check?.findings === undefined) return UNNAMED;
  const objects = check.findings.filter(({ risk }) => risk === name).map(({ object }) => formatRef(object));
  const named = sortNames(objects.length === 0 ? check.unknowns.flatMap(({ where }) => where ?? []) : objects);
  return check.omittedFindings === undefined ? named : [...named, ...UNNAMED];
}
