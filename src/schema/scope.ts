import { type Path, dottedText } from "./path.ts";
import { type ErrorType, type Errors, addError } from "./verdict.ts";

/** Where a validation is, where its errors go, and whether ranges of formats count. */
export type Scope = { readonly path: Path; readonly errors: Errors; readonly ranges: boolean };

/** Adds an error at the present place, or at a field of it. */
export function fail(scope: Scope, type: ErrorType, message: string, field?: string): void {
  const path = dottedText(field === undefined ? scope.path : [...scope.path, field]);
  addError(scope.errors, { type, path, message });
}
