import { type Json, isObject } from "../model/json.ts";
import { errorText } from "../model/errors.ts";
import { buildNode, type Builder } from "./build.ts";
import { RefusedSchema, refuse } from "./keywords.ts";
import type { Prepared, Refused } from "./node.ts";

export type PrepareOptions = {
  /** The target's Kubernetes version, "1.33.4": int32, int64 and float ranges count from 1.36 on, formats of names from 1.34 on. Absent: the newest. */
  readonly kubernetes?: string;
  /** Of the CRD: unknown fields are then kept. */
  readonly preserveUnknownFields?: boolean;
};

/** The longest schema that is read, in UTF-16 units; etcd's own bound is a tenth of it. */
const LONGEST = 16 * 1024 * 1024;
const NEWEST_MINOR = 99;
const RANGES_SINCE = 36;

/** Reads a schema, as CrdVersion holds it, into what objects are judged by. Never throws for what the schema says. */
export function prepare(schemaText: string, options: PrepareOptions = {}): Prepared | Refused {
  try {
    return prepareOrThrow(schemaText, options);
  } catch (error) {
    if (error instanceof RefusedSchema) return { kind: "refused", message: error.message };
    throw error;
  }
}

function prepareOrThrow(schemaText: string, options: PrepareOptions): Prepared {
  const minor = minorOf(options.kubernetes);
  const builder: Builder = { minor, patterns: new Map(), rules: [], programs: new Map(), nodes: 0 };
  const schema = parse(schemaText);
  if (!isObject(schema)) return refuse("", "is not an object");
  const root = buildNode({ schema, where: "" }, { level: "root", depth: 0, location: "", typesAllowed: true }, builder);
  return {
    kind: "prepared",
    root,
    rules: builder.rules,
    prunes: options.preserveUnknownFields !== true,
    ranges: minor >= RANGES_SINCE,
  };
}

function minorOf(kubernetes: string | undefined): number {
  const found = /^v?1\.(\d{1,3})/.exec(kubernetes ?? "");
  return found ? Number(found[1]) : NEWEST_MINOR;
}

function parse(schemaText: string): Json {
  if (schemaText === "") return refuse("", "is missing");
  if (schemaText.length > LONGEST) return refuse("", `is longer than ${LONGEST} characters`);
  try {
    const value: Json = JSON.parse(schemaText);
    return value;
  } catch (error) {
    return refuse("", `is no JSON: ${errorText(error)}`);
  }
}
