import { getEscapedSign } from "../../cel/index.ts";
import type { SchemaProps } from "../../openapi/index.ts";

/**
 * A path below a schema, as the API server splits it: ".a['b.c']". `names` are its fields and keys, `text` is what the API server appends
 * to the path of the value.
 */
export type ParsedFieldPath =
  | {
      readonly kind: "valid";
      readonly names: readonly string[];
      readonly text: string;
      readonly schema: SchemaProps | undefined;
    }
  | { readonly kind: "invalid"; readonly reason: string };

/** A dot and a name, which may be quoted or a single sign; or a name in quotes and brackets. */
const STEP = /\.('(?:[^'\\]|\\[^])*'|'[^]*$|[.[\]]|[^.[\]]+)|\['((?:[^'\\]|\\[^])*)'\]/y;

function invalid(reason: string): ParsedFieldPath {
  return { kind: "invalid", reason };
}

/** `brackets`: are names in brackets and quotes allowed? */
export function parseFieldPath(path: string, root: SchemaProps, brackets: boolean): ParsedFieldPath {
  const names: string[] = [];
  let text = "";
  let schema: SchemaProps | undefined = root;
  for (let place = 0; place < path.length; place = STEP.lastIndex) {
    STEP.lastIndex = place;
    const [, plain, quoted] = STEP.exec(path) ?? [];
    const name = quoted !== undefined && brackets ? unquote(quoted) : plain;
    if (name === undefined) return invalid("is not made of names with dots before them");
    const isNamed: boolean = schema !== undefined && schema.properties.size > 0;
    const child: SchemaProps | undefined = isNamed ? schema?.properties.get(name) : schema?.additional?.schema;
    if (isNamed ? child === undefined : schema?.additional === undefined) {
      return invalid("leads to no field of the schema");
    }
    schema = child;
    names.push(name);
    text = isNamed ? `${text === "" ? "" : `${text}.`}${name}` : `${text}[${name}]`;
  }
  return { kind: "valid", names, text, schema };
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
