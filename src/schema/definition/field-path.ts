import { getEscapedSign } from "../cel/syntax/literals.ts";
import type { SchemaProps } from "./schema-props.ts";

/**
 * A path below a schema, as the API server splits it: ".a['b.c']". `names` are its fields and keys, `text` is what the API server appends
 * to the path of the value.
 */
export type FieldPath =
  | {
      readonly kind: "valid";
      readonly names: readonly string[];
      readonly text: string;
      readonly schema: SchemaProps | undefined;
    }
  | { readonly kind: "invalid"; readonly reason: string };

const TOKEN = /'(?:[^'\\]|\\[^])*'|[.[\]]|[^.[\]']+|'[^]*$/y;

function splitTokens(path: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < path.length) {
    const start = TOKEN.lastIndex;
    let token = TOKEN.exec(path)?.[0] ?? path.slice(start);
    // A quote within a name is part of it.
    if (!/^[.[\]']/.test(token)) token = /^[^.[\]]+/.exec(path.slice(start))?.[0] ?? token;
    tokens.push(token);
    TOKEN.lastIndex = start + token.length;
  }
  return tokens;
}

function invalid(reason: string): FieldPath {
  return { kind: "invalid", reason };
}

/** `brackets`: are names in brackets and quotes allowed? */
export function parseFieldPath(path: string, root: SchemaProps, brackets: boolean): FieldPath {
  const tokens = splitTokens(path);
  const names: string[] = [];
  let text = "";
  let schema: SchemaProps | undefined = root;
  for (let i = 0; i < tokens.length; i++) {
    const mark = tokens[i];
    const name = mark === "." ? tokens[++i] : mark === "[" && brackets ? quotedName(tokens, i) : undefined;
    if (name === undefined) return invalid("is not made of names with dots before them");
    if (mark === "[") i += 2;
    if (schema === undefined || (schema.properties.size === 0 && schema.additional === undefined)) {
      return invalid("leads to no field of the schema");
    }
    const isNamed: boolean = schema.properties.size > 0;
    const child: SchemaProps | undefined = isNamed ? schema.properties.get(name) : schema.additional?.schema;
    if (isNamed && child === undefined) return invalid("leads to no field of the schema");
    schema = child;
    names.push(name);
    text = isNamed ? `${text === "" ? "" : `${text}.`}${name}` : `${text}[${name}]`;
  }
  return { kind: "valid", names, text, schema };
}

/** The name in "['name']" at an index; undefined if there is none. */
function quotedName(tokens: readonly string[], place: number): string | undefined {
  const [quoted = "", close] = tokens.slice(place + 1, place + 3);
  if (close !== "]" || quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) return undefined;
  return unquote(quoted.slice(1, -1));
}

/** A name between quotes with its escapes resolved; undefined if an escape is unknown. */
function unquote(text: string): string | undefined {
  let isGood = true;
  const plain = text.replaceAll(/\\(.)/gs, (_, sign: string) => {
    const meant = sign === "'" || sign === "\\" ? sign : getEscapedSign(sign);
    if (meant === undefined) isGood = false;
    return meant ?? "";
  });
  return isGood ? plain : undefined;
}
