import type { ClusterRisk } from "../../model/fleet.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import type { ReadResult } from "../document/document-parser.ts";
import { type ParsedCheck, type ParsedResult, parseResult } from "../document/result-parser.ts";

/** What a fleet needs of a result. */
export type ResultFields = Omit<ParsedResult, "status" | "risks"> & {
  readonly status: "running" | "completed" | "failed";
  readonly risks: readonly FieldRisk[];
  readonly outcomes: ReadonlyMap<string, OutcomeKind>;
};

type FieldRisk = Omit<ClusterRisk, "isAccepted">;

/** Of a result that the reader has taken. */
export function buildResultFields(
  { document: { executionStatus }, value }: Extract<ReadResult, { kind: "valid" }>,
  unknownNames: ReadonlyMap<string, string>,
): ResultFields {
  const result = parseResult(value);
  const { checks } = result;
  const outcomes = new Map(
    checks.flatMap(({ id, outcome }) => (id === undefined || outcome === undefined ? [] : [[id, outcome] as const])),
  );
  const risks = result.risks.flatMap(({ name, message = "", url = "", unknown, effect }): readonly FieldRisk[] => {
    if (name === undefined) return [];
    const check = checks.findLast((one) => one.risks.includes(name))?.id ?? "";
    return [{ name, check, message, url, unknown, ...defined({ effect }) }];
  });
  return { ...result, status: executionStatus, risks: addUnknownRisks(risks, checks, unknownNames), outcomes };
}

/** With --no-unknown-risks a result has no risk for an incomplete check, but the fleet's owner has to see which it is. */
function addUnknownRisks(
  risks: readonly FieldRisk[],
  checks: readonly ParsedCheck[],
  unknownNames: ReadonlyMap<string, string>,
): readonly FieldRisk[] {
  const reported = new Set(risks.filter(({ unknown }) => unknown).map(({ name }) => name));
  const missing = checks.flatMap(
    ({ id = "", outcome, message, isLeftOut, isAcceptedLeftOut }): readonly FieldRisk[] => {
      if (outcome !== "unknown" || isAcceptedLeftOut) return [];
      const name = isLeftOut ? UNSEEN_RISKS.leftOut : (unknownNames.get(id) ?? id);
      return reported.has(name) ? [] : [{ name, check: id, message, url: "", unknown: true }];
    },
  );
  return [...risks, ...missing];
}
