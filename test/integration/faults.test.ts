import assert from "node:assert/strict";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { at, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { startOperator } from "../support/controller/fake-operator.ts";
import { createPods } from "../support/controller/pods.ts";
import * as stage from "../support/controller/stage.ts";
import { noControlPlane } from "../support/control-plane.ts";
import { eventually } from "../support/eventually.ts";
import type { PreflightProcess } from "../support/preflight.ts";

const SOON = ["--patience", "1s"];

describe("faults", { skip: noControlPlane }, () => {
  let set: stage.Stage;
  let first: JsonObject;
  let controllers: PreflightProcess[] = [];
  /** Cleans up after a test, whether it passed or not. */
  let afterwards: () => Promise<void> = async () => {};
  before(async () => {
    set = await stage.startStage();
    first = await stage.readClusterVersion(set.api);
  });
  afterEach(async () => {
    await afterwards();
    afterwards = async () => {};
  });
  after(async () => {
    await end();
    await set?.stop();
  });
  beforeEach(async () => {
    await end();
    await set.command("cancel");
    const cleaner = begin();
    await eventually(async () => stage.assertCleared(set.api));
    cleaner.kill("SIGTERM");
    await cleaner.result;
    await rm(dirname(set.document), { recursive: true, force: true });
  });

  function begin(...more: readonly string[]): PreflightProcess {
    const controller = set.controller(...more);
    controllers.push(controller);
    return controller;
  }

  async function end(): Promise<void> {
    for (const controller of controllers) controller.kill("SIGTERM");
    await Promise.all(controllers.map((controller) => controller.result));
    controllers = [];
  }

  const says = async (expected: RegExp): Promise<void> =>
    eventually(async () =>
      assert.match(stage.formatConditions(await stage.readClusterVersion(set.api)).join("; "), expected),
    );

  const held = async (): Promise<string> => textAt(await stage.readObject(set.api, RESULT), "data", "held.json") ?? "";

  /** The document of a whole cycle of the real runner. */
  async function resultOfRunner(): Promise<JsonObject> {
    const kubelet = set.kubelet();
    await set.command("request", "--to", "5.1.2");
    await says(/Completed=True/);
    await kubelet.stop();
    return JSON.parse(await readFile(set.document, "utf8"));
  }

  async function write(document: JsonObject | string): Promise<void> {
    await mkdir(dirname(set.document), { recursive: true });
    await writeFile(`${set.document}.new`, typeof document === "string" ? document : JSON.stringify(document));
    await rename(`${set.document}.new`, set.document);
  }

  test("a dead runner's document goes stale, the result stays and is marked as stale, and the next runner continues", async () => {
    begin(...SOON);
    const kubelet = set.kubelet();
    await set.command("request", "--to", "5.1.2");
    await says(/Completed=True/);
    kubelet.kill();
    const before = await held();
    await says(/Completed=False DocumentStale; Failed=True DocumentStale/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), at(JSON.parse(before), "risks"));
    await kubelet.stop();
    const next = set.kubelet();
    await says(/Completed=True \w+; Failed=False/);
    await next.stop();
  });

  test("garbage, a document of another source, and an old one replace nothing, and each has its own reason", async () => {
    begin(...SOON);
    const document = await resultOfRunner();
    const later = new Date(Date.now() + 60_000).toISOString().replace(/\.\d+/, "");
    const valid: JsonObject = { ...document, validUntil: later };
    await write(valid);
    await says(/Completed=True \w+; Failed=False/);
    const before = at(JSON.parse(await held()), "risks");
    for (const [wrong, expected] of [
      ["{", /Completed=False DocumentInvalid; Failed=True DocumentInvalid/],
      [{ ...valid, sourceVersion: "5.0.1" }, /Completed=False OtherSource/],
      [{ ...valid, observedAt: "2026-01-01T00:00:00Z", risks: [] }, /Completed=False DocumentBeforeRequest/],
      [
        {
          ...valid,
          executionStatus: "failed",
          risks: [],
          failure: { reason: "ClusterUnreachable", message: "no route" },
        },
        /Completed=False CycleFailed; Failed=True CycleFailed/,
      ],
    ] as const) {
      await write(wrong);
      await says(expected);
      assert.deepEqual(at(JSON.parse(await held()), "risks"), before);
    }
    await write(valid);
    await says(/Completed=True \w+; Failed=False/);
  });

  test("a missing or unreadable volume is reported", async () => {
    begin(...SOON);
    await resultOfRunner();
    const before = at(JSON.parse(await held()), "risks");
    await rename(set.volume, `${set.volume}-gone`);
    await says(/Completed=False DocumentUnreadable; Failed=True/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), before);
    await rename(`${set.volume}-gone`, set.volume);
    await chmod(set.volume, 0o755);
    await says(/Completed=/);
  });

  test("the failures that the kubelet reports for the runner's pod have different reasons", async () => {
    begin("--patience", "10m");
    await set.command("request", "--to", "5.1.2");
    await says(/Running=True Starting/);
    const kubelet = createPods(set);
    afterwards = kubelet.remove;
    const container = { name: "preflight", image: "example.com/preflight", imageID: "", ready: false, restartCount: 1 };
    const waiting = (reason: string) => ({
      phase: "Pending",
      containerStatuses: [{ ...container, state: { waiting: { reason, message: "why" } } }],
    });
    const unscheduled = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message: "0/6 nodes are available",
    };
    const oom = { terminated: { reason: "OOMKilled", exitCode: 137 } };
    for (const [status, expected] of [
      [{ phase: "Pending", conditions: [unscheduled] }, /Failed=True Unschedulable; Running=False Unschedulable/],
      [waiting("ImagePullBackOff"), /Failed=True ImagePullFailed/],
      [
        {
          phase: "Running",
          containerStatuses: [{ ...container, lastState: oom, state: { waiting: { reason: "CrashLoopBackOff" } } }],
        },
        /Failed=True OutOfMemory/,
      ],
      [
        {
          phase: "Running",
          containerStatuses: [
            { ...container, ready: true, state: { running: { startedAt: new Date().toISOString() } } },
          ],
        },
        /Failed=False AsExpected; Running=True Checking/,
      ],
    ] as const) {
      await kubelet.status(status);
      await says(expected);
    }
    await kubelet.status({
      phase: "Pending",
      containerStatuses: [{ ...container, state: { waiting: { reason: "ContainerCreating" } } }],
    });
    await kubelet.event("FailedMount", "hostPath type check failed");
    await says(/Failed=True VolumeUnavailable/);
  });

  test("a controller that is killed after each of its writes reaches the same state as one that is not", async () => {
    const document = await (async () => {
      begin();
      return resultOfRunner();
    })();
    await end();
    await write({ ...document, validUntil: new Date(Date.now() + 120_000).toISOString().replace(/\.\d+/, "") });
    for (const [ask, isDone] of [
      [["request", "--to", "5.1.2"], async () => assert.ok(await stage.readObject(set.api, RUNNER))],
      [["cancel"], async () => stage.assertCleared(set.api)],
    ] as const) {
      await set.command(...ask);
      for (let life = 0; life < 4; life += 1) {
        const controller = begin("--identity", "the-same");
        await eventually(async () => assert.match(controller.err(), /"became the leader"/));
        await new Promise((resolve) => void setTimeout(resolve, life * 15));
        controller.kill("SIGKILL");
        await controller.result;
      }
      begin("--identity", "the-same");
      await eventually(isDone);
      await end();
    }
    const now = await stage.readClusterVersion(set.api);
    assert.deepEqual(at(now, "status"), at(first, "status"));
  });

  test("of two controllers one writes, and the other takes over if the first is killed", async () => {
    const [a, b] = [begin("--identity", "a"), begin("--identity", "b")];
    await eventually(async () => assert.match(a.err() + b.err(), /"became the leader"/));
    const [leader, other] = /"became the leader"/.test(a.err()) ? [a, b] : [b, a];
    await set.command("request", "--to", "5.1.2");
    await says(/Running=True Starting/);
    assert.doesNotMatch(other.err(), /"became the leader"|update ConfigMap preflight-result/);
    leader.kill("SIGKILL");
    await eventually(async () => assert.match(other.err(), /"became the leader"/));
    await set.command("cancel");
    await eventually(async () => stage.assertCleared(set.api));
  });

  test("conflicts with an operator that writes constantly lose nothing of either", async () => {
    const operator = await startOperator(set.api);
    afterwards = operator.stop;
    begin();
    for (const target of ["5.1.2", "5.0.9", "5.1.2"]) {
      await set.command("request", "--to", target);
      await says(/Running=True Starting/);
    }
    await set.command("cancel");
    await eventually(async () => stage.assertCleared(set.api));
    await operator.stop();
    assert.deepEqual(operator.updates, []);
    const types = (of: JsonObject) =>
      listAt(of, "status", "conditions").map((controller) => textAt(controller, "type"));
    assert.deepEqual(types(await stage.readClusterVersion(set.api)), types(first));
  });
});
