import type { Finding, Judgement, Unknown } from "../../model/check.ts";
import { formatRef, refOf } from "../../model/resource.ts";
import type { ErrorValue } from "../../schema/cel/index.ts";
import { getListValues, NO_OVERLOAD, buildError, isError, isList, joinErrors } from "../../schema/cel/index.ts";
import type { CompiledCheck } from "../compile/compile.ts";
import { PATH } from "../compile/imitations.ts";
import type { CompiledFinding, CompiledRule } from "../compile/rules.ts";
import { COST_LIMIT, type KeptItem, MEMORY_LIMIT, getKeptObject } from "./reads.ts";
import { findRef } from "../functions/values.ts";
import type { KeptResult } from "./values.ts";
import type { KeptResults } from "./state.ts";
import { type RuleItem, type CheckRun, evaluate, format, report } from "./state.ts";

/** Evaluates every rule. What one can't decide leaves the others as they are. */
export function judge(check: CompiledCheck, state: CheckRun, results: KeptResults): Judgement {
  const reason = findNotApplicable(check, state);
  if (reason !== undefined) return { notApplicable: reason, irrelevantReads: listUnasked(check) };
  // What is found on a cluster that the check may not be about is no fault that is known.
  if (state.missing.size + state.unknowns.length > 0) return buildUnknownJudgement(check, state, results, []);
  const findings = check.findings.flatMap(([risk, rules]) =>
    rules.flatMap((rule) => judgeRule(state, rule, (item) => buildFinding(state, risk, rule, item))),
  );
  const notices = check.notices.flatMap((rule) =>
    judgeRule(state, rule, (item) => format(state, rule.message, rule.names, [...rule.place, "message"], item)),
  );
  const unknowns = check.unknowns.flatMap((rule) =>
    judgeRule(state, rule, (item): Unknown | undefined => {
      const [where, message] = [rule.where, rule.message].map((text) =>
        format(state, text, rule.names, rule.place, item),
      );
      if (where === undefined || message === undefined) return undefined;
      return { reason: rule.reason ?? "NotUnderstood", where, message };
    }),
  );
  return {
    findings: dropDuplicates(findings),
    notices: [...new Set(notices)],
    ...buildUnknownJudgement(check, state, results, unknowns),
  };
}

/** The reads of which no expression asks whether they succeeded: the answer of one that failed could decide otherwise. */
export function listUnasked({ reads, asked }: CompiledCheck): readonly string[] {
  return reads.map(({ key }) => key).filter((key) => !asked.has(key));
}

/** What is not known, and the reads that have nothing to do with it. */
function buildUnknownJudgement(
  check: CompiledCheck,
  state: CheckRun,
  results: KeptResults,
  unknowns: readonly Unknown[],
): Judgement {
  return {
    unknowns: [...unknowns, ...listFaults(results), ...state.unknowns],
    irrelevantReads: listUnasked(check).filter((key) => !state.missing.has(key)),
  };
}

/** The first reason that is true. */
export function findNotApplicable({ notApplicable }: CompiledCheck, state: CheckRun): string | undefined {
  for (const rule of notApplicable) {
    const [reason] = judgeRule(state, rule, () => format(state, rule.reason, rule.names, [...rule.place, "reason"]));
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** What is judged: a rule, or one of findings, which may name the object that it is about. */
type Rule = CompiledRule & Partial<Pick<CompiledFinding, "object">>;

/** What `act` makes of each item for which the rule's condition is true. */
function judgeRule<T>(state: CheckRun, rule: Rule, act: (item?: RuleItem) => T | undefined): readonly T[] {
  const items = rule.forEach === undefined ? [undefined] : listItems(state, rule);
  const all: T[] = [];
  for (const item of items) {
    const made = isTrue(state, rule, item) ? act(item) : undefined;
    if (made !== undefined) all.push(made);
    // What comes after it would only say the same.
    if (state.budget.isSpent()) return endRule(state, rule, all);
  }
  return all;
}

/** The budget's end is told once, before what may be very much. */
function endRule<T>(state: CheckRun, { place }: Rule, all: readonly T[]): readonly T[] {
  if (state.unknowns.some(({ reason }) => reason === "CostLimit")) return all;
  const before = state.unknowns.splice(0);
  report(state, state.budget.left() > 0 ? MEMORY_LIMIT : COST_LIMIT, place);
  for (const one of before) state.unknowns.push(one);
  return all;
}

/** A list that has no value is one item that has none: the condition may still be false. Items that have a fault are reported with the read. */
function listItems(state: CheckRun, { forEach, names }: Rule): readonly RuleItem[] {
  if (forEach === undefined) return [];
  const list = evaluate(state, forEach, names);
  if (isList(list)) return getListValues(list).flatMap((value) => (isError(value) ? [] : [{ value }]));
  return [{ value: isError(list) ? list : buildError("it is no list") }];
}

function isTrue(state: CheckRun, { when, names, place, object }: Rule, item: RuleItem | undefined): boolean {
  const value = when === undefined ? true : evaluate(state, when, names, item);
  const list = item !== undefined && isError(item.value) ? item.value : undefined;
  if (value === false || (value === true && list === undefined)) return value;
  const failure = value === true || isError(value) ? value : buildError("it is neither true nor false");
  const about = item ?? (object && { value: evaluate(state, object, names) });
  report(state, joinFailures(failure, list), [...place, value === true ? "forEach" : "when"], about);
  return false;
}

function joinFailures(failure: ErrorValue | true, list: ErrorValue | undefined): ErrorValue {
  if (failure === true) return list ?? NO_OVERLOAD;
  return list === undefined ? failure : joinErrors(failure, list);
}

/** Of a finding without its texts. */
const FINDING_BYTES = 500;

const NOT_FORMATTED = "(could not be formatted)";

/** A text that can't be formatted leaves the finding as it is. */
function buildFinding(
  state: CheckRun,
  risk: string,
  rule: CompiledFinding,
  item: RuleItem | undefined,
): Finding | undefined {
  const { names, place, object, path, message, detail } = rule;
  const value = object === undefined ? (item?.value ?? null) : evaluate(state, object, names, item);
  const ref = findRef(value);
  if (ref === undefined) {
    report(state, isError(value) ? value : buildError("it names no object"), [...place, "object"], item);
    return undefined;
  }
  const details = detail.flatMap(([name, text]) => {
    const formatted = format(state, text, names, [...place, "detail", name], item) ?? NOT_FORMATTED;
    return formatted === "" ? [] : [[name, formatted] as const];
  });
  state.budget.keep(FINDING_BYTES);
  const where = path && format(state, path, names, [...place, "path"], item);
  return {
    risk,
    object: ref,
    path: where !== undefined && PATH.test(where) ? where || undefined : undefined,
    message: format(state, message, names, [...place, "message"], item) ?? NOT_FORMATTED,
    ...(details.length === 0 ? {} : { detail: Object.fromEntries(details) }),
  };
}

function dropDuplicates(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function listKept(result: KeptResult): readonly KeptItem[] {
  if (result?.kind !== "found") return [];
  return "values" in result ? result.values : [result.value];
}

/** Every object that the expressions of its read could not judge. */
function listFaults(results: KeptResults): readonly Unknown[] {
  return Object.values(results).flatMap((result) => {
    return listKept(result).flatMap((one) =>
      one.fault === undefined ? [] : [{ ...one.fault, where: formatRef(refOf(getKeptObject(one))) }],
    );
  });
}
