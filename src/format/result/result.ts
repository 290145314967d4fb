import { EFFECTS, type Effect, LEAD_TIMES, type LeadTime } from "../../model/check.ts";
import { at, flagAt, type Json, type JsonObject, listAt, numberAt, textAt, textsAt } from "../../model/json.ts";
import { findMinorsBetween, parseVersion } from "../../model/version.ts";
import type { OutcomeKind } from "../../model/report.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isUnknownRiskName, UNSEEN_RISKS } from "../../model/unseen.ts";

/** What a document, or the output of `check -o json`, says. What is not there, or in words that nobody knows, is undefined. */
export type ParsedResult = {
  readonly status?: "running" | "completed" | "failed";
  readonly failure: { readonly reason?: string; readonly message?: string };
  readonly sourceVersion?: string;
  readonly targetVersion?: string;
  readonly clusterId?: string;
  /** The address of the cluster's API server, which `-o json` has. */
  readonly server?: string;
  /** How the cluster was reached, if the result says it. */
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly targetDigest?: string;
  readonly observedAt?: string;
  readonly validUntil?: string;
  readonly preflightID?: string;
  /** Undefined if the result does not say it: then it is not known. */
  readonly complete?: boolean;
  /** The minors that `check` names: their releases were not checked, and the update is not known to be offered as one. */
  readonly minorsBetween: readonly string[];
  readonly risks: readonly ResultRisk[];
  /** Those that only their checks name because a document had no room for them. */
  readonly omittedRisks: readonly ResultRisk[];
  readonly checks: readonly ResultCheck[];
};

/** Where a fault is. */
export type ResultPlace = { readonly object: ObjectRef; readonly path?: string };

/** A risk with what its check says of it. `unknown`: it reports an incomplete check. */
export type ResultRisk = {
  readonly name: string;
  /** Absent if none of the checks names it. */
  readonly check?: string;
  readonly message: string;
  readonly url: string;
  readonly unknown: boolean;
  readonly effect?: Effect;
  readonly leadTime?: LeadTime;
  /** Of a cluster with a hosted control plane, which -o json says. */
  readonly isHosted?: true;
  /** Undefined if nobody has said it: a document does not. */
  readonly isAccepted?: boolean;
  /** Undefined of a document, which names none. */
  readonly places?: readonly ResultPlace[];
  /** How many more its check has found: beyond a limit, `-o json` leaves some out. */
  readonly omittedPlaces: number;
};

export type ResultCheck = {
  readonly id: string;
  readonly outcome: OutcomeKind;
  readonly message: string;
  readonly risks: readonly string[];
  /** Whether the user left it out: then nothing of it was checked. */
  readonly isLeftOut: boolean;
  /** Whether it was left out for good, with a reason: that is no gap in the result. */
  readonly isAcceptedLeftOut: boolean;
  /** When a result before this one found nothing by it, if it was not run again. */
  readonly clearAt?: string;
  readonly unknowns: readonly { readonly where?: string; readonly reason: string; readonly message: string }[];
  /** By the names of risks. A document has none. */
  readonly places?: ReadonlyMap<string, readonly ResultPlace[]>;
  readonly omittedPlaces: number;
};

const STATUSES = ["running", "completed", "failed"] as const;
const OUTCOMES = ["clear", "risk", "unknown", "notApplicable"] as const satisfies readonly OutcomeKind[];

/** Never throws. Each reader requires what it can't do without. `accept`: risks that count as accepted, besides those that the result names. */
export function parseResult(value: JsonObject, accept: readonly string[] = []): ParsedResult {
  const checks = listAt(value, "checks").map(parseCheck);
  const accepted = new Set([...textsAt(value, "accepted"), ...accept]);
  const isAccepted = (name: string): Pick<ResultRisk, "isAccepted"> =>
    accepted.has(name) || value["accepted"] !== undefined ? { isAccepted: accepted.has(name) } : {};
  const place = flagAt(value, "hosted") === true ? ({ isHosted: true } as const) : {};
  const risks = listAt(value, "risks").flatMap((risk) => parseRisk(risk, checks).map((one) => ({ ...one, ...place })));
  return {
    status: STATUSES.find((one) => one === value["executionStatus"]),
    sourceVersion: textAt(value, "sourceVersion"),
    targetVersion: textAt(value, "targetVersion"),
    clusterId: textAt(value, "clusterID"),
    server: textAt(value, "cluster", "server"),
    context: textAt(value, "cluster", "context") ?? textAt(value, "fleet", "request", "context"),
    kubeconfig: textAt(value, "fleet", "request", "kubeconfig"),
    targetDigest: textAt(value, "targetDigest"),
    observedAt: textAt(value, "observedAt"),
    validUntil: textAt(value, "validUntil"),
    preflightID: textAt(value, "preflightID"),
    complete: flagAt(value, "complete"),
    failure: { reason: textAt(value, "failure", "reason"), message: textAt(value, "failure", "message") },
    minorsBetween: listMinorsBetween(value),
    risks: risks.map((risk) => ({ ...risk, ...isAccepted(risk.name) })),
    omittedRisks: listOmittedNames(risks, checks).map((name) => ({ ...buildRisk(name, checks), ...isAccepted(name) })),
    checks,
  };
}

