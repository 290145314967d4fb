import { findNearestName } from "../../model/nearest-name.ts";
import type { Type } from "../../schema/cel/index.ts";
import type { Explanation, FaultyText } from "./explanation.ts";
import type { Names } from "./names.ts";
import { listTokens } from "./tokens.ts";

export function explainField({ text, fault, names }: FaultyText): Explanation | undefined {
  const { message, start, end } = fault;
  const field = / no field (\S+)$/.exec(message)?.[1];
  if (field === undefined) return undefined;
  const isLast = text.slice(0, end).endsWith(field);
  const type = findOperandType(text, { start, end }, names);
  return {
    message,
    span: { start: isLast ? end - field.length : start, end },
    hint: suggestField(field, type),
  };
}

/** The type of what the last name of "a.b.c" is selected from. */
function findOperandType(text: string, span: Explanation["span"], names: Names): Type | undefined {
  const [first, ...others] = listTokens(text, span)
    .filter(({ kind }) => kind !== ".")
    .slice(0, -1);
  const declared = new Map(names).get(first?.text ?? "");
  return others.reduce<Type | undefined>((type, { text: name }) => type?.fields?.get(name)?.type, declared);
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
