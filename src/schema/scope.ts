import type { Json } from "../model/json.ts";
import type { Node } from "./node.ts";
import { type Path, dottedText } from "./path.ts";
import { type ErrorType, type Errors, addError } from "./verdict.ts";

/** Validates a field or an item in another way than `validate` does; the path leads to it already. */
export type Below = (node: Node, value: Json, step: string | number, scope: Scope) => void;

/** Where a validation is, where its errors go, whether ranges of formats count, and how it goes on below where that differs. */
export type Scope = {
  readonly path: Path;
  readonly errors: Errors;
  readonly ranges: boolean;
  readonly below?: Below | undefined;
};

/** Adds an error at the present place, or at a field of it. */
export function fail(scope: Scope, type: ErrorType, message: string, field?: string): void {
  const path = dottedText(field === undefined ? scope.path : [...scope.path, field]);
  addError(scope.errors, { type, path, message });
}
