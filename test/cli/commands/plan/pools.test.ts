import assert from "node:assert/strict";
import { test } from "node:test";
import { readPausablePools } from "../../../../src/cli/commands/plan/cluster-plan.ts";
import { fakeReader } from "../../../../verify/api-server/fake-reader.ts";
import { object } from "../../../support/fixtures.ts";

const POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools";

test("only names that an API server allows are pools to pause: they end in commands to copy", async () => {
  const names = ["worker", "master", "infra-0", "$(reboot)", "a b", "a\u202eb", "-A", "'", ""];
  const pools = names.map((name) => object("machineconfiguration.openshift.io/v1", "MachineConfigPool", name));
  const reader = fakeReader({ [POOLS]: pools });
  assert.deepEqual(await readPausablePools(reader, new AbortController().signal), ["infra-0", "worker"]);
});
