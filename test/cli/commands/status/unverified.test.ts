import assert from "node:assert/strict";
import { test } from "node:test";
import { formatStatusJson } from "../../../../src/cli/commands/request/status.ts";
import { formatStatus } from "../../../../src/cli/commands/request/status-text.ts";
import { clusterVersion, NOW } from "../../../../verify/operator/status-sample.ts";

const SENTENCE = /^The request allows the release image to run without a verified signature\.$/m;

for (const [value, isAllowed] of [
  ["true", true],
  ["false", false],
  [undefined, false],
] as const)
  test(`status for a request with allow-unverified: ${value}`, () => {
    const data = { to: "5.2.0", ...(value === undefined ? {} : { "allow-unverified": value }) };
    const operator = { kind: "absent" } as const;
    const input = {
      controllerPresence: "yes",
      operator,
      now: NOW,
      clusterVersion: clusterVersion(),
      request: { data },
    } as const;
    assert.equal(SENTENCE.test(formatStatus(input)), isAllowed);
    assert.equal(JSON.parse(formatStatusJson(input)).request.allowsUnverified, isAllowed || undefined);
  });
