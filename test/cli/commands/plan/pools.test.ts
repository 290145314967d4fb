import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../../../src/checks/index.ts";
import { buildAddedRole, buildClusterRole } from "../../../../src/cli/checks/cluster-role.ts";
import { poolsRead, readPausablePools } from "../../../../src/cli/commands/plan/cluster-plan.ts";
import { type FakeResponse, fakeReader } from "../../../../verify/api-server/fake-reader.ts";
import { object } from "../../../support/fixtures.ts";

const POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools";

const readPools = (answer: FakeResponse) =>
  readPausablePools({
    reader: fakeReader({ [POOLS]: answer }),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });

test("only names that an API server allows are pools to pause: they end in commands to copy", async () => {
  const names = ["worker", "master", "infra-0", "$(reboot)", "a b", "a\u202eb", "-A", "'", ""];
  const pools = names.map((name) => object("machineconfiguration.openshift.io/v1", "MachineConfigPool", name));
  assert.deepEqual(await readPools(pools), ["infra-0", "worker"]);
});

test("pools that can't be read are none, and the rights of the checks are enough to read them", async () => {
  assert.deepEqual(await readPools({ kind: "failed", reason: "Forbidden", message: "no" }), []);
  const { rules } = buildAddedRole([], buildClusterRole(checks), "openshift", [poolsRead]);
  assert.deepEqual(rules, []);
});
