import assert from "node:assert/strict";
import { checks } from "../../../src/checks/index.ts";
import { getReads } from "../../../src/cli/checks/cluster-role.ts";
import { isObject, type Json, parseObject } from "../../../src/model/json.ts";
import { parseResource } from "../../../src/model/resource.ts";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import { selectKeptFields } from "../../../src/cluster/recorded/kept-fields.ts";
import { redact } from "../../../src/cluster/recorded/redact.ts";
import { readJsonSeed } from "../seeds.ts";
import { writeScratch } from "../scratch.ts";
import type { FuzzTarget } from "../target.ts";

const KEPT = checks.flatMap(getReads).flatMap(({ annotations = [] }) => annotations);
const SIGNAL = new AbortController().signal;
const RESOURCES = ["v1/nodes", "config.openshift.io/v1/clusterversions", "apps/v1/deployments"].map(parseResource);
const DEMO: Json = readJsonSeed("demo/cluster.json");
const SEEDS = Object.entries(isObject(DEMO) ? DEMO : {}).map(([path, value]) => JSON.stringify({ [path]: value }));

/** A recording is read or refused, and what was redacted once stays the same when it is redacted again. */
export const target: FuzzTarget = {
  seeds: [
    ...SEEDS.filter((text) => text.length < 8000),
    '{"/api/v1/nodes":{"error":{"reason":"Forbidden","message":"m"}}}',
  ],
  maxBytes: 8192,
  run: async (input) => {
    for (const value of Object.values(parseObject(input.toString("utf8")) ?? {}))
      if (isObject(value)) requireStable(value);
    const reader = await createRecordedReader(writeScratch("cluster.json", input));
    for (const resource of RESOURCES) {
      await reader.list(resource, () => () => undefined, SIGNAL);
      await reader.get({ resource, name: "version" }, SIGNAL);
    }
    await reader.raw("/version", () => () => true, SIGNAL);
  },
};

function requireStable(object: Parameters<typeof redact>[0]): void {
  const redacted = redact(selectKeptFields(object), KEPT);
  assert.deepEqual(redact(redacted, KEPT), redacted);
}
