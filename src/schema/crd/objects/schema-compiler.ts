import type { ScalePaths } from "../../../model/crd.ts";
import { MAX_DEPTH, type Json, decodeJson, isDeeperThan, isObject } from "../../../model/json.ts";
import { formatError } from "../../../model/errors.ts";
import type { SchemaProps, SchemaRule, StructuralSchema } from "../../openapi/index.ts";
import { startReport, decodeSchema, findStructuralFault, NEWEST_MINOR, hasFeature } from "../../openapi/index.ts";
import { type SchemaBuilder, InvalidSchemaError, rejectSchema, ROOT, buildStructuralSchema } from "./schema-builder.ts";
import type { Program } from "../rules/rule-program.ts";

/** A schema that objects can be validated against. It is immutable and large: drop it when the kind is done. */
export type CompiledSchema = {
  readonly kind: "prepared";
  readonly root: StructuralSchema;
  /** By rule, transition rules included. */
  readonly programs: ReadonlyMap<SchemaRule, Program>;
  /** Does a rule look at the value that is replaced? */
  readonly hasTransitionRules: boolean;
  readonly isPruning: boolean;
  /** Are int32, int64 and float ranges enforced? */
  readonly hasNumberRanges: boolean;
  readonly scale?: ScalePaths;
  /** Is status written through a subresource of its own, so that new objects have none? */
  readonly hasStatus: boolean;
  /** May an object without its status, as new ones are, be refused or accepted for that reason? */
  readonly looksAtStatus: boolean;
  /** Does server-side apply replace every object as a whole? */
  readonly isAtomic: boolean;
};

/** A schema that no API server accepts, or that exceeds our limits; the message says where. */
export type InvalidSchema = { readonly kind: "refused"; readonly message: string };

export type CompileOptions = {
  /** The API server is of Kubernetes 1 and this minor; the newest if absent. */
  readonly kubernetesMinor?: number;
  /** The CRD's field of this name: if true, unknown fields are kept. */
  readonly preserveUnknownFields?: boolean;
  /** The version has a status subresource. */
  readonly hasStatus?: boolean;
  /** The version's scale subresource. */
  readonly scale?: ScalePaths | undefined;
  /** Absent: the schema is refused if it has a type that does not exist. */
  readonly allowsUnknownTypes?: boolean;
};

/** The longest accepted schema in UTF-16 units; etcd's limit is a tenth of it. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Compiles a schema as CrdVersion holds it. Never throws because of the schema's content. */
export function compileSchema(schemaText: string, options: CompileOptions = {}): CompiledSchema | InvalidSchema {
  return catchInvalid(() => build(parseSchema(schemaText, options.kubernetesMinor), options));
}

/** Compiles a schema that is known to be structural. */
export function compileProps(props: SchemaProps, options: CompileOptions = {}): CompiledSchema | InvalidSchema {
  return catchInvalid(() => build(props, options));
}

function catchInvalid(compile: () => CompiledSchema): CompiledSchema | InvalidSchema {
  try {
    return compile();
  } catch (error) {
    if (error instanceof InvalidSchemaError) return { kind: "refused", message: error.message };
    throw error;
  }
}

function build(props: SchemaProps, options: CompileOptions): CompiledSchema {
  const kubernetesMinor = options.kubernetesMinor ?? NEWEST_MINOR;
  const builder: SchemaBuilder = {
    kubernetesMinor,
    allowsUnknownTypes: options.allowsUnknownTypes === true,
    patterns: new Map(),
    programs: new Map(),
    programCache: new Map(),
    schemaCount: 0,
  };
  const root = buildStructuralSchema(props, ROOT, builder);
  return {
    kind: "prepared",
    root,
    programs: builder.programs,
    hasTransitionRules: [...builder.programs.keys()].some(({ usesOldSelf }) => usesOldSelf !== "no"),
    isPruning: options.preserveUnknownFields !== true,
    hasNumberRanges: hasFeature("numberRanges", kubernetesMinor),
    hasStatus: options.hasStatus === true,
    looksAtStatus: options.hasStatus === true && looksAtStatus(root),
    isAtomic: props.mapType === "atomic",
    ...(options.scale ? { scale: options.scale } : {}),
  };
}

/** API servers accept nothing else at the root that counts fields or compares them, if there is a status subresource. */
function looksAtStatus({ required, rules }: StructuralSchema): boolean {
  return required.includes("status") || rules.some(({ rule }) => rule.includes("status"));
}

function parseSchema(schemaText: string, minor?: number): SchemaProps {
  const raw = parseJson(schemaText);
  if (!isObject(raw)) return rejectSchema("", "is not an object");
  if (isDeeperThan(raw, MAX_DEPTH)) return rejectSchema("", `is nested deeper than ${MAX_DEPTH} values`);
  const place = startReport(minor);
  const props = decodeSchema(raw, place);
  const [first] = place.report.refusals;
  const fault = first === undefined ? findStructuralFault(props, place.minor) : ([first.path, first.reason] as const);
  return fault === undefined ? props : rejectSchema(...fault);
}

function parseJson(schemaText: string): Json {
  if (schemaText === "") return rejectSchema("", "is missing");
  if (schemaText.length > MAX_LENGTH) return rejectSchema("", `is longer than ${MAX_LENGTH} characters`);
  try {
    return decodeJson(schemaText);
  } catch (error) {
    return rejectSchema("", `is not valid JSON: ${formatError(error)}`);
  }
}
