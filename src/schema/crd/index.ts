// Definitions: whether an API server accepts a CRD, and what a change of its schema means.
export { judgeChanges, judgeDefinition } from "./definition/definition.ts";
export { type SchemaChange, findSchemaChanges } from "./definition/schema-changes.ts";
export type { Refusal, Verdict } from "../openapi/index.ts";

// Objects: a version's schema, and what it makes of a stored object.
export { type CompileOptions, type CompiledSchema, compileSchema } from "./objects/schema-compiler.ts";
export { mayRefuseMore } from "./objects/server-differences.ts";
export {
  type PruneState,
  decodeConverted,
  decodeRequest,
  decodeShown,
  decodeStored,
  newPruneState,
} from "./objects/stored-object.ts";

// Writes: whether an API server accepts an object.
export { type UpdateResult, validateCreate, validateObject, validateUpdate } from "./writes/object-validation.ts";
export { type RequestResult, validateReplacement, validateRequest } from "./writes/request-validation.ts";
export { MAX_APPLY_FAULTS, findConversionFaults } from "./writes/typed-object.ts";
export type { ApplyFault, FieldError, UnevaluatedRule, ValidationResult } from "../openapi/index.ts";
