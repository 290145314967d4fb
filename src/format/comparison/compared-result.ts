import type { Effect, LeadTime } from "../../model/check.ts";
import { FURTHER_RISKS } from "../../model/document.ts";
import { type Json, type JsonObject, listAt, numberAt, textAt, textsAt } from "../../model/json.ts";
import { findMinorsBetween } from "../../model/minors-between.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { parseVersion } from "../../model/version.ts";
import { toVisible } from "../../model/visible-text.ts";
import { EFFECTS } from "../view/work-order.ts";

/** One result beside another: a document, or what `check -o json` printed. */
export type ComparedResult = {
  /** How the user names it: a file, or "stdin". */
  readonly label: string;
  readonly sourceVersion?: string;
  readonly targetVersion?: string;
  readonly clusterId?: string;
  readonly observedAt?: string;
  /** Why there are no results, if the cycle has not completed. */
  readonly failure?: string;
  /** Without a list of checks, only this says that a risk which is not named was looked for. */
  readonly isComplete: boolean;
  readonly hasChecks: boolean;
  /** The minors between source and target, whose releases were not checked. */
  readonly minorsBetween: readonly string[];
  /** By name, without those of incomplete checks. */
  readonly risks: ReadonlyMap<string, ComparedRisk>;
  readonly checks: ReadonlyMap<string, ComparedCheck>;
};

export type ComparedRisk = {
  readonly name: string;
  readonly check?: string;
  readonly message: string;
  readonly effect?: Effect;
  readonly leadTime?: LeadTime;
  /** Undefined if the result does not say what is accepted. */
  readonly isAccepted?: boolean;
  /** Each object with its place; undefined if the result does not name all of them. */
  readonly objects?: ReadonlySet<string>;
};

export type ComparedCheck = {
  readonly id: string;
  readonly outcome: OutcomeKind;
  /** What could not be checked and why, or why the check does not apply; of a document, one text for all. */
  readonly causes: readonly Cause[];
  readonly message: string;
  /** Whether the user left it out: then nothing of it was checked. */
  readonly isLeftOut: boolean;
  /** Whether its being incomplete is accepted: by the risk that reports it, or with a reason because it was left out for good. */
  readonly isAccepted: boolean;
};

/** `place`: what could not be checked, whatever the reason; undefined in a document. */
export type Cause = { readonly place?: string; readonly text: string };

const FORMAT = "preflight-v1-json";
const LEAD_TIMES = ["days", "hours", "minutes"] as const satisfies readonly LeadTime[];
const OUTCOMES = ["clear", "risk", "unknown", "notApplicable"] as const satisfies readonly OutcomeKind[];

/**
 * A sentence without a subject if the value is not a result. Unknown keys are ignored; an outcome that is not known is refused.
 * `accept`: names of risks that count as accepted, besides those that the result says are.
 */
export function parseComparedResult(
  result: JsonObject,
  label: string,
  accept: readonly string[] = [],
): ComparedResult | string {
  const value = toVisible(result);
  const format = textAt(value, "format");
  if (format !== FORMAT)
    return format === undefined ? `has no format: it is not a ${FORMAT}` : `has the format ${format}, not ${FORMAT}`;
  const status = textAt(value, "executionStatus");
  if (status !== "completed" && status !== "running" && status !== "failed") return "has no executionStatus";
  const isCompleted = status === "completed";
  const isAccepted = createAcceptedTest(value, accept);
  const checks = isCompleted ? parseChecks(value, isAccepted) : new Map<string, ComparedCheck>();
  if (typeof checks === "string") return checks;
  const [sourceVersion, targetVersion] = [textAt(value, "sourceVersion"), textAt(value, "targetVersion")];
  return {
    label,
    ...defined({
      sourceVersion,
      targetVersion,
      clusterId: textAt(value, "clusterID"),
      observedAt: textAt(value, "observedAt"),
      failure: isCompleted ? undefined : describeFailure(value, status),
    }),
    isComplete: value["complete"] === true,
    hasChecks: checks.size > 0,
    minorsBetween: isCompleted ? listMinorsBetween(sourceVersion, targetVersion) : [],
    // What a failed run repeats of an earlier one is not its own result.
    risks: isCompleted ? parseRisks(value, isAccepted) : new Map(),
    checks,
  };
}

function describeFailure(value: JsonObject, status: "running" | "failed"): string {
  if (status === "running") return "the first cycle is still running";
  return textAt(value, "failure", "message") ?? "the last cycle failed";
}

function listMinorsBetween(source = "", target = ""): readonly string[] {
  const [from, to] = [parseVersion(source), parseVersion(target)];
  return from === undefined || to === undefined ? [] : findMinorsBetween(from, to).map(({ text }) => text);
}

type AcceptedTest = (name: string) => boolean | undefined;

