import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "../../src/model/json.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { type PreflightProcess, startPreflight } from "../../verify/shared/preflight.ts";
import { type ControllerApi, LEASE, startControllerApi, stealLease } from "../support/controller/controller-api.ts";
import { SETTINGS } from "../support/controller/reconcile.ts";

type Leader = { readonly api: ControllerApi; readonly controller: PreflightProcess };

async function startLeader(t: TestContext, lease: string): Promise<Leader> {
  const api = await startControllerApi();
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  const kubeconfig = join(folder, "kubeconfig");
  const entry = { name: "c" };
  const clusters = [{ ...entry, cluster: { server: api.url } }];
  const contexts = [{ ...entry, context: { cluster: "c", user: "c" } }];
  const config = { "current-context": "c", clusters, contexts, users: [{ ...entry, user: { token: "t" } }] };
  await writeFile(kubeconfig, JSON.stringify(config));
  const flags = ["--image", SETTINGS.runner.image, "--document", join(folder, "v1.json"), "--poll", "300ms"];
  const controller = startPreflight(["controller", "--kubeconfig", kubeconfig, ...flags, "--lease-duration", lease]);
  t.after(async () => {
    controller.kill("SIGKILL");
    await controller.result;
    api.close();
    await rm(folder, { recursive: true });
  });
  await eventually(async () => assert.ok(api.writes.length > 2));
  return { api, controller };
}

async function stop({ controller }: Leader): Promise<void> {
  controller.kill("SIGTERM");
  const { code, err } = await controller.result;
  assert.equal(code, 0, err);
}

describe("the controller's process", { concurrency: true }, () => {
  for (const [lease, seconds] of [
    ["10s", 10],
    ["20s", 20],
  ] as const)
    test(`keeps a lease of ${lease} and writes on`, async (t) => {
      const leader = await startLeader(t, lease);
      const { api, controller } = leader;
      await eventually(async () => assert.ok(api.renewals.length > 4, `${api.renewals.length} renewals`));
      const gaps = api.renewals.slice(1).map((time, i) => time - (api.renewals[i] ?? 0));
      assert.ok(Math.max(...gaps) < (seconds * 1_000 * 2) / 3, gaps.join(", "));
      assert.ok((api.writes.at(-1) ?? 0) > (api.renewals[3] ?? 0), "it writes on");
      assert.doesNotMatch(controller.err(), /RangeError|lost leadership/);
      await stop(leader);
      assert.equal(textAt(api.store.objects.get(LEASE), "spec", "holderIdentity"), "");
    });

  for (const fault of ["refused", "hanging", "broken"] as const)
    test(`writes nothing once its lease may have expired, if the lease is ${fault}`, async (t) => {
      const leader = await startLeader(t, "10s");
      const { api, controller } = leader;
      api.state.lease = fault;
      await eventually(async () => assert.match(controller.err(), /lost leadership/));
      await sleep(3_000);
      const [lastWrite, lastRenewal] = [api.writes.at(-1) ?? 0, api.renewals.at(-1) ?? 0];
      assert.ok(lastWrite < lastRenewal + 10_000 - 3_000, `${lastWrite - lastRenewal} ms after the last renewal`);
      // A request that hangs ends only with the timeout of the connection.
      if (fault === "hanging") return;
      api.state.lease = "served";
      const before = api.writes.length;
      await eventually(async () => assert.ok(api.writes.length > before, "it leads again"));
      await stop(leader);
    });

  test("writes nothing while another controller has its lease", async (t) => {
    const leader = await startLeader(t, "10s");
    const { api, controller } = leader;
    stealLease(api);
    await eventually(async () => assert.match(controller.err(), /another controller is the leader.*another/));
    const before = api.writes.length;
    await sleep(3_000);
    assert.equal(api.writes.length, before);
    assert.match(controller.err(), /lost leadership/);
    await stop(leader);
    assert.equal(textAt(api.store.objects.get(LEASE), "spec", "holderIdentity"), "another");
  });
});
