import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RUNNER } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, listAt, numberAt, textAt } from "../../src/model/json.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import { listRefused } from "../support/controller/request-log.ts";
import * as stage from "../../verify/operator/stage.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import type { PodMode } from "../../verify/nodes/pod-mode.ts";
import { nightly } from "../support/cases/sample.ts";

const CHECKING = /Failed=False AsExpected; Running=True Checking/;

describe("what becomes of the runner's pod", { skip: noControlPlane }, () => {
  const { set, begin, beginProcess, says, tells, listWrites, cleanUpWith } = useFaultStage();
  const play = async (mode: PodMode, ...flags: readonly string[]): Promise<void> => {
    begin(...flags);
    set().nodes.setMode(mode);
    await set().command("request", "--to", "5.1.2");
  };
  const recover = async (): Promise<void> => {
    set().nodes.setMode({ kind: "hangs" });
    await says(CHECKING);
  };
  /** Nothing is written while `count` grows by three. */
  const assertQuietWhile = async (count: () => Promise<number>): Promise<void> => {
    const from = await count();
    const writes = (await listWrites()).length;
    await eventually(async () => assert.ok((await count()) >= from + 3));
    assert.deepEqual((await listWrites()).slice(writes), []);
  };
  const countRestarts = async (): Promise<number> => {
    const [pod] = await stage.listPods(set().api);
    return numberAt(pod, "status", "containerStatuses", 0, "restartCount") ?? 0;
  };

  test("an image that can't be pulled is told with its reason, and the kubelet's retries change nothing", async () => {
    await play({ kind: "imagePull" });
    await says(/Failed=True ImagePullFailed; Running=False ImagePullFailed/);
    await tells(/The image \S+@sha256:352e312e32\S+ could not be pulled: .*unauthorized: authentication required/);
    let changes = 0;
    let last = "";
    await assertQuietWhile(async () => {
      const [pod] = await stage.listPods(set().api);
      const reason = textAt(pod, "status", "initContainerStatuses", 0, "state", "waiting", "reason") ?? "";
      if (reason !== last) changes += 1;
      last = reason;
      return changes;
    });
    await recover();
  });

  test("our own image that can't be pulled is told too", { skip: nightly }, async () => {
    await play({ kind: "imagePull", container: "main", message: "manifest unknown" });
    await says(/Failed=True ImagePullFailed/);
    await tells(/The image example\.com\/preflight@\S+ could not be pulled: .*manifest unknown/);
    await recover();
  });

  test("a crash loop is one failure, after which the runner is removed, and a new request brings it back", async () => {
    await play({ kind: "crashLoop", code: 2 }, "--failed-timeout", "15s");
    await says(/Failed=True RunnerCrashed; Running=False RunnerCrashed/);
    await tells(/The container preflight ended with 2: it failed: it is a test/);
    await assertQuietWhile(countRestarts);
    await eventually(async () => assert.equal(await stage.readObject(set().api, RUNNER), undefined));
    await tells(/The preflight was given up at \S+, after it had failed for too long/);
    set().nodes.setMode({ kind: "hangs" });
    await set().command("request", "--to", "5.1.2");
    await says(CHECKING);
  });

  test("an init container that crashes is told as such", { skip: nightly }, async () => {
    await play({ kind: "crashLoop", container: "init", message: "cp: can't stat '/manifests'\n" });
    await says(/Failed=True RunnerCrashed/);
    await tells(/The container target ended with 1: cp: can't stat '\/manifests'/);
    await recover();
  });

  test("a runner without enough memory is one failure, however often it is started", { skip: nightly }, async () => {
    await play({ kind: "outOfMemory" });
    await says(/Failed=True OutOfMemory; Running=False OutOfMemory/);
    await tells(/The container preflight exceeded its memory limit/);
    await assertQuietWhile(countRestarts);
    await recover();
  });

  test("evictions are one failure, however many pods the Deployment makes", { skip: nightly }, async () => {
    await play({ kind: "evicted" });
    await says(/Failed=True OutOfMemory; Running=False OutOfMemory/);
    await tells(/evicted or failed: Evicted: The node was low on resource: memory/);
    const countEvicted = async (): Promise<number> =>
      (await stage.listPods(set().api)).filter((pod) => textAt(pod, "status", "reason") === "Evicted").length;
    await eventually(async () => assert.ok((await countEvicted()) > 1));
    await assertQuietWhile(countEvicted);
    await recover();
  });

  test("a volume that can't be mounted is told with the kubelet's words", { skip: nightly }, async () => {
    await play({ kind: "mountFailure" });
    await says(/Failed=True VolumeUnavailable; Running=False VolumeUnavailable/);
    await tells(/hostPath type check failed/);
    await recover();
  });

  test("on a lost node it is replaced once the node is back", async () => {
    await play({ kind: "hangs" });
    await says(CHECKING);
    await set().nodes.loseNode(stage.NODE);
    cleanUpWith(() => set().nodes.returnNode(stage.NODE));
    await says(/Failed=True Unschedulable; Running=False Unschedulable/);
    await tells(/no node is available: .*node\(s\) had untolerated taint\(s\) \{node\.kubernetes\.io\/unreachable/);
    await set().nodes.returnNode(stage.NODE);
    await says(CHECKING);
  });

  test(
    "on a node that is gone for good it is replaced by one on the controller's next node",
    { skip: nightly },
    async () => {
      const controller = beginProcess();
      set().nodes.setMode({ kind: "hangs" });
      await set().command("request", "--to", "5.1.2");
      await says(CHECKING);
      await set().nodes.loseNode(stage.NODE);
      cleanUpWith(() => set().nodes.returnNode(stage.NODE));
      controller.kill("SIGKILL");
      begin("--node-name", "master-1.demo.example.com");
      await eventually(async () => assert.equal(await stage.readObject(set().api, RUNNER), undefined));
      // As the controller that collects pods does some time after its node was deleted.
      await set().cluster.kubectl(["delete", "pods", ...OF_RUNNER, "--force", "--grace-period=0"]);
      await says(CHECKING);
      const nodes = (await stage.listPods(set().api)).map((pod) => textAt(pod, "spec", "nodeName"));
      assert.deepEqual(nodes, ["master-1.demo.example.com"]);
    },
  );

  test("nothing is refused to the controller, and the pods have the statuses that a kubelet writes", async () => {
    await play({ kind: "crashLoop" });
    await eventually(async () => assert.ok((await countRestarts()) > 0));
    const [pod] = await stage.listPods(set().api);
    assert.deepEqual(listConditionTypes(pod), KUBELET_CONDITIONS);
    assert.deepEqual(await listRefused(set().cluster), []);
  });
});

const OF_RUNNER = ["-n", "openshift-cluster-version", "-l", "app=cluster-version-operator-preflight"];
const KUBELET_CONDITIONS = ["ContainersReady", "Initialized", "PodReadyToStartContainers", "PodScheduled", "Ready"];

function listConditionTypes(pod: JsonObject | undefined): readonly string[] {
  return listAt(pod, "status", "conditions")
    .map((one) => textAt(one, "type") ?? "")
    .toSorted();
}
