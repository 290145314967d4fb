import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { textAt } from "../../src/model/json.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { type PreflightProcess, startPreflight } from "../../verify/shared/preflight.ts";
import { type ControllerApi, LEASE, startControllerApi, stealLease } from "../support/controller/controller-api.ts";
import { writeKubeconfig } from "../support/controller/kubeconfig.ts";
import { SETTINGS } from "../support/controller/reconcile.ts";

type Leader = { readonly api: ControllerApi; readonly controller: PreflightProcess };

async function startLeader(t: TestContext, lease: string): Promise<Leader> {
  const api = await startControllerApi();
  const { folder, path, remove } = await writeKubeconfig(api.url);
  const flags = ["--image", SETTINGS.runner.image, "--document", join(folder, "v1.json"), "--poll", "300ms"];
  const controller = startPreflight(["controller", "--kubeconfig", path, ...flags, "--lease-duration", lease]);
  t.after(async () => {
    controller.kill("SIGKILL");
    await controller.result;
    api.close();
    await remove();
  });
  await eventually(async () => assert.ok(api.writes.length > 2));
  return { api, controller };
}

async function stop({ controller }: Leader): Promise<void> {
  controller.kill("SIGTERM");
  const { code, err } = await controller.result;
  assert.equal(code, 0, err);
}

/** By then, whatever it sent before has arrived. */
async function waitForLeaseRequests({ state }: ControllerApi, count: number): Promise<void> {
  const before = state.leaseRequests;
  await eventually(async () => assert.ok(state.leaseRequests >= before + count, `${state.leaseRequests - before}`));
}

/** What the process sent before its line on stderr is in the kernel's buffers, and is received before these requests. */
async function waitForEarlierRequests({ url }: ControllerApi): Promise<void> {
  for (let i = 0; i < 3; i += 1) await (await fetch(url)).text();
}

/** When it renews and how soon it stops to write is judged in virtual time, in controller-lease.test.ts. */
describe("the controller's process", { concurrency: true }, () => {
  for (const lease of ["20s", "25s"])
    test(`keeps a lease of ${lease} and writes on`, async (t) => {
      const leader = await startLeader(t, lease);
      const { api, controller } = leader;
      await eventually(async () => assert.ok(api.renewals.length > 4, `${api.renewals.length} renewals`));
      await eventually(async () => assert.ok((api.writes.at(-1) ?? 0) > (api.renewals[3] ?? 0), "it writes on"));
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
      if (fault === "hanging") await waitForEarlierRequests(api);
      else await waitForLeaseRequests(api, 1);
      const before = api.writes.length;
      // A request that hangs ends only with the timeout of the connection, or with the process.
      if (fault === "hanging") await stop(leader);
      else await waitForLeaseRequests(api, 2);
      assert.equal(api.writes.length, before);
      if (fault === "hanging") return;
      api.state.lease = "served";
      await eventually(async () => assert.ok(api.writes.length > before, "it leads again"));
      await stop(leader);
    });

  test("writes nothing while another controller has its lease", async (t) => {
    const leader = await startLeader(t, "10s");
    const { api, controller } = leader;
    stealLease(api);
    await eventually(async () => assert.match(controller.err(), /another controller is the leader.*another/));
    const before = api.writes.length;
    await eventually(async () => assert.match(controller.err(), /lost leadership/));
    // It reads the lease again and again.
    await waitForLeaseRequests(api, 2);
    assert.equal(api.writes.length, before);
    await stop(leader);
    assert.equal(textAt(api.store.objects.get(LEASE), "spec", "holderIdentity"), "another");
  });
});
