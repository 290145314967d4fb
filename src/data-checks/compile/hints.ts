import type { ExpressionFault, Type } from "../../schema/cel/index.ts";
import { typeText } from "../../schema/cel/index.ts";
import type { PlacedFault } from "../format/fault.ts";
import { explainKey, suggestQuoted } from "./key-hints.ts";
import { suggestConstant } from "./constant-hints.ts";
import type { Names } from "./names.ts";
import { findCallName, listTokens, listUnclosed } from "./tokens.ts";
import { findNearestName } from "../../model/text.ts";
import { CALL_NAMES, CHECK_FUNCTIONS, ITEM_MACROS, MACRO_NAMES } from "../functions/table.ts";

/** What is said of a fault, and the part of the text that it marks. */
type Explanation = Required<Pick<PlacedFault, "message" | "span">> & Pick<PlacedFault, "hint">;

/** A fault of an expression in a text. `later`: the variables that are declared after it. */
type FaultyText = {
  readonly text: string;
  readonly fault: ExpressionFault;
  readonly names: Names;
  readonly later: readonly string[];
};

/** Says what an author can do about a fault, and marks the word that is wrong. */
export function explain(faulty: FaultyText): Explanation {
  const { message, start, end } = faulty.fault;
  return (
    explainKey(faulty.text, faulty.fault) ??
    explainName(faulty) ??
    explainField(faulty) ??
    explainFunction(faulty) ??
    explainConstant(faulty) ??
    explainKeys(faulty) ??
    explainCall(faulty) ??
    explainSyntax(faulty) ?? { message, span: { start, end } }
  );
}

function explainName({ text, fault, names, later }: FaultyText): Explanation | undefined {
  const { message, start, end } = fault;
  const name = /^the name (\S+) is not declared$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const own = names.map(([known]) => known).filter((known) => !known.startsWith("@"));
  return (
    explainFunction({ text, fault, names, later }) ??
    explainQualified(text, start) ?? {
      message,
      span: { start, end },
      hint: suggestName(name, own, later),
    }
  );
}

