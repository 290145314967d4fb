import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, type Unknown } from "../../../src/model/check.ts";
import { findMissingRights, isGrant } from "../../../src/format/view/unknown-section.ts";
import { formatUngranted } from "../../../src/model/unknown-reason.ts";
import { formatRemedies } from "../../../src/runner/report/risks.ts";
import { release, version } from "../../support/fixtures.ts";

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

test("no command grants what no role has", () => {
  const refusal = 'User "ci" cannot list resource "widgets" in API group "example.com" at the cluster scope';
  const find = (message: string) => {
    const cause = { unknown: { reason: "Forbidden", where: "widgets.example.com", message }, checks: ["a"] } as const;
    const { users, others } = findMissingRights([cause], { target: version("4.20.3"), checks: [] });
    return [users.length, others.length];
  };
  assert.deepEqual([refusal, formatUngranted(refusal)].map(find), [
    [1, 0],
    [0, 1],
  ]);
});

test("no command grants rights to a user whose name can't be written in it", () => {
  const refuse = (user: string): number => {
    const message = `User ${user} cannot list resource "pods" in API group "" at the cluster scope`;
    const cause = { unknown: { reason: "Forbidden", where: "pods", message }, checks: ["a"] } as const;
    return findMissingRights([cause], { target: version("4.20.3"), checks: [] }).users.length;
  };
  assert.equal(refuse('"system:serviceaccount:a:b"'), 1);
  // As Go quotes them, and as outputs show them.
  for (const user of [String.raw`"a\u202eb"`, String.raw`"a\"b"`, '"aU+202Eb"']) assert.equal(refuse(user), 0, user);
});
