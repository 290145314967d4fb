import { escapeName } from "../values/escaping.ts";
import type { Span } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { substitute } from "./assign.ts";
import { type TypeCheck, fits } from "./type-check.ts";
import { DYN, type Type, isDynOrError, optionalType, typeText, unwrapped, type ValueType } from "../types/types.ts";

/** A field of an optional value is optional, and so is one that is selected as optional. */
export function fieldType(at: Span, operand: Type, field: string, isOptional: boolean, check: TypeCheck): Type {
  const known = substitute(check.mapping, operand, false);
  const inner = unwrapped(known);
  const result = plainFieldType(at, inner ?? known, field, check);
  return inner || isOptional ? optionalType(result) : result;
}

function plainFieldType(at: Span, type: Type, field: string, check: TypeCheck): Type {
  if (type.kind === "map") return type.parameters[1] ?? DYN;
  if (type.kind === "struct") {
    const found = type.fields?.get(field) ?? keywordField(type, field);
    if (found) return found.type;
    throw new CompileError(`there is no field ${field}`, at);
  }
  if (type.kind === "parameter") {
    fits(check, [DYN], [type]);
    return DYN;
  }
  if (isDynOrError(type)) return DYN;
  throw new CompileError(`a value of type ${typeText(type)} has no field ${field}`, at);
}

/** A field whose name is a keyword can also be selected without escaping. */
function keywordField({ fields }: Type, field: string): ValueType | undefined {
  const name = `__${field}__`;
  return escapeName(field) === name ? fields?.get(name) : undefined;
}
