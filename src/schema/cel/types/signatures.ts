import { type ServerFeature, isServerFeature } from "../../openapi/index.ts";
import type { Type } from "./types.ts";
import { findNamedType, DYN, listType, mapType, optionalType, parameterType, structType, typeType } from "./types.ts";

/** One signature of a function; `text` tells it from others of the name: "string.(string)". A method's first argument is what it is called on. */
export type Signature = {
  readonly text: string;
  readonly isMethod: boolean;
  readonly parameters: readonly string[];
  readonly args: readonly Type[];
  readonly result: Type;
  /** What it came with, if not with its function. */
  readonly feature: ServerFeature | undefined;
};

/** A signature of the function of this name, and what it came with. */
export type Overload = Signature & { readonly name: string; readonly feature: ServerFeature };

/** The functions that an expression may call, as type-checking knows them. */
export type SignatureTable = { readonly find: (name: string) => readonly Overload[] | undefined };

/** "string.(int) string | list(A).(int) A since optionals": receiver, arguments, result, feature. Capitals are type parameters. */
export function parseSignatures(text: string): readonly Signature[] {
  return text.split(" | ").map(parseSignature);
}

function parseSignature(whole: string): Signature {
  const [text = "", since] = whole.split(" since ");
  const [receiver = "", args = "", result = ""] = /^(?:(.*)\.)?\((.*)\) ([^ ].*)$/.exec(text)?.slice(1) ?? [];
  return {
    text: `${receiver === "" ? "" : `${receiver}.`}(${args})`,
    isMethod: receiver !== "",
    parameters: [...new Set(text.match(/\b[A-Z]\b/g))],
    args: [...parseTypes(receiver), ...parseTypes(args)],
    result: parseType(result)[0],
    feature: since === undefined ? undefined : requireFeature(since),
  };
}

function requireFeature(name: string): ServerFeature {
  if (isServerFeature(name)) return name;
  throw new RangeError(`${name} is not a feature of API servers`);
}

/** "map(K, V)" and what follows it. */
function parseType(text: string): readonly [type: Type, rest: string] {
  const name = /^[\w.]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const parameters: Type[] = [];
  if (rest.startsWith("(")) {
    do {
      const [parameter, after] = parseType(rest.slice(1).trimStart());
      parameters.push(parameter);
      rest = after;
    } while (rest.startsWith(","));
    rest = rest.slice(1);
  }
  return [namedType(name, parameters), rest];
}

function namedType(name: string, [first = DYN, second = DYN]: readonly Type[]): Type {
  switch (name) {
    case "list":
      return listType(first);
    case "map":
      return mapType(first, second);
    case "type":
      return typeType(first);
    case "optional_type":
      return optionalType(first);
    case "dyn":
      return DYN;
    default:
      return /^[A-Z]$/.test(name) ? parameterType(name) : (findNamedType(name) ?? structType(name));
  }
}

function parseTypes(text: string): readonly Type[] {
  if (text === "") return [];
  const [type, rest] = parseType(text);
  return [type, ...parseTypes(rest.replace(/^, /, ""))];
}
