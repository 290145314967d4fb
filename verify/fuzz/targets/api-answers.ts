import assert from "node:assert/strict";
import { isList, isObject, type Json, type JsonObject, parseObject } from "../../../src/model/json.ts";
import { parseErrorResponse } from "../../../src/cluster/access/failures.ts";
import { createLineSplitter } from "../../../src/encoding/line-splitter.ts";
import { findListFailure } from "../../../src/cluster/access/list-evidence.ts";
import { findObjectMismatch } from "../../../src/cluster/access/response-identity.ts";
import { parseGroupVersions, parseKinds } from "../../../src/cluster/live/discovery.ts";
import { createListParser } from "../../../src/cluster/live/list-parser.ts";
import { parseResource } from "../../../src/model/resource.ts";
import { splitChunks } from "../chunks.ts";
import type { FuzzTarget } from "../target.ts";

const PODS = parseResource("v1/pods");
const MAX_BYTES = 1 << 20;
const LIST = {
  apiVersion: "v1",
  kind: "PodList",
  metadata: { continue: "x" },
  items: [{ metadata: { name: 'a\\"]' } }, {}],
};
const GROUPS = { kind: "APIGroupList", groups: [{ name: "apps", versions: [{ groupVersion: "apps/v1" }] }] };
const KINDS = { kind: "APIResourceList", groupVersion: "v1", resources: [{ name: "pods", kind: "Pod" }] };
const STATUS = { kind: "Status", code: 404, message: "m", reason: "NotFound", details: { name: "a", kind: "pods" } };

type Parsed = { readonly items: readonly JsonObject[]; readonly head: JsonObject; readonly isComplete: boolean };

/** A list is the same in whatever pieces it arrives, and the same as JSON.parse makes of it. */
export const target: FuzzTarget = {
  seeds: [LIST, GROUPS, KINDS, STATUS]
    .map((value) => JSON.stringify(value, null, 1))
    .concat('{"items":null,"kind":"PodList"}'),
  run: (input) => {
    const text = input.toString("utf8");
    parseErrorResponse(404, text, "/api");
    parseErrorResponse(500, text, "/api");
    parseGroupVersions(text);
    parseKinds(text, "v1");
    const value = parseObject(text);
    if (value !== undefined) {
      findObjectMismatch({ resource: PODS, name: "a" }, value);
      findListFailure({ subject: "it answers", resource: PODS }, value);
    }
    assert.deepEqual(splitLines([...splitChunks(input)]), splitLines([input]));
    const whole = parse([input]);
    assert.deepEqual(parse([...splitChunks(input)]), whole);
    if (whole === undefined) return;
    if (whole.isComplete && value !== undefined) requireEqual(whole, value);
  },
};

function parse(chunks: readonly Buffer[]): Parsed | undefined {
  const parser = createListParser(MAX_BYTES);
  const items: JsonObject[] = [];
  for (const chunk of chunks) {
    const result = parser.push(chunk);
    if (result.kind !== "items") return undefined;
    items.push(...result.items);
  }
  return { items, head: parser.head(), isComplete: parser.isComplete() };
}

function splitLines(chunks: readonly Buffer[]): readonly string[] | undefined {
  const split = createLineSplitter(MAX_BYTES);
  const lines = [...chunks, undefined].map((chunk) => split(chunk));
  return lines.includes(undefined) ? undefined : lines.flatMap((some) => some ?? []);
}

function requireEqual({ items }: Parsed, value: Readonly<Record<string, Json>>): void {
  const { items: expected } = value;
  if (isList(expected) && expected.every(isObject)) assert.deepEqual(items, expected);
}
