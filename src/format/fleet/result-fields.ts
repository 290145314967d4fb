import type { ClusterRisk } from "../../model/fleet.ts";
import { type JsonObject, isList } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { type ParsedCheck, type ParsedResult, parseResult } from "../document/result-parser.ts";

/** What a fleet needs of a result. */
export type ResultFields = Omit<ParsedResult, "status" | "risks"> & {
  readonly kind: "read";
  readonly status: "running" | "completed" | "failed";
  readonly risks: readonly FieldRisk[];
  readonly outcomes: ReadonlyMap<string, OutcomeKind>;
};

type FieldRisk = Omit<ClusterRisk, "isAccepted">;

type Invalid = { readonly kind: "invalid"; readonly problem: string };

/** A result with an outcome that nobody knows must not read as clear, so anything malformed is a fault of the whole. */
export function parseResultFields(
  value: JsonObject,
  unknownNames: ReadonlyMap<string, string>,
): ResultFields | Invalid {
  const result = parseResult(value);
  const { status, checks } = result;
  if (status === undefined) return invalid("its executionStatus is not running, completed or failed");
  const { risks: listedRisks, checks: listedChecks = [] } = value;
  if (!isList(listedRisks) || !isList(listedChecks)) return invalid("its risks or checks are not a list");
  if (status === "completed" && checks.length === 0) return invalid("it has no outcome of any check");
  const outcomes = new Map<string, OutcomeKind>();
  for (const [i, { id, outcome }] of checks.entries()) {
    if (id === undefined || outcome === undefined) return invalid(`checks[${i}] has no id, or no known outcome`);
    outcomes.set(id, outcome);
  }
  const risks: FieldRisk[] = [];
  for (const [i, { name, message, url, unknown, effect }] of result.risks.entries()) {
    if (name === undefined || message === undefined || url === undefined)
      return invalid(`risks[${i}] has no name, message or url`);
    const check = checks.findLast((one) => one.risks.includes(name))?.id ?? "";
    risks.push({ name, check, message, url, unknown, ...defined({ effect }) });
  }
  return { ...result, kind: "read", status, risks: addUnknownRisks(risks, checks, unknownNames), outcomes };
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

function invalid(problem: string): Invalid {
  return { kind: "invalid", problem };
}
