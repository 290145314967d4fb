import { type Json, isObject } from "../model/json.ts";
import { formatError } from "../model/errors.ts";
import { buildStructuralSchema, type SchemaBuilder } from "./schema-builder.ts";
import { InvalidSchemaError, rejectSchema } from "./json-schema.ts";
import type { Program } from "./rules/rule-program.ts";
import type { SchemaRule, StructuralSchema } from "./structural/structural-schema.ts";

/** A schema that objects can be validated against. It is immutable and large: drop it when the kind is done. */
export type CompiledSchema = {
  readonly kind: "prepared";
  readonly root: StructuralSchema;
  /** Every rule that is not a transition rule. */
  readonly rules: readonly SchemaRule[];
  /** Including those of transition rules. */
  readonly programs: ReadonlyMap<SchemaRule, Program>;
  readonly isPruning: boolean;
  /** Are int32, int64 and float ranges enforced? */
  readonly hasNumberRanges: boolean;
};

/** A schema that no API server accepts, or that exceeds our limits; the message says where. */
export type InvalidSchema = { readonly kind: "refused"; readonly message: string };

export type CompileOptions = {
  /** The target's Kubernetes version, "1.33.4". Ranges of int32, int64 and float are enforced since 1.36, formats of names since 1.34. Absent: the newest. */
  readonly kubernetesVersion?: string;
  /** The CRD's field of this name: if true, unknown fields are kept. */
  readonly preserveUnknownFields?: boolean;
  /** Absent: the schema is refused if it has a type that does not exist. */
  readonly allowsUnknownTypes?: boolean;
};

/** The longest accepted schema in UTF-16 units; etcd's limit is a tenth of it. */
const MAX_LENGTH = 16 * 1024 * 1024;
const NEWEST_MINOR = 99;
const NUMBER_RANGES_SINCE_MINOR = 36;

/** Compiles a schema as CrdVersion holds it. Never throws because of the schema's content. */
export function compileSchema(schemaText: string, options: CompileOptions = {}): CompiledSchema | InvalidSchema {
  try {
    return compileOrThrow(schemaText, options);
  } catch (error) {
    if (error instanceof InvalidSchemaError) return { kind: "refused", message: error.message };
    throw error;
  }
}

function compileOrThrow(schemaText: string, options: CompileOptions): CompiledSchema {
  const kubernetesMinor = minorOf(options.kubernetesVersion);
  const builder: SchemaBuilder = {
    kubernetesMinor,
    allowsUnknownTypes: options.allowsUnknownTypes === true,
    patterns: new Map(),
    rules: [],
    programs: new Map(),
    programCache: new Map(),
    schemaCount: 0,
  };
  const keywords = parseJson(schemaText);
  if (!isObject(keywords)) return rejectSchema("", "is not an object");
  const root = buildStructuralSchema(
    { keywords, path: "" },
    { level: "root", depth: 0, location: "", canNameTypes: true },
    builder,
  );
  return {
    kind: "prepared",
    root,
    rules: builder.rules,
    programs: builder.programs,
    isPruning: options.preserveUnknownFields !== true,
    hasNumberRanges: kubernetesMinor >= NUMBER_RANGES_SINCE_MINOR,
  };
}

function minorOf(kubernetes: string | undefined): number {
  const match = /^v?1\.(\d{1,3})/.exec(kubernetes ?? "");
  return match ? Number(match[1]) : NEWEST_MINOR;
}

function parseJson(schemaText: string): Json {
  if (schemaText === "") return rejectSchema("", "is missing");
  if (schemaText.length > MAX_LENGTH) return rejectSchema("", `is longer than ${MAX_LENGTH} characters`);
  try {
    const value: Json = JSON.parse(schemaText);
    return value;
  } catch (error) {
    return rejectSchema("", `is not valid JSON: ${formatError(error)}`);
  }
}