/** Undefined for a risk of a document, which does not say what is accepted: only `check -o json` does. */
function createAcceptedTest(value: JsonObject, accept: readonly string[]): AcceptedTest {
  const isStated = value["accepted"] !== undefined;
  const names = new Set([...textsAt(value, "accepted"), ...accept]);
  return (name) => names.has(name) || (isStated ? false : undefined);
}

function parseChecks(value: JsonObject, isAccepted: AcceptedTest): ReadonlyMap<string, ComparedCheck> | string {
  const partial = new Set(listAt(value, "risks").filter(isPartial).flatMap(nameOf));
  const checks = new Map<string, ComparedCheck>();
  for (const check of listAt(value, "checks")) {
    const [id, text] = [textAt(check, "id"), textAt(check, "outcome")];
    const outcome = OUTCOMES.find((one) => one === text);
    if (id === undefined) return "has a check without an id";
    if (outcome === undefined) return `has an outcome of ${id} that this version does not know: ${text ?? "none"}`;
    const hasAccepted = textsAt(check, "risks").some((name) => partial.has(name) && isAccepted(name) === true);
    checks.set(id, {
      id,
      outcome,
      causes: parseCauses(check),
      message: textAt(check, "message") ?? "",
      isLeftOut: textAt(check, "reason") === "LeftOut",
      isAccepted: hasAccepted || textAt(check, "accepted", "reason") !== undefined,
    });
  }
  return checks;
}

/** `-o json` lists each cause, a document their joined text. */
function parseCauses(check: Json): readonly Cause[] {
  const message = textAt(check, "message") ?? "";
  const unknowns = listAt(check, "unknowns");
  if (unknowns.length === 0) return message === "" ? [] : [{ text: message }];
  return unknowns.map((unknown) => {
    const [where, reason] = [textAt(unknown, "where") ?? "", textAt(unknown, "reason") ?? ""];
    return { place: where, text: `${where}: ${textAt(unknown, "message") || reason}` };
  });
}

function isPartial(risk: Json): boolean {
  return textAt(risk, "conditions", 0, "reason") === "PreflightPartial";
}

function nameOf(risk: Json): readonly string[] {
  const name = textAt(risk, "name");
  return name === undefined ? [] : [name];
}

/** The risks of the list, and those that only their checks name because the document had no room for them. */
function parseRisks(value: JsonObject, isAccepted: AcceptedTest): ReadonlyMap<string, ComparedRisk> {
  const [listed, checks] = [listAt(value, "risks"), listAt(value, "checks")];
  const names = new Set(listed.flatMap(nameOf));
  const omitted = checks.flatMap((check) =>
    textsAt(check, "risks").filter((name) => !names.has(name) && !isUnknownName(name, check)),
  );
  const risks = [
    ...listed.filter((risk) => !isPartial(risk)),
    ...omitted.map((name): JsonObject => ({ name })),
  ].flatMap((risk) => {
    const name = textAt(risk, "name");
    return name === undefined || name === FURTHER_RISKS ? [] : [parseRisk(risk, name, checks, isAccepted)];
  });
  return new Map(risks.map((risk) => [risk.name, risk]));
}

/** Without the risk itself, the name tells that it reports an incomplete check. */
function isUnknownName(name: string, check: Json): boolean {
  return textAt(check, "outcome") === "unknown" && name.endsWith("Unknown");
}

function parseRisk(risk: Json, name: string, checks: readonly Json[], isAccepted: AcceptedTest): ComparedRisk {
  const check = checks.find((one) => textsAt(one, "risks").includes(name));
  const [effect, leadTime] = [textAt(risk, "effect"), textAt(risk, "leadTime")];
  return {
    name,
    message: textAt(risk, "message") ?? "",
    ...defined({
      check: textAt(check, "id"),
      effect: EFFECTS.find((one) => one === effect),
      leadTime: LEAD_TIMES.find((one) => one === leadTime),
      isAccepted: isAccepted(name),
      objects: check === undefined ? undefined : parseObjects(check, name),
    }),
  };
}

/** A document has no findings, and beyond a limit `-o json` leaves some out. */
function parseObjects(check: Json, name: string): ReadonlySet<string> | undefined {
  const findings = listAt(check, "findings").filter((finding) => textAt(finding, "risk") === name);
  if (findings.length === 0 || (numberAt(check, "omittedFindings") ?? 0) > 0) return undefined;
  return new Set(findings.map(formatPlace));
}

/** "Node a" or "Deployment shop/web (spec.replicas)". */
function formatPlace(finding: Json): string {
  const [namespace, path] = [textAt(finding, "object", "namespace"), textAt(finding, "path")];
  const name = textAt(finding, "object", "name") ?? "";
  const object = `${textAt(finding, "object", "kind") ?? ""} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  return path === undefined ? object : `${object} (${path})`;
}
