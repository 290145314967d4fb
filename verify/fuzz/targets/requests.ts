import assert from "node:assert/strict";
import { buildHistoryConfigMap, parseHistory } from "../../../src/lift/preflight-result.ts";
import {
  buildRequestEdit,
  getWindowPhase,
  parseRequest,
  parseNodeSelector,
  parseTolerations,
} from "../../../src/lift/objects/preflight-request.ts";
import { parseObject } from "../../../src/model/json.ts";
import {
  parseSignatureConfigMap,
  parseSignatureTrust,
} from "../../../src/release/image/signature/signature-config-maps.ts";
import type { FuzzTarget } from "../target.ts";

const ENTRY = {
  preflightID: "a",
  source: "4.18.1",
  target: "4.19.3",
  observedAt: "2026-01-01T00:00:00Z",
  risks: ["A"],
};
const REQUEST = {
  metadata: { name: "preflight-request", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
  data: {
    to: "4.19.3",
    "not-before": "2026-01-02T03:04:05Z",
    until: "2026-01-03T03:04:05Z",
    "requested-at": "2026-01-01T00:00:00Z",
    "node-selector": "a=b,c=d",
    tolerations: "a=b:NoSchedule,c:NoExecute",
    "check-timeout": "1m30s",
    skip: "nodes",
  },
};
const TRUST = { data: { "verifier-public-key-a": "x", "store-a": "https://example.com/store" } };
const DIGEST = `sha256:${"a".repeat(64)}`;
const SIGNATURES = { binaryData: { [`sha256-${"a".repeat(64)}-1`]: "YQ==" }, metadata: { name: "a" } };
const NOW = new Date("2026-11-20T00:00:00Z");

/** ConfigMaps that people write. A request and a history are the same once written and read again. */
export const target: FuzzTarget = {
  seeds: [
    REQUEST,
    buildHistoryConfigMap(parseHistory({ data: { history: JSON.stringify([ENTRY]) } })),
    TRUST,
    SIGNATURES,
  ]
    .map((object) => JSON.stringify(object))
    .concat(JSON.stringify({ data: { history: JSON.stringify([ENTRY]) } })),
  run: (input) => {
    const configMap = parseObject(input.toString("utf8"));
    const history = parseHistory(configMap);
    assert.deepEqual(parseHistory(buildHistoryConfigMap(history)), history);
    if (configMap === undefined) return;
    parseSignatureTrust(configMap);
    parseSignatureConfigMap(configMap, DIGEST);
    const parsed = parseRequest(configMap);
    if (parsed.kind !== "request") return;
    const { request } = parsed;
    getWindowPhase(request, NOW);
    if (request.runner?.["node-selector"] !== undefined) parseNodeSelector(request.runner["node-selector"]);
    if (request.runner?.tolerations !== undefined) parseTolerations(request.runner.tolerations);
    const edit = buildRequestEdit(undefined, request);
    assert.equal(edit.kind, "create");
    const present = edit.kind === "create" ? edit.object : undefined;
    const again = parseRequest(present);
    assert.ok(again.kind === "request" && buildRequestEdit(present, again.request).kind === "unchanged");
  },
};
