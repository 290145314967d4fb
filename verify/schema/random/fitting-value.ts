import { type Json, type JsonObject, formatCanonicalJson } from "../../../src/model/json.ts";
import { type CompiledSchema, compileSchema, validateObject } from "../../../src/schema/crd/index.ts";
import { wrapSchema } from "../cel/cases.ts";
import { ORACLE_MINOR } from "../../differential/oracle.ts";

/** Compiled schemas of places, since generators ask for the same ones again and again. */
const COMPILED = new WeakMap<JsonObject, CompiledSchema | "refused">();

function compile(schema: JsonObject): CompiledSchema | "refused" {
  const known = COMPILED.get(schema);
  if (known) return known;
  const compiled = compileSchema(formatCanonicalJson(wrapSchema(schema)), { kubernetesMinor: ORACLE_MINOR });
  const result = compiled.kind === "refused" ? "refused" : compiled;
  COMPILED.set(schema, result);
  return result;
}

/** Is the value probably valid? Our own verdict is good enough where a wrong one only costs variety. */
export function isFitting(schema: JsonObject, value: Json): boolean {
  const compiled = compile(schema);
  if (compiled === "refused") return false;
  const { errors, prunedPaths } = validateObject(compiled, { f: value });
  return errors.length === 0 && prunedPaths.length === 0;
}
