import type { Effect } from "../../model/check.ts";
import type { ClusterRisk, FleetProblem } from "../../model/fleet.ts";
import { type Json, type JsonObject, isList, isObject, listAt, textAt, textsAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { EFFECTS } from "../view/work-order.ts";

/** What a fleet needs of a result. */
export type ResultFields = {
  readonly kind: "read";
  readonly status: "running" | "completed" | "failed";
  readonly failure?: FleetProblem;
  readonly clusterId?: string;
  readonly source?: string;
  readonly target?: string;
  readonly observedAt?: string;
  readonly validUntil?: string;
  readonly risks: readonly ParsedRisk[];
  readonly outcomes: ReadonlyMap<string, OutcomeKind>;
  readonly isComplete: boolean;
};

type ParsedRisk = Omit<ClusterRisk, "isAccepted">;

type Invalid = { readonly kind: "invalid"; readonly problem: string };

const STATUSES = ["running", "completed", "failed"] as const;
const OUTCOMES = ["clear", "risk", "unknown", "notApplicable"] as const satisfies readonly OutcomeKind[];

/** A result with an outcome that nobody knows must not read as clear, so anything malformed is a fault of the whole. */
export function parseResultFields(
  value: JsonObject,
  unknownNames: ReadonlyMap<string, string>,
): ResultFields | Invalid {
  const status = STATUSES.find((one) => one === value["executionStatus"]);
  if (status === undefined) return invalid("its executionStatus is not running, completed or failed");
  const { risks: risksValue, checks = [] } = value;
  if (!isList(risksValue) || !isList(checks)) return invalid("its risks or checks are not a list");
  if (status === "completed" && checks.length === 0) return invalid("it has no outcome of any check");
  const outcomes = new Map<string, OutcomeKind>();
  for (const [i, check] of checks.entries()) {
    const [id, outcome] = [textAt(check, "id"), OUTCOMES.find((one) => one === textAt(check, "outcome"))];
    if (id === undefined || outcome === undefined) return invalid(`checks[${i}] has no id, or no known outcome`);
    outcomes.set(id, outcome);
  }
  const checkOfRisk = new Map(
    checks.flatMap((check) => textsAt(check, "risks").map((name) => [name, textAt(check, "id") ?? ""] as const)),
  );
  const risks = risksValue.map((risk) => parseRisk(risk, checkOfRisk));
  const nameless = risks.findIndex((risk) => risk === undefined);
  if (nameless >= 0) return invalid(`risks[${nameless}] has no name, message or url`);
  return {
    kind: "read",
    status,
    ...parseIdentity(value),
    risks: addUnknownRisks(
      risks.filter((risk) => risk !== undefined),
      checks,
      unknownNames,
    ),
    outcomes,
    isComplete: value["complete"] === true,
  };
}

/** With --no-unknown-risks a result has no risk for an incomplete check, but the fleet's owner has to see which it is. */
function addUnknownRisks(
  risks: readonly ParsedRisk[],
  checks: readonly Json[],
  unknownNames: ReadonlyMap<string, string>,
): readonly ParsedRisk[] {
  const reported = new Set(risks.filter(({ unknown }) => unknown).map(({ name }) => name));
  const missing = checks.flatMap((one): readonly ParsedRisk[] => {
    const check = textAt(one, "id") ?? "";
    if (textAt(one, "outcome") !== "unknown" || isAcceptedLeftOut(one)) return [];
    const name = textAt(one, "reason") === "LeftOut" ? UNSEEN_RISKS.leftOut : (unknownNames.get(check) ?? check);
    if (reported.has(name)) return [];
    return [{ name, check, message: textAt(one, "message") ?? "", url: "", unknown: true }];
  });
  return [...risks, ...missing];
}

/** Whether the check was left out for good, with a reason: that is no gap in the result. */
function isAcceptedLeftOut(check: Json): boolean {
  return textAt(check, "accepted", "reason") !== undefined;
}

function invalid(problem: string): Invalid {
  return { kind: "invalid", problem };
}

function parseIdentity(value: JsonObject) {
  const reason = textAt(value, "failure", "reason");
  return defined({
    failure: reason === undefined ? undefined : { reason, message: textAt(value, "failure", "message") ?? reason },
    clusterId: textAt(value, "clusterID"),
    source: textAt(value, "sourceVersion"),
    target: textAt(value, "targetVersion"),
    observedAt: textAt(value, "observedAt"),
    validUntil: textAt(value, "validUntil"),
  });
}

function parseRisk(risk: Json, checkOfRisk: ReadonlyMap<string, string>): ParsedRisk | undefined {
  const [name, message, url] = [textAt(risk, "name"), textAt(risk, "message"), textAt(risk, "url")];
  if (name === undefined || message === undefined || url === undefined) return undefined;
  const [condition] = listAt(risk, "conditions");
  const unknown = isObject(condition) && condition["reason"] === "PreflightPartial";
  const effect: Effect | undefined = EFFECTS.find((one) => one === textAt(risk, "effect"));
  return { name, check: checkOfRisk.get(name) ?? "", message, url, unknown, ...defined({ effect }) };
}