/** A document has them in the message of their risk alone. */
function listMinorsBetween(value: JsonObject): readonly string[] {
  const names = textsAt(value, "minorsBetween");
  const isTold = listAt(value, "risks").some((risk) => textAt(risk, "name") === UNSEEN_RISKS.minorsBetween);
  if (names.length > 0 || !isTold) return names;
  const [from, to] = ["sourceVersion", "targetVersion"].map((key) => parseVersion(textAt(value, key) ?? ""));
  return from === undefined || to === undefined ? [] : findMinorsBetween(from, to).map(({ text }) => text);
}

function parseRisk(risk: Json, checks: readonly ResultCheck[]): readonly ResultRisk[] {
  const name = textAt(risk, "name");
  if (name === undefined) return [];
  const [condition] = listAt(risk, "conditions");
  const effect = EFFECTS.find((one) => one === textAt(risk, "effect"));
  const leadTime = LEAD_TIMES.find((one) => one === textAt(risk, "leadTime"));
  return [
    {
      ...buildRisk(name, checks),
      effect,
      leadTime,
      message: textAt(risk, "message") ?? "",
      url: textAt(risk, "url") ?? "",
      unknown: textAt(condition, "reason") === "PreflightPartial",
    },
  ];
}

/** Without the risk itself, the name tells that it reports an incomplete check. */
function listOmittedNames(risks: readonly ResultRisk[], checks: readonly ResultCheck[]): readonly string[] {
  const listed = new Set(risks.map(({ name }) => name));
  const omitted = checks.flatMap(({ risks: names, outcome }) =>
    names.filter((name) => !listed.has(name) && !(outcome === "unknown" && isUnknownRiskName(name))),
  );
  return [...new Set(omitted)];
}

/** A risk of which no more is known than what its check says. */
function buildRisk(name: string, checks: readonly ResultCheck[]): ResultRisk {
  const check = checks.findLast(({ risks }) => risks.includes(name));
  const places = check?.places && (check.places.get(name) ?? []);
  const omittedPlaces = check?.omittedPlaces ?? 0;
  return { name, message: "", url: "", unknown: false, omittedPlaces, check: check?.id, places };
}

function parseCheck(check: Json): ResultCheck {
  const places = at(check, "findings") === undefined ? undefined : listPlaces(listAt(check, "findings"));
  return {
    id: textAt(check, "id") ?? "",
    outcome: OUTCOMES.find((one) => one === textAt(check, "outcome")) ?? "unknown",
    message: textAt(check, "message") ?? "",
    risks: textsAt(check, "risks"),
    isLeftOut: textAt(check, "reason") === "LeftOut",
    isAcceptedLeftOut: textAt(check, "accepted", "reason") !== undefined,
    clearAt: textAt(check, "clearAt"),
    unknowns: listAt(check, "unknowns").map((unknown) => ({
      where: textAt(unknown, "where"),
      reason: textAt(unknown, "reason") ?? "",
      message: textAt(unknown, "message") ?? "",
    })),
    places,
    omittedPlaces: numberAt(check, "omittedFindings") ?? 0,
  };
}

function listPlaces(findings: readonly Json[]): ReadonlyMap<string, readonly ResultPlace[]> {
  const groups = Map.groupBy(findings, (finding) => textAt(finding, "risk") ?? "");
  return new Map([...groups].map(([risk, own]) => [risk, own.map(parsePlace)]));
}

function parsePlace(finding: Json): ResultPlace {
  const text = (key: string): string | undefined => textAt(finding, "object", key);
  return {
    object: {
      apiVersion: text("apiVersion") ?? "",
      kind: text("kind") ?? "",
      namespace: text("namespace"),
      name: text("name") ?? "",
    },
    path: textAt(finding, "path"),
  };
}
