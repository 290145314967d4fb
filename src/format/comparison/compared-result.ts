import { FURTHER_RISKS } from "../../model/document.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { OutcomeKind } from "../../model/report.ts";
import { toVisible } from "../../model/visible-text.ts";
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
  /** Without a list of checks, only `isComplete` says that a risk which is not named was looked for. */
  readonly hasChecks: boolean;
  readonly minorsBetween: readonly string[];
  /** By name, without those of incomplete checks. */
  readonly risks: ReadonlyMap<string, ComparedRisk>;
  readonly checks: ReadonlyMap<string, ComparedCheck>;
};

type Identity = Pick<ParsedResult, "sourceVersion" | "targetVersion" | "clusterId" | "observedAt" | "isComplete">;

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

const FORMAT = "preflight-v1-json";

/**
 * A sentence without a subject if the value is not a result. Unknown keys are ignored; an outcome that is not known is refused.
 * `accept`: names of risks that count as accepted, besides those that the result says are.
 */
export function parseComparedResult(
  value: JsonObject,
  label: string,
  accept: readonly string[] = [],
): ComparedResult | string {
  const visible = toVisible(value);
  const format = textAt(visible, "format");
  if (format !== FORMAT)
    return format === undefined ? `has no format: it is not a ${FORMAT}` : `has the format ${format}, not ${FORMAT}`;
  const result = parseResult(visible);
  const { status, sourceVersion, targetVersion, clusterId, observedAt, isComplete } = result;
  if (status === undefined) return "has no executionStatus";
  const identity = { label, ...defined({ sourceVersion, targetVersion, clusterId, observedAt }), isComplete };
  // What a failed run repeats of an earlier one is not its own result.
  if (status !== "completed") return { ...identity, ...NO_RESULTS, failure: describeFailure(result, status) };
  const isAccepted = createAcceptedTest(result, accept);
  const checks = buildChecks(result, isAccepted);
  if (typeof checks === "string") return checks;
  const { minorsBetween } = result;
  return { ...identity, hasChecks: checks.size > 0, minorsBetween, risks: buildRisks(result, isAccepted), checks };
}

const NO_RESULTS = { hasChecks: false, minorsBetween: [], risks: new Map(), checks: new Map() } as const;

function describeFailure({ failure }: ParsedResult, status: "running" | "failed"): string {
  return status === "running" ? "the first cycle is still running" : (failure.message ?? "the last cycle failed");
}

type AcceptedTest = (name: string) => boolean | undefined;

/** Undefined for a risk of a document, which does not say what is accepted: only `check -o json` does. */
function createAcceptedTest({ accepted }: ParsedResult, accept: readonly string[]): AcceptedTest {
  const names = new Set([...(accepted ?? []), ...accept]);
  return (name) => names.has(name) || (accepted === undefined ? undefined : false);
}

function buildChecks(result: ParsedResult, isAccepted: AcceptedTest): ReadonlyMap<string, ComparedCheck> | string {
  const partial = new Set(result.risks.flatMap(({ unknown, name }) => (unknown ? name : undefined) ?? []));
  const checks = new Map<string, ComparedCheck>();
  for (const check of result.checks) {
    const { id, outcome, message, isLeftOut } = check;
    if (id === undefined) return "has a check without an id";
    if (outcome === undefined)
      return `has an outcome of ${id} that this version does not know: ${check.outcomeText ?? "none"}`;
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
