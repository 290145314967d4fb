import assert from "node:assert/strict";
import { test } from "node:test";
import { findMissingRights, isGrant } from "../../src/format/view/unknown-section.ts";
import { buildContext, type Finding } from "../../src/model/check.ts";
import { buildCheckResult, reportLeftOut } from "../../src/runner/report/build-report.ts";
import { checkWith, release, version } from "../support/fixtures.ts";

const CONTEXT = buildContext(version("4.19.3"), release("4.20.1"), new Date("2026-01-02T03:04:05Z"));
const ORIGIN = { kind: "site", file: "checks/csi.yaml" } as const;
const CHECK = checkWith({
  id: "site-csi",
  name: "SiteCsi",
  origin: ORIGIN,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  risks: [
    {
      name: "SiteDriverOld",
      effect: "stuck",
      title: "The driver is old",
      url: "https://wiki.example.com/csi",
      describe: (objects) => `The driver of ${objects} is old.`,
      remediation: "Update it.",
    },
  ],
});
const FINDING: Finding = {
  risk: "SiteDriverOld",
  object: { apiVersion: "v1", kind: "Node", name: "a" },
  message: "It is old.",
};
const REFUSED = {
  reason: "Forbidden",
  where: "drivers.example.com",
  message: 'User "ci" cannot list resource "drivers" in API group "example.com" at the cluster scope',
} as const;

test("every risk of an administrator's check begins with the file that it is from", () => {
  const outcome = { kind: "unknown", findings: [FINDING], unknowns: [REFUSED], notices: [] } as const;
  const { report, risks } = buildCheckResult(CHECK, { outcome }, { context: CONTEXT });
  assert.deepEqual(report.origin, ORIGIN);
  const [unknown, found] = risks;
  assert.equal(
    found?.message,
    "From the administrator's check checks/csi.yaml: The driver of Node a is old. Update it.",
  );
  assert.equal(unknown?.name, "SiteCsiUnknown");
  assert.match(
    unknown?.message ?? "",
    /^From the administrator's check checks\/csi\.yaml: The check .* drivers\.example\.com \(.*\) could not be checked\. Grant the rights that "preflight rbac --checks checks\/csi\.yaml" prints, /,
  );
});

test("the command that grants an account's rights names the files of the checks that lack them", () => {
  const other = checkWith({ id: "nodes" });
  const outcome = { kind: "unknown", findings: [], unknowns: [REFUSED], notices: [] } as const;
  const results = [CHECK, other].map((check) => buildCheckResult(check, { outcome }, { context: CONTEXT }));
  const report = { target: CONTEXT.target, checks: results.map((result) => result.report) };
  const find = (...checks: readonly string[]) => findMissingRights([{ unknown: REFUSED, checks }], report).users[0];
  assert.equal(
    find("site-csi", "nodes")?.command,
    "preflight rbac --checks checks/csi.yaml --bind-to ci | oc apply -f -",
  );
  assert.equal(find("nodes")?.command, "preflight rbac --bind-to ci | oc apply -f -");
  for (const { risks } of results) assert.equal(isGrant(risks[0]?.remediation ?? ""), true);
});

test("a check that was left out keeps its origin", () => {
  assert.deepEqual(reportLeftOut({ check: CHECK, by: "--skip" }, CONTEXT).origin, ORIGIN);
});
