import { findNearestName } from "../../model/nearest-name.ts";
import { typeText } from "../../schema/cel/index.ts";
import { CALL_NAMES, CHECK_FUNCTIONS, ITEM_MACROS, MACRO_NAMES } from "../functions/table.ts";
import type { Explanation, FaultyText } from "./explanation.ts";
import { findCallName, listTokens } from "./tokens.ts";

/** What other languages call functions and macros, in small letters. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  any: "exists",
  some: "exists",
  every: "all",
  count: "filter(...).size",
  default: "orValue",
  hasprefix: "startsWith",
  hassuffix: "endsWith",
  includes: "contains",
  len: "size",
  length: "size",
  lower: "lowerAscii",
  match: "matches",
  semver: "version",
  sprintf: "format",
  str: "string",
  test: "matches",
  tolower: "lowerAscii",
  tolowercase: "lowerAscii",
  tostring: "string",
  toupper: "upperAscii",
  touppercase: "upperAscii",
  upper: "upperAscii",
};

/** A function that does not exist: also a macro whose variable is then an unknown name. */
export function explainFunction({ text, fault }: FaultyText): Explanation | undefined {
  const name = /^there is no function (\S+)/.exec(fault.message)?.[1];
  if (name === undefined) return explainMacro(text, fault);
  const found = new RegExp(`\\b${name.replaceAll(".", "\\.")}\\s*\\(`).exec(text.slice(fault.start, fault.end));
  const start = fault.start + (found?.index ?? 0);
  const span = found === null ? fault : { start, end: start + name.length };
  return MACRO_NAMES.includes(name) ? describeMisused(name, span) : describeUnknown(name, span);
}

/** A macro is one only with arguments of the right number and kind. */
function describeMisused(name: string, { start, end }: Explanation["span"]): Explanation {
  const span = { start, end };
  if (ITEM_MACROS.includes(name))
    return { message: `${name} needs a name for each item`, span, hint: `write ${name}(item, ...)` };
  return { message: `${name} does not accept these arguments`, span };
}

function describeUnknown(name: string, { start, end }: Explanation["span"]): Explanation {
  const known = name.toLowerCase();
  const nearest = Object.hasOwn(ELSEWHERE, known) ? ELSEWHERE[known] : findNearestName(name, CALL_NAMES);
  const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
  return { message: `there is no function ${name}`, span: { start, end }, hint };
}

/** The unknown name may be the variable of a macro that is misspelt, or that lacks it. */
function explainMacro(text: string, { start, message }: FaultyText["fault"]): Explanation | undefined {
  const variable = /^the name (\S+) is not declared$/.exec(message)?.[1];
  const called = /\.\s*([A-Za-z_]\w*)\s*\(\s*$/.exec(text.slice(0, start));
  const [whole = "", name = ""] = called ?? [];
  if (variable === undefined || called === null) return undefined;
  const at = called.index + whole.indexOf(name);
  const span = { start: at, end: at + name.length };
  if (MACRO_NAMES.includes(name))
    return { message: `${name} needs a name for each item`, span, hint: `write ${name}(${variable}, ...)` };
  return CHECK_FUNCTIONS.find(name) === undefined ? describeUnknown(name, span) : undefined;
}

/** Arguments that a function or an operator does not accept. */
export function explainCall({ text, fault }: FaultyText): Explanation | undefined {
  const [, name = "", types = ""] = /^(\S+) does not accept \((.*)\)$/.exec(fault.message) ?? [];
  if (name === "") return undefined;
  const span = { start: fault.start, end: fault.end };
  const { message } = fault;
  if (!/^[a-z]/i.test(name) || name === "in") return { message, span, hint: suggestOperands(name, types) };
  const called = findCallName(listTokens(text, span));
  const isMethod = called !== undefined && !name.includes(".") && text.slice(0, called.start).trimEnd().endsWith(".");
  const hint = suggestArguments(name, isMethod);
  return {
    message,
    span: called === undefined ? span : { start: called.start, end: called.end },
    hint,
  };
}

function suggestOperands(operator: string, types: string): string | undefined {
  if (["&&", "||", "!", "?:"].includes(operator)) return 'it needs a condition: compare the value, as in value == "a"';
  if (types.includes("optional_type")) return "the value may be absent: write .orValue(...) behind it";
  if (types.split(", ").includes("object")) return "name one of its fields, as in target.minor";
  const [first, second] = types.split(", ");
  return second === undefined || first === second ? undefined : "both sides need one type: use int(...) or string(...)";
}

const OF_OPTIONALS = ["orValue", "or", "hasValue", "value", "optMap", "optFlatMap"];

function suggestArguments(name: string, isMethod: boolean): string | undefined {
  if (OF_OPTIONALS.includes(name)) return "only an optional value has it: select with .? or [?...]";
  // Its macro adds the update's minors.
  if (name === "crosses") return 'write a minor, as in crosses("4.19")';
  const overloads = CHECK_FUNCTIONS.find(name) ?? [];
  if (overloads.length > 0 && overloads.every((one) => one.isMethod !== isMethod))
    return isMethod ? `write ${name}(...)` : `write VALUE.${name}(...)`;
  const written = overloads.map((one) => {
    const args = one.args.map(typeText);
    return one.isMethod ? `${args[0] ?? ""}.${name}(${args.slice(1).join(", ")})` : `${name}(${args.join(", ")})`;
  });
  return written.length === 0 || written.length > 3 ? undefined : `it is ${written.join(" or ")}`;
}
