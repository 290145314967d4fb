import { EFFECTS, type Effect, LEAD_TIMES, type LeadTime } from "../../model/check.ts";
import { at, flagAt, type Json, type JsonObject, listAt, numberAt, textAt, textsAt } from "../../model/json.ts";
import { findMinorsBetween } from "../../model/minors-between.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { parseVersion } from "../../model/version.ts";

/** What a document, or the output of `check -o json`, says. What is not there, or in words that nobody knows, is undefined. */
export type ParsedResult = {
  readonly status?: "running" | "completed" | "failed";
  readonly failure: { readonly reason?: string; readonly message?: string };
  readonly sourceVersion?: string;
  readonly targetVersion?: string;
  readonly clusterId?: string;
  readonly observedAt?: string;
  readonly validUntil?: string;
  readonly preflightID?: string;
  /** Undefined if the result does not say it: then it is not known. */
  readonly complete?: boolean;
  /** The minors that `check` names: their releases were not checked, and the update is not known to be offered as one. */
  readonly minorsBetween: readonly string[];
  /** Names of risks; a document does not state which are accepted. */
  readonly accepted?: readonly string[];
  readonly risks: readonly ParsedRisk[];
  readonly checks: readonly ParsedCheck[];
};

/** `unknown`: it reports an incomplete check. */
export type ParsedRisk = {
  readonly name?: string;
  readonly message?: string;
  readonly url?: string;
  readonly effect?: Effect;
  readonly leadTime?: LeadTime;
  readonly unknown: boolean;
};

export type ParsedCheck = {
  readonly id?: string;
  readonly outcome?: OutcomeKind;
  readonly message: string;
  readonly risks: readonly string[];
  /** Whether the user left it out: then nothing of it was checked. */
  readonly isLeftOut: boolean;
  /** Whether it was left out for good, with a reason: that is no gap in the result. */
  readonly isAcceptedLeftOut: boolean;
  readonly unknowns: readonly { readonly where?: string; readonly reason: string; readonly message: string }[];
  /** A document has none, and beyond a limit `-o json` leaves some out. */
  readonly findings?: readonly ParsedFinding[];
  readonly omittedFindings?: number;
};

/** `content`: the finding as it is written. */
export type ParsedFinding = {
  readonly risk?: string;
  readonly path?: string;
  readonly object: ObjectRef;
  readonly content: Json;
};

const STATUSES = ["running", "completed", "failed"] as const;
const OUTCOMES = ["clear", "risk", "unknown", "notApplicable"] as const satisfies readonly OutcomeKind[];

/** Never throws. Each reader requires what it can't do without. */
export function parseResult(value: JsonObject): ParsedResult {
  return {
    ...defined({
      status: STATUSES.find((one) => one === value["executionStatus"]),
      sourceVersion: textAt(value, "sourceVersion"),
      targetVersion: textAt(value, "targetVersion"),
      clusterId: textAt(value, "clusterID"),
      observedAt: textAt(value, "observedAt"),
      validUntil: textAt(value, "validUntil"),
      preflightID: textAt(value, "preflightID"),
      complete: flagAt(value, "complete"),
      accepted: value["accepted"] === undefined ? undefined : textsAt(value, "accepted"),
    }),
    failure: defined({ reason: textAt(value, "failure", "reason"), message: textAt(value, "failure", "message") }),
    minorsBetween: listMinorsBetween(value),
    risks: listAt(value, "risks").map(parseRisk),
    checks: listAt(value, "checks").map(parseCheck),
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

function parseRisk(risk: Json): ParsedRisk {
  const [condition] = listAt(risk, "conditions");
  return {
    ...defined({
      name: textAt(risk, "name"),
      effect: EFFECTS.find((one) => one === textAt(risk, "effect")),
      leadTime: LEAD_TIMES.find((one) => one === textAt(risk, "leadTime")),
      message: textAt(risk, "message"),
      url: textAt(risk, "url"),
    }),
    unknown: textAt(condition, "reason") === "PreflightPartial",
  };
}

function parseCheck(check: Json): ParsedCheck {
  const hasFindings = at(check, "findings") !== undefined;
  return {
    ...defined({
      id: textAt(check, "id"),
      outcome: OUTCOMES.find((one) => one === textAt(check, "outcome")),
      findings: hasFindings ? listAt(check, "findings").map(parseFinding) : undefined,
      omittedFindings: numberAt(check, "omittedFindings"),
    }),
    message: textAt(check, "message") ?? "",
    risks: textsAt(check, "risks"),
    isLeftOut: textAt(check, "reason") === "LeftOut",
    isAcceptedLeftOut: textAt(check, "accepted", "reason") !== undefined,
    unknowns: listAt(check, "unknowns").map((unknown) => ({
      ...defined({ where: textAt(unknown, "where") }),
      reason: textAt(unknown, "reason") ?? "",
      message: textAt(unknown, "message") ?? "",
    })),
  };
}

function parseFinding(content: Json): ParsedFinding {
  const text = (key: string): string | undefined => textAt(content, "object", key);
  const [apiVersion = "", kind = "", name = ""] = [text("apiVersion"), text("kind"), text("name")];
  return {
    ...defined({ risk: textAt(content, "risk"), path: textAt(content, "path") }),
    object: { apiVersion, kind, name, ...defined({ namespace: text("namespace") }) },
    content,
  };
}
