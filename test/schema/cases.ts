import { strict as assert } from "node:assert";
import { canonical, type Json, type JsonObject } from "../../src/model/json.ts";
import { judge, type Prepared, prepare, type PrepareOptions, type Verdict } from "../../src/schema/judge.ts";

/** The schema of an object whose field `f` has the given one. */
export function around(schema: Json): JsonObject {
  return { type: "object", properties: { f: schema } };
}

export function prepared(schema: JsonObject, options?: PrepareOptions): Prepared {
  const found = prepare(canonical(schema), options);
  return found.kind === "refused" ? assert.fail(found.message) : found;
}

/** The verdict of a frozen object whose field `f` has the value. */
export function verdictOf(schema: Json, value: Json, options?: PrepareOptions): Verdict {
  return judge(prepared(around(schema), options), frozen({ f: value }));
}

/** "Required f.a": the errors as a table writes them. */
export function errorsOf(schema: Json, value: Json, options?: PrepareOptions): readonly string[] {
  return verdictOf(schema, value, options).errors.map(
    (error) => `${error.type.replace("FieldValue", "")} ${error.path}`,
  );
}

/** The value, which nothing can change from now on; of any depth. */
export function frozen<T>(value: T): T {
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== "object" || next === null) continue;
    left.push(...Object.values(Object.freeze(next)));
  }
  return value;
}
