import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, type Unknown } from "../../src/model/check.ts";
import { isGrant } from "../../src/format/missing-rights.ts";
import { formatRemedies } from "../../src/runner/remedies.ts";
import { release, version } from "../support/fixtures.ts";

test("a remedy that says more than to grant rights is no grant", () => {
  for (const platform of ["openshift", "kubernetes"] as const) {
    const context = buildContext(version("1.35.2"), release("1.36.0"), new Date(0), platform);
    const format = (...reasons: readonly Unknown["reason"][]): string =>
      formatRemedies(
        reasons.map((reason) => ({ reason, where: "pods", message: "" })),
        context,
      );
    assert.equal(isGrant(format("Forbidden")), true);
    assert.equal(isGrant(format("Forbidden", "StaleStatus")), false);
    assert.equal(isGrant(format("StaleStatus")), false);
  }
});
