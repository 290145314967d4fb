import assert from "node:assert/strict";
import { test } from "node:test";
import { readRequestEnd } from "../../../../src/cli/commands/run/work-end.ts";
import { REQUEST } from "../../../../src/controller/api/api-paths.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { type FakeResponse, fakeReader } from "../../../../verify/api-server/fake-reader.ts";
import { object, VERSION_PATH } from "../../../support/fixtures.ts";

const PRESENT = object("v1", "ConfigMap", "preflight-request");
const ABSENT: FakeResponse = { kind: "absent", what: "object" };
const FORBIDDEN: FakeResponse = { kind: "failed", reason: "Forbidden", message: "forbidden" };

function clusterWith(state: string, desiredUpdate: JsonObject = {}): JsonObject {
  const status = { history: [{ state, version: "5.0.3" }] };
  return object("config.openshift.io/v1", "ClusterVersion", "version", { spec: { desiredUpdate }, status });
}

const PROPOSED = { annotations: { "agentic.openshift.io/propose-update": "5.1.2" } };

function withMetadata(metadata: JsonObject, state = "Completed"): JsonObject {
  return { ...clusterWith(state), metadata: { name: "version", ...metadata } };
}

for (const [what, clusterVersion, request, isEnded, warnings, usesAnnotation = false] of [
  ["that is requested", clusterWith("Completed"), PRESENT, false, 0],
  ["that is cancelled", clusterWith("Completed"), ABSENT, true, 0],
  ["that an update has overtaken", clusterWith("Partial"), PRESENT, true, 0],
  ["that somebody requests by mode", clusterWith("Completed", { mode: "Preflight" }), ABSENT, false, 0],
  ["whose request can't be read", clusterWith("Completed"), FORBIDDEN, false, 1],
  ["whose cluster can't be read", FORBIDDEN, ABSENT, false, 1],
  ["that an annotation requests, which counts", withMetadata(PROPOSED), ABSENT, false, 0, true],
  ["that an annotation requests, which does not count", withMetadata(PROPOSED), ABSENT, true, 0, false],
  ["whose annotation is gone", clusterWith("Completed"), ABSENT, true, 0, true],
  [
    "that an annotation requests, and an update has overtaken",
    withMetadata(PROPOSED, "Partial"),
    ABSENT,
    true,
    0,
    true,
  ],
  ["of an API server without ConfigMaps", clusterWith("Completed"), { kind: "absent", what: "resource" }, false, 0],
] as const)
  test(`a preflight ${what} ${isEnded ? "has ended" : "goes on"}`, async () => {
    const reader = fakeReader({ [VERSION_PATH]: clusterVersion, [REQUEST]: request });
    let warned = 0;
    const result = await readRequestEnd(
      reader,
      { warn: () => (warned += 1), usesAnnotation },
      new AbortController().signal,
    );
    assert.deepEqual([result, warned], [isEnded, warnings]);
  });
