import { FURTHER_RISKS, COMPLETENESS_NOT_STATED, describeFuture } from "../../model/document.ts";
import type { JsonObject } from "../../model/json.ts";
import { joinNames } from "../../model/text.ts";
import { parseResult, type ParsedResult, type ResultCheck } from "../result/result.ts";
import type { Column } from "../result/risk-table.ts";

/** One result beside another: a document, or what `check -o json` printed. Its risks are without those of incomplete checks. */
export type ComparedResult = Omit<ParsedResult, "checks"> &
  Column & {
    /** How the user names it: a file, or "stdin". */
    readonly label: string;
    /** Why there are no results, if the cycle has not completed. */
    readonly whyNone?: string;
    /** Why nothing relies on its time; absent if that can be right. */
    readonly timeProblem?: string;
    /** What it did not see, in sentences; empty if that is nothing, or accepted. */
    readonly gaps: readonly string[];
    /** By id. */
    readonly checks: ReadonlyMap<string, ComparedCheck>;
  };

export type ComparedCheck = ResultCheck & {
  /** What could not be checked and why, or why the check does not apply; of a document, one text for all. */
  readonly causes: readonly Cause[];
  /** The risk that reports it as incomplete, and by whose name that is accepted. */
  readonly unknownRisk?: string;
  /** Whether its being incomplete is accepted: by the risk that reports it, or with a reason because it was left out for good. */
  readonly isAccepted: boolean;
};

/** `place`: what could not be checked, whatever the reason; undefined in a document. */
export type Cause = { readonly place?: string; readonly text: string };

/** `accept`: names of risks that count as accepted, besides those that the result says are. */
export type ComparedOptions = { readonly label: string; readonly accept: readonly string[]; readonly now: Date };

/** Of the value of a result that the reader has taken. Unknown keys are ignored. */
export function buildComparedResult(value: JsonObject, { label, accept, now }: ComparedOptions): ComparedResult {
  const result = parseResult(value, accept);
  // What a failed run repeats of an earlier one is not its own result.
  if (result.status !== "completed") return { ...result, ...NO_RESULTS, label, whyNone: describeFailure(result) };
  const checks = result.checks.map((check) => buildCheck(check, result));
  const found = result.risks.filter(({ unknown, name }) => !unknown && name !== FURTHER_RISKS);
  return {
    ...result,
    label,
    timeProblem: describeFuture(result, now),
    gaps: listGaps(result, checks),
    risks: [...found, ...result.omittedRisks],
    checks: new Map(checks.map((check) => [check.id, check])),
    outcomes: new Map(checks.map(({ id, outcome }) => [id, outcome])),
    // Without a list of checks, only this says that a risk which is not named was looked for.
    otherwise: result.complete === true ? "clear" : "notRun",
  };
}

const NO_RESULTS = {
  gaps: [],
  minorsBetween: [],
  risks: [],
  checks: new Map(),
  outcomes: new Map(),
  otherwise: "notRun",
} as const;

function describeFailure({ status, failure }: ParsedResult): string {
  return status === "running" ? "the first cycle is still running" : (failure.message ?? "the last cycle failed");
}

function buildCheck(check: ResultCheck, { risks }: ParsedResult): ComparedCheck {
  const [reporting] = check.risks.flatMap((name) => risks.find((risk) => risk.unknown && risk.name === name) ?? []);
  return {
    ...check,
    causes: listCauses(check),
    unknownRisk: reporting?.name,
    isAccepted: reporting?.isAccepted === true || check.isAcceptedLeftOut,
  };
}

/** `-o json` lists each cause, a document their joined text. */
function listCauses({ message, unknowns }: ResultCheck): readonly Cause[] {
  if (unknowns.length === 0) return message === "" ? [] : [{ text: message }];
  return unknowns.map(({ where: place = "", reason, message: text }) => ({
    place,
    text: `${place}: ${text || reason}`,
  }));
}

/** What was not seen and is not accepted; a sentence if the result names nothing. */
function listGaps({ complete, risks }: ParsedResult, checks: readonly ComparedCheck[]): readonly string[] {
  if (complete === true) return [];
  if (complete === undefined) return [COMPLETENESS_NOT_STATED];
  const unknown = checks.filter(({ outcome }) => outcome === "unknown");
  const ofChecks = new Set(unknown.map(({ unknownRisk }) => unknownRisk));
  const others = risks.filter((risk) => risk.unknown && !ofChecks.has(risk.name));
  if (unknown.length + others.length === 0)
    return ["The result says that not every check could complete, and names none that could not."];
  const open = [
    ...unknown.filter(({ isAccepted }) => !isAccepted).map(({ id }) => id),
    ...others.filter(({ isAccepted }) => isAccepted !== true).map(({ name }) => name),
  ];
  return open.length === 0 ? [] : [`The result has no verdict of ${joinNames(open)}.`];
}
