import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cancel, request } from "../../../../src/cli/commands/request/definition.ts";
import { run as runCancel } from "../../../../src/cli/commands/request/cancel.ts";
import { run as runRequest } from "../../../../src/cli/commands/request/request.ts";
import type { Io } from "../../../../src/cli/io/io.ts";
import { parseValues } from "../../../../src/cli/settings/values.ts";
import { parseObject, textAt } from "../../../../src/model/json.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";
import { type ControlPlane, noControlPlane, startCluster } from "../../../../verify/api-server/control-plane.ts";

const COUNT = 30;

describe("requests at the same time", { skip: noControlPlane }, () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startCluster("5.0", "--feature-set", "DevPreviewNoUpgrade");
  });
  after(async () => cluster.down());

  const createIo = (written: string[]): Io => ({
    ...createTestIo(written),
    now: () => new Date(),
    random: Math.random,
  });

  test("are served one after the other, and none of them fails", async () => {
    const written: string[] = [];
    const until = (i: number): string => new Date(Date.UTC(2099, 0, 1 + i)).toISOString();
    const all = Array.from({ length: COUNT }, async (_, i) => {
      const flags = { kubeconfig: cluster.kubeconfig, to: "5.1.2", until: until(i) };
      return runRequest(parseValues(request.settings, [], flags, undefined), createIo(written));
    });
    await Promise.all(all);
    const requested = written.filter((line) => line === "Requested a preflight from 5.0.8 to 5.1.2.\n");
    assert.equal(requested.length, COUNT);
    const words = ["get", "configmap", "-n", "openshift-cluster-version", "preflight-request", "-o", "json"];
    const last = textAt(parseObject(await cluster.kubectl(words)), "data", "until");
    assert.match(last ?? "", /^2099-01-\d\dT00:00:00Z$/);
  });

  test("are cancelled once, and to cancel what is gone already is no failure", async () => {
    const written: string[] = [];
    const values = parseValues(cancel.settings, [], { kubeconfig: cluster.kubeconfig }, undefined);
    const all = Array.from({ length: COUNT }, async () => runCancel(values, createIo(written)));
    await Promise.all(all);
    const lines = written.filter((line) => !line.startsWith("warning"));
    assert.equal(lines.length, COUNT);
    assert.ok(lines.includes("Cancelled the preflight.\n"));
  });
});