/** A function whose name has a dot. */
function explainQualified(text: string, start: number): Explanation | undefined {
  const called = /^\w+\.\w+(?=\s*\()/.exec(text.slice(start))?.[0] ?? "";
  const known = findNearestName(called, CALL_NAMES) !== undefined;
  return known ? describeUnknown(called, { start, end: start + called.length }) : undefined;
}

/** What other languages call it. */
const CONSTANTS: Readonly<Record<string, string>> = { None: "null", nil: "null", undefined: "null", True: "true" };

const OF_RISKS = ["objects", "objectCount", "details", "fixes"];

function suggestName(name: string, own: readonly string[], later: readonly string[]): string | undefined {
  const quoted = suggestQuoted(name, own);
  if (quoted !== undefined) return quoted;
  if (later.includes(name)) return "it is declared below: move it up";
  if (name === "object") return "object is known in where and index of a read, and in rules with forEach";
  if (OF_RISKS.includes(name) && !own.includes(name))
    return `${name} is known in the message${name === "fixes" ? " and the remediation" : ""} of the risk`;
  const nearest = (Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined) ?? findNearestName(name, own);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  if (own.includes("objects"))
    return "the texts of a risk know source, target, update, objects, objectCount, details and fixes: say this in a finding's message";
  return own.includes("detail")
    ? "a command knows object, path, detail and the update: give the finding a detail with this value"
    : undefined;
}

function explainField({ text, fault }: FaultyText): Explanation | undefined {
  const { message, start, end, of } = fault;
  const field = / no field (\S+)$/.exec(message)?.[1];
  if (field === undefined) return undefined;
  const isLast = text.slice(0, end).endsWith(field);
  return {
    message,
    span: { start: isLast ? end - field.length : start, end },
    hint: suggestField(field, of),
  };
}

/** More are not read by anybody. */
const MOST_NAMED = 12;

function suggestField(field: string, type: Type | undefined): string | undefined {
  const known = [...(type?.fields?.keys() ?? [])];
  const inner = known.find((name) => type?.fields?.get(name)?.type.fields?.has(field) === true);
  if (inner !== undefined) return `did you mean ${inner}.${field}?`;
  const nearest = findNearestName(field, known);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return known.length > 0 && known.length <= MOST_NAMED ? `it has ${known.toSorted().join(", ")}` : undefined;
}

/** What other languages call functions and macros, in small letters. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  any: "exists",
  atob: "base64.decode",
  b64dec: "base64.decode",
  base64: "base64.decode",
  base64decode: "base64.decode",
  some: "exists",
  every: "all",
  count: "filter(...).size",
  default: "orValue",
  groupby: "groupBy",
  pluralize: "plural",
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
function explainFunction({ text, fault }: FaultyText): Explanation | undefined {
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

/** A text that is converted when the expression is compiled. */
function explainConstant({ text, fault }: FaultyText): Explanation | undefined {
  const name = /^(\w+)\(\) can't convert a constant/.exec(fault.message)?.[1];
  const written = listTokens(text, fault).find(({ kind }) => kind === "string");
  if (name === undefined || written === undefined) return undefined;
  const { start, end } = written;
  const said = suggestConstant(name, text.slice(start + 1, end - 1));
  return said && { ...said, span: { start, end } };
}

/** Keys that a list can't be sorted or grouped by. */
function explainKeys({ fault: { message, start, end } }: FaultyText): Explanation | undefined {
  const name = /^@(\w+)AssociatedKeys does not accept /.exec(message)?.[1];
  if (name === undefined) return undefined;
  const hint = name === "groupBy" ? "write string(...) around the key" : "a key is a number, a text or a time";
  return { message: `${name} does not accept this key`, span: { start, end }, hint };
}

/** Arguments that a function or an operator does not accept. */
function explainCall({ text, fault }: FaultyText): Explanation | undefined {
  const [, name = "", types = ""] = /^(\S+) does not accept \((.*)\)$/.exec(fault.message) ?? [];
  if (name === "") return undefined;
  const span = { start: fault.start, end: fault.end };
  const { message } = fault;
  if (!/^[a-z]/i.test(name) || name === "in") return { message, span, hint: suggestOperands(name, types) };
  const called = findCallName(listTokens(text, span));
  const isMethod = called !== undefined && !name.includes(".") && text.slice(0, called.start).trimEnd().endsWith(".");
  const hint = suggestDefault(types) ?? suggestArguments(name, isMethod);
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
  if (types === "string, timestamp" || types === "timestamp, string") return "write timestamp(...) around the text";
  return second === undefined || first === second ? undefined : "both sides need one type: use int(...) or string(...)";
}

/** "optional_type(bool), string" of orValue. */
function suggestDefault(types: string): string | undefined {
  const [, type] = /^optional_type\((\w+)\), \w+$/.exec(types) ?? [];
  return type && `write a default of the value's type, ${type}`;
}

const OF_OPTIONALS = ["orValue", "or", "hasValue", "value", "optMap", "optFlatMap"];

function suggestArguments(name: string, isMethod: boolean): string | undefined {
  if (OF_OPTIONALS.includes(name)) return "only an optional value has it: select with .? or [?...]";
  // Its macro adds the update's minors.
  if (name === "crosses") return 'write a minor, as in crosses("4.19") or crosses("1.35")';
  const overloads = CHECK_FUNCTIONS.find(name) ?? [];
  if (overloads.length > 0 && overloads.every((one) => one.isMethod !== isMethod))
    return isMethod ? `write ${name}(...)` : `write VALUE.${name}(...)`;
  const written = overloads.map((one) => {
    const args = one.args.map(typeText);
    return one.isMethod ? `${args[0] ?? ""}.${name}(${args.slice(1).join(", ")})` : `${name}(${args.join(", ")})`;
  });
  return written.length === 0 || written.length > 3 ? undefined : `it is ${written.join(" or ")}`;
}

/** What cannot be parsed. */
function explainSyntax({ text, fault }: FaultyText): Explanation | undefined {
  const { start, end } = fault;
  const message = fault.message.replace(/ at character \d+$/, "");
  if (message === "the expression is incomplete") {
    const [missing] = listUnclosed(listTokens(text, { start: 0, end: start }));
    return { message, span: { start, end }, hint: missing && `a ${missing} is missing` };
  }
  if (message.includes("is not a valid regular expression")) return explainPattern(text, message, start);
  if (message.startsWith("a text can't hold")) return { message, span: { start, end }, hint: suggestPart(message) };
  if (message.endsWith(" is reserved"))
    return { message, span: { start, end }, hint: "CEL keeps it: use another name" };
  if (message.startsWith("this ${")) return { message, span: { start, end }, hint: "for a literal ${, write $${" };
  if (!message.startsWith("unexpected ")) return undefined;
  return { message, span: { start, end }, hint: suggestSyntax(text, start, text.slice(start, end)) };
}

/** Marks the pattern. */
function explainPattern(text: string, message: string, from: number): Explanation {
  const [pattern = ""] = /^"(?:[^"\\]|\\.)*"/.exec(message) ?? [];
  const start = Math.max(text.indexOf(pattern, from), from);
  const hint = /`\(\?[!<=]/.test(message) ? "RE2 has no look-ahead: write !value.matches(...)" : undefined;
  const short = message.replace("error parsing regexp: ", "");
  return { message: short, span: { start, end: start + pattern.length }, hint };
}

function suggestPart(message: string): string {
  return message.endsWith("double") ? "write int(...)" : "name one of its fields";
}

const WRITTEN: Readonly<Record<string, string>> = {
  "=": "to compare, write ==",
  "&": "write &&",
  "|": "write ||",
  and: "write &&",
  or: "write ||",
  is: "write ==",
  $: "write the expression alone: ${...} belongs into texts",
};

function suggestSyntax(text: string, start: number, word: string): string | undefined {
  if (Object.hasOwn(WRITTEN, word)) return WRITTEN[word];
  if (/\bnot\s+$/.test(text.slice(0, start))) return "for not, write !";
  if (word !== '"' && word !== "'") return undefined;
  const rest = text.slice(start + 1);
  const closed = rest.indexOf(word);
  const inner = closed < 0 ? rest : rest.slice(0, closed);
  return inner.includes("\\") ? "in a text, write each backslash twice" : `the closing ${word} is missing`;
}
