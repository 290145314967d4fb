import assert from "node:assert/strict";
import { chmod, rename } from "node:fs/promises";
import { describe, test } from "node:test";
import { at, type JsonObject } from "../../src/model/json.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import { noControlPlane } from "../support/control-plane.ts";

const SOON = ["--patience", "1s"];

describe("faults", { skip: noControlPlane }, () => {
  const { set, begin, says, held, resultOfRunner, write } = useFaultStage();

  test("a dead runner's document goes stale, the result stays and is marked as stale, and the next runner continues", async () => {
    begin(...SOON);
    await resultOfRunner();
    const before = await held();
    await says(/Completed=False DocumentStale; Failed=True DocumentStale/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), at(JSON.parse(before), "risks"));
    set().nodes.setMode({ kind: "runs" });
    await says(/Completed=True \w+; Failed=False/);
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
    await rename(set().volume, `${set().volume}-gone`);
    await says(/Completed=False DocumentUnreadable; Failed=True/);
    assert.deepEqual(at(JSON.parse(await held()), "risks"), before);
    await rename(`${set().volume}-gone`, set().volume);
    await chmod(set().volume, 0o755);
    await says(/Completed=/);
  });

  test("the failures that the kubelet reports for the runner's pod have different reasons", async () => {
    begin("--patience", "10m");
    set().nodes.setMode({ kind: "unschedulable" });
    await set().command("request", "--to", "5.1.2");
    for (const [mode, expected] of [
      ["unschedulable", /Failed=True Unschedulable; Running=False Unschedulable/],
      ["mountFailure", /Failed=True VolumeUnavailable/],
      ["imagePull", /Failed=True ImagePullFailed/],
      ["outOfMemory", /Failed=True OutOfMemory/],
      ["crashLoop", /Failed=True RunnerCrashed/],
      ["hangs", /Failed=False AsExpected; Running=True Checking/],
    ] as const) {
      set().nodes.setMode({ kind: mode });
      await says(expected);
    }
  });
});
