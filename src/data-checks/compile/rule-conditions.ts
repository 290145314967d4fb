import {
  type CelValue,
  type CompiledExpression,
  type Type,
  DYN,
  buildMissing,
  evaluateExpression,
  getListValues,
  isList,
} from "../../schema/cel/index.ts";
import type { CheckDefinition } from "../format/definition.ts";
import { type DocumentPlace, type PlacedFault, buildPlacedError } from "../format/fault.ts";
import type { CompiledCheck } from "./compile.ts";
import { CONSTANT_LIMITS } from "./constants.ts";
import type { Names } from "./names.ts";
import type { CompiledRule } from "./rules.ts";

/** The variables that no cluster decides, and their values. */
type Constants = ReadonlyMap<string, CelValue>;

const NOTHING_TO_REPORT = "this check can report nothing, so it would always be clear";

/** Of a check whose expressions have no faults: what keeps it from ever reporting something, which would look as if all was well. */
export function findSilentRules({ spec }: CheckDefinition, check: CompiledCheck): readonly PlacedFault[] {
  const { risks = [], notices = [], unknowns = [] } = spec;
  if (risks.length + notices.length + unknowns.length === 0)
    return [
      { ...buildPlacedError(["spec"], NOTHING_TO_REPORT, "add risks, notices or unknowns below it"), isKey: true },
    ];
  const known = listConstants(check);
  return [
    ...check.reads.flatMap((read) => judgeRead(read, check.firstNames)),
    ...check.notApplicable.flatMap((rule) => judgeReason(rule, known)),
    ...check.findings.flatMap(([, rules]) => rules.flatMap((rule) => judgeRule(rule, "finding", known))),
    ...check.notices.flatMap((rule) => judgeRule(rule, "notice", known)),
    ...check.unknowns.flatMap((rule) => judgeRule(rule, "unknown", known)),
  ];
}

function listConstants({ variables }: CompiledCheck): Constants {
  const known = new Map<string, CelValue>();
  for (const { name, names, code } of variables) {
    const value = isShort(code.type) ? findConstant(code, names, known) : undefined;
    if (value !== undefined) known.set(name, value);
  }
  return known;
}

/** Values that can't be made larger and larger by one variable after the other. */
function isShort({ kind }: Type): boolean {
  return kind === "bool" || kind === "int";
}

/** The value of an expression if it is the same whatever is read: what it does not know, it does not need. */
function findConstant(code: CompiledExpression, names: Names, known: Constants): CelValue | undefined {
  const values = names.map(([name]) => known.get(name) ?? buildMissing(name));
  const result = evaluateExpression(code, values, CONSTANT_LIMITS);
  return result.kind === "value" ? result.value : undefined;
}

const NOTHING: Constants = new Map();

function judgeRead({ key, where, when }: CompiledCheck["reads"][number], firstNames: Names): readonly PlacedFault[] {
  if (key.startsWith("@")) return [];
  const judge = (field: string, code: CompiledExpression | undefined, names: Names, effect: string) =>
    judgeCondition(["spec", "reads", key, field], code && findConstant(code, names, NOTHING), effect);
  return [
    ...judge("where", where, [["object", DYN]], "no object is kept"),
    ...judge("when", when, firstNames, "nothing is read"),
  ];
}

function judgeReason({ place, when, names }: CompiledCheck["notApplicable"][number], known: Constants) {
  const value = findConstant(when, names, known);
  if (typeof value !== "boolean") return [];
  const message = value
    ? "this is always true, so the check never judges anything"
    : "this is always false, so the reason never comes";
  return [buildPlacedError([...place, "when"], message, "compare a value of the cluster, or leave it out")];
}

function judgeRule(
  { place, forEach, when, names }: CompiledRule,
  what: string,
  known: Constants,
): readonly PlacedFault[] {
  const list = forEach && findConstant(forEach, names.slice(0, -1), known);
  if (list !== undefined && isList(list) && getListValues(list).length === 0)
    return [buildPlacedError([...place, "forEach"], `this list is always empty, so the ${what} never comes`, COMPARE)];
  // Written down for each item, it says what it means.
  if (forEach !== undefined && when?.syntax.op === "literal" && when.syntax.value === true) return [];
  return judgeCondition([...place, "when"], when && findConstant(when, names, known), `the ${what} never comes`);
}

const COMPARE = "go through what a read found";

function judgeCondition(place: DocumentPlace, value: CelValue | undefined, effect: string): readonly PlacedFault[] {
  if (value === true)
    return [{ severity: "warning", place, message: "this is always true", hint: `leave ${String(place.at(-1))} out` }];
  if (value !== false) return [];
  return [buildPlacedError(place, `this is always false, so ${effect}`, "compare a value of the cluster")];
}
