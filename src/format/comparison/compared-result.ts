import { FURTHER_RISKS } from "../../model/document.ts";
import type { JsonObject } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { COMPLETENESS_NOT_STATED, describeFuture } from "../../model/result-limits.ts";
import {
  type ParsedCheck,
  type ParsedFinding,
  type ParsedResult,
  type ParsedRisk,
  parseResult,
} from "../document/result-parser.ts";

/** One result beside another: a document, or what `check -o json` printed. */
export type ComparedResult = Identity & {
  /** How the user names it: a file, or "stdin". */
  readonly label: string;
  /** Why there are no results, if the cycle has not completed. */
  readonly failure?: string;
  /** Why nothing relies on its time; absent if that can be right. */
  readonly timeProblem?: string;
  /** What it did not see, in sentences; empty if that is nothing, or accepted. */
  readonly gaps: readonly string[];
  /** Without a list of checks, only `complete` says that a risk which is not named was looked for. */
  readonly hasChecks: boolean;
  readonly minorsBetween: readonly string[];
  /** By name, without those of incomplete checks. */
  readonly risks: ReadonlyMap<string, ComparedRisk>;
  readonly checks: ReadonlyMap<string, ComparedCheck>;
};

type Identity = Pick<ParsedResult, "sourceVersion" | "targetVersion" | "clusterId" | "observedAt" | "complete">;

export type ComparedRisk = Pick<ParsedRisk, "effect" | "leadTime"> & {
  readonly name: string;
  readonly check?: string;
  readonly message: string;
  /** Undefined if the result does not say what is accepted. */
  readonly isAccepted?: boolean;
  /** Each object with its place; undefined if the result does not name all of them. */
  readonly objects?: ReadonlySet<string>;
};

export type ComparedCheck = Pick<ParsedCheck, "message" | "isLeftOut"> & {
  readonly id: string;
  readonly outcome: OutcomeKind;
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
  const result = parseResult(value);
  const { status, sourceVersion, targetVersion, clusterId, observedAt, complete, minorsBetween } = result;
  const identity = { label, ...defined({ sourceVersion, targetVersion, clusterId, observedAt, complete }) };
  // What a failed run repeats of an earlier one is not its own result.
  if (status !== "completed") return { ...identity, ...NO_RESULTS, failure: describeFailure(result) };
  const isAccepted = createAcceptedTest(result, accept);
  const checks = buildChecks(result, isAccepted);
  return {
    ...identity,
    ...defined({ timeProblem: describeFuture(result, now) }),
    gaps: listGaps(result, checks, isAccepted),
    hasChecks: checks.size > 0,
    minorsBetween,
    risks: buildRisks(result, isAccepted),
    checks,
  };
}

const NO_RESULTS = { gaps: [], hasChecks: false, minorsBetween: [], risks: new Map(), checks: new Map() } as const;

function describeFailure({ status, failure }: ParsedResult): string {
  return status === "running" ? "the first cycle is still running" : (failure.message ?? "the last cycle failed");
}

type AcceptedTest = (name: string) => boolean | undefined;

/** Undefined for a risk of a document, which does not say what is accepted: only `check -o json` does. */
function createAcceptedTest({ accepted }: ParsedResult, accept: readonly string[]): AcceptedTest {
  const names = new Set([...(accepted ?? []), ...accept]);
  return (name) => names.has(name) || (accepted === undefined ? undefined : false);
}

function buildChecks(result: ParsedResult, isAccepted: AcceptedTest): ReadonlyMap<string, ComparedCheck> {
  const partial = new Set(result.risks.flatMap(({ unknown, name }) => (unknown ? name : undefined) ?? []));
  const checks = new Map<string, ComparedCheck>();
  for (const check of result.checks) {
    const { id = "", outcome = "unknown", message, isLeftOut } = check;
    const unknownRisk = check.risks.find((name) => partial.has(name));
    const hasAccepted = unknownRisk !== undefined && isAccepted(unknownRisk) === true;
    checks.set(id, {
      id,
      outcome,
      causes: listCauses(check),
      message,
      isLeftOut,
      ...defined({ unknownRisk }),
      isAccepted: hasAccepted || check.isAcceptedLeftOut,
    });
  }
  return checks;
}

/** What was not seen and is not accepted; a sentence if the result names nothing. */
function listGaps(
  { complete, risks }: ParsedResult,
  checks: ReadonlyMap<string, ComparedCheck>,
  isAccepted: AcceptedTest,
): readonly string[] {
  if (complete === true) return [];
  if (complete === undefined) return [COMPLETENESS_NOT_STATED];
  const unknown = [...checks.values()].filter(({ outcome }) => outcome === "unknown");
  const ofChecks = new Set(unknown.map(({ unknownRisk }) => unknownRisk));
  const others = risks.filter((risk) => risk.unknown && !ofChecks.has(risk.name)).flatMap(({ name }) => name ?? []);
  if (unknown.length + others.length === 0)
    return ["The result says that not every check could complete, and names none that could not."];
  const open = [
    ...unknown.filter((check) => !check.isAccepted).map(({ id }) => id),
    ...others.filter((name) => isAccepted(name) !== true),
  ];
  return open.length === 0 ? [] : [`The result has no verdict of ${joinNames(open)}.`];
}

/** `-o json` lists each cause, a document their joined text. */
function listCauses({ message, unknowns }: ParsedCheck): readonly Cause[] {
  if (unknowns.length === 0) return message === "" ? [] : [{ text: message }];
  return unknowns.map(({ where: place = "", reason, message: text }) => ({
    place,
    text: `${place}: ${text || reason}`,
  }));
}

/** The risks of the list, and those that only their checks name because the document had no room for them. */
function buildRisks({ risks, checks }: ParsedResult, isAccepted: AcceptedTest): ReadonlyMap<string, ComparedRisk> {
  const names = new Set(risks.map(({ name }) => name));
  const omitted = checks.flatMap((check) =>
    check.risks.filter((name) => !names.has(name) && !isUnknownName(name, check)).map((name) => ({ name })),
  );
  const compared = [...risks.filter(({ unknown }) => !unknown), ...omitted].flatMap((risk) => {
    const { name } = risk;
    return name === undefined || name === FURTHER_RISKS ? [] : [buildRisk({ ...risk, name }, checks, isAccepted)];
  });
  return new Map(compared.map((risk) => [risk.name, risk]));
}

/** Without the risk itself, the name tells that it reports an incomplete check. */
function isUnknownName(name: string, { outcome }: ParsedCheck): boolean {
  return outcome === "unknown" && name.endsWith("Unknown");
}

function buildRisk(
  { name, message = "", effect, leadTime }: Partial<ParsedRisk> & { readonly name: string },
  checks: readonly ParsedCheck[],
  isAccepted: AcceptedTest,
): ComparedRisk {
  const check = checks.find(({ risks }) => risks.includes(name));
  return {
    name,
    message,
    ...defined({
      check: check?.id,
      effect,
      leadTime,
      isAccepted: isAccepted(name),
      objects: check && listObjects(check, name),
    }),
  };
}

function listObjects(
  { findings = [], omittedFindings = 0 }: ParsedCheck,
  name: string,
): ReadonlySet<string> | undefined {
  const own = findings.filter(({ risk }) => risk === name);
  return own.length === 0 || omittedFindings > 0 ? undefined : new Set(own.map(formatPlace));
}

/** "Node a" or "Deployment shop/web (spec.replicas)". */
function formatPlace({ object: { kind, namespace, name }, path }: ParsedFinding): string {
  const object = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  return path === undefined ? object : `${object} (${path})`;
}
