import assert from "node:assert/strict";
import { test } from "node:test";
import platform from "../../src/checks/platform/check.ts";
import { buildContext } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";

const CONTEXT = buildContext(version("1.31.5"), release("1.32.2"), new Date(0), "kubernetes");

test("covers Kubernetes unless it is MicroShift", () => {
  const judgeGroups = (groups: readonly string[] | undefined) => {
    const read =
      groups === undefined
        ? ({ kind: "absent", what: "object" } as const)
        : ({ kind: "found", value: groups } as const);
    const { unknowns = [], notApplicable } = platform.evaluate({ groups: read }, CONTEXT, {});
    return notApplicable ?? unknowns.map(({ reason }) => reason).join();
  };
  const route = "route.openshift.io";
  const security = "security.openshift.io";
  assert.equal(judgeGroups(undefined), "NotServed");
  assert.equal(judgeGroups([route, security, "apps"]), "PlatformNotCovered");
  assert.equal(judgeGroups([route]), "The API server is not MicroShift's.");
});
