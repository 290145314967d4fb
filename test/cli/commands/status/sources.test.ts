import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatusInput } from "../../../../src/cli/commands/request/status-facts.ts";
import { formatStatusJson } from "../../../../src/cli/commands/request/status.ts";
import { formatStatus } from "../../../../src/cli/commands/request/status-text.ts";
import { buildResultConfigMap } from "../../../../src/lift/preflight-result.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import {
  buildSampleDocument,
  clusterVersion,
  conditional,
  foreign,
  liftSample,
  NOW,
  risk,
} from "../../../../verify/operator/status-sample.ts";

const OBJECTS = "PodDisruptionBudgets shop/checkout and shop/search allow no eviction.";
const DOCUMENT = buildSampleDocument([{ ...risk("A"), message: OBJECTS }]);

/** As the operator makes a risk of an alert that fires: its summary is the message. */
function buildAlertRisk(name: string): JsonObject {
  return {
    name,
    message: "Preflight of 5.0.3 -> 5.2.0: A budget allows no eviction.",
    url: "https://example.com/runbook",
    matchingRules: [{ type: "Always" }],
    conditions: [
      {
        type: "Applies",
        status: "True",
        reason: "Alert:firing",
        message: "Generic.",
        lastTransitionTime: "2026-02-28T00:00:00Z",
      },
    ],
  };
}

/** A running operator shows these risks of 5.2.0, and the controller has published the document. */
function buildInput(listed: readonly JsonObject[], document = DOCUMENT): StatusInput {
  const update = conditional("5.2.0", listed, { status: "False", reason: "MultipleReasons", message: "Many." });
  const object = clusterVersion(listed.length > 0 ? { available: [], conditional: [update], union: listed } : {});
  return {
    clusterVersion: object,
    controllerPresence: "yes",
    operator: { kind: "running", holder: "cvo", canServeMode: false },
    now: NOW,
    document: { kind: "valid", document },
    result: buildResultConfigMap(liftSample({ clusterVersion: object, document }), document),
  };
}

/** "A document and alert: its message" of each risk. */
function listSources(input: StatusInput): readonly string[] {
  const { result } = JSON.parse(formatStatusJson(input));
  return result.risks.map(
    ({ name, message, source, sources }: Record<"name" | "message" | "source", string> & { sources: string[] }) =>
      `${name}, ${source}: ${sources.join(" and ")}: ${message}`,
  );
}

const FOUND = `5.0.3 -> 5.2.0: ${OBJECTS}`;

test("a risk that an alert brought to ClusterVersion keeps the document's message, and says both sources", () => {
  const input = buildInput([buildAlertRisk("A")]);
  assert.deepEqual(listSources(input), [`A, preflight: document and alert: ${FOUND}`]);
  const text = formatStatus(input);
  assert.match(text, /^ {2}A {6}True {6}no {9}2026-02-01T00:00:00Z {3}document and alert$/m);
  assert.match(text, /^A:\n\n {2}Message: 5\.0\.3 -> 5\.2\.0: PodDisruptionBudgets shop\/checkout and shop\/search/m);
  assert.doesNotMatch(text, /A budget allows no eviction/);
});

test("a risk that only the document or only an alert has says so", () => {
  assert.deepEqual(listSources(buildInput([])), [`A, preflight: document: ${FOUND}`]);
  assert.deepEqual(listSources(buildInput([buildAlertRisk("B")])), [
    `A, preflight: document: ${FOUND}`,
    "B, other: alert: Preflight of 5.0.3 -> 5.2.0: A budget allows no eviction.",
  ]);
  const runnerAlert = { ...buildAlertRisk("PreflightRunnerStale"), message: "No result is current." };
  assert.deepEqual(listSources(buildInput([runnerAlert], buildSampleDocument([]))), [
    "PreflightRunnerStale, other: alert: No result is current.",
  ]);
});

test("another source's risk of the same name is shown beside the document's, and accepted with it", () => {
  const input = buildInput([foreign("A")]);
  assert.deepEqual(listSources(input), [`A, preflight: document: ${FOUND}`, "A, other: other: A hurts."]);
  assert.match(formatStatus(input), /^Not accepted: A$/m);
});
