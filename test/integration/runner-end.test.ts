import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { RUNNER_NAME } from "../../src/controller/api/api-paths.ts";
import { listAt, textAt } from "../../src/model/json.ts";
import { createPayload, noControlPlane } from "../../verify/api-server/control-plane.ts";
import { prepareAccount } from "../../verify/operator/runner-process.ts";
import * as stage from "../../verify/operator/stage.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { findFreePort } from "../../verify/shared/free-port.ts";
import { type PreflightProcess, startPreflight } from "../../verify/shared/preflight.ts";
import { nightly } from "../support/cases/sample.ts";

/** What the controller sets for its own runner. */
const OF_CONTROLLER = { PREFLIGHT_END_WITH_REQUEST: "true" };

describe("a runner at the end of its preflight", { skip: noControlPlane }, () => {
  let set: stage.Stage;
  let target: string;
  let account: string;
  let document: string;
  let runner: PreflightProcess | undefined;
  before(async () => {
    set = await stage.startStage();
    target = await createPayload(join(set.volume, "target"), "5.1", "5.1.2");
    account = await prepareAccount(set.cluster, set.volume);
  });
  beforeEach(async ({ name }) => {
    document = join(set.volume, `${name.length}.json`);
  });
  afterEach(async () => {
    runner?.kill("SIGKILL");
    await runner?.result;
  });
  after(() => set?.stop());

  /** Starts a runner of 5.1.2 with the shipped rights, and waits for its first result. */
  const start = async (
    env: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<PreflightProcess> => {
    await rm(document, { force: true });
    const flags = ["--target", target, "--document", document, "--kubeconfig", account];
    const interval = more.includes("--interval") ? [] : ["--interval", "1s"];
    const started = startPreflight(["--format=preflight-v1-json", ...flags, ...interval, ...more], env);
    runner = started;
    await eventually(async () => assert.equal((await read()).executionStatus, "completed"));
    return started;
  };
  const read = async () => JSON.parse(await readFile(document, "utf8"));
  const stop = async (started: PreflightProcess): Promise<string> => {
    started.kill("SIGTERM");
    const ended = await started.result;
    assert.deepEqual([ended.code, ended.signal, ended.out], [0, null, ""], ended.err);
    return ended.err;
  };

  test("keeps its document while the preflight is requested, whatever stops it", { skip: nightly }, async () => {
    await set.command("request", "--to", "5.1.2");
    const err = await stop(await start(OF_CONTROLLER));
    assert.equal((await read()).executionStatus, "completed");
    assert.doesNotMatch(err, /"level":"(?:warn|error)"/);
  });

  test("removes its document if the request is cancelled", async () => {
    const started = await start(OF_CONTROLLER);
    await set.command("cancel");
    assert.match(await stop(started), /"the document was removed"/);
    assert.ok(!existsSync(document));
  });

  test(
    "removes its document if an update has begun, though its request is still there",
    { skip: nightly },
    async () => {
      await set.command("request", "--to", "5.1.2");
      const started = await start(OF_CONTROLLER, "--interval", "1h");
      await stage.changeStatus(set.api, (one) => stage.beginUpdate(one, "5.1.2"));
      await stop(started);
      assert.ok(!existsSync(document));
      await stage.changeStatus(set.api, (one) => ({ ...one, history: listAt(one, "history").slice(1) }));
      await set.command("cancel");
    },
  );

  test(
    "keeps a document that another runner has written, and one of a runner that no controller started",
    { skip: nightly },
    async () => {
      for (const env of [OF_CONTROLLER, {}]) {
        const started = await start(env, "--interval", "1h");
        const written = await read();
        if (env === OF_CONTROLLER)
          await writeFile(
            document,
            JSON.stringify({ ...written, preflightID: "2026-03-01T12:00:00Z-preflight-5.1.2" }),
          );
        assert.doesNotMatch(await stop(started), /removed/);
        assert.equal((await read()).observedAt, written.observedAt);
      }
    },
  );

  test("keeps its document if it can't tell whether the preflight goes on", async () => {
    const started = await start(OF_CONTROLLER, "--interval", "1h");
    const kubeconfig = await readFile(account, "utf8");
    await writeFile(account, kubeconfig.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${await findFreePort()}`));
    assert.match(await stop(started), /"can't tell whether the preflight has ended, so the document stays"/);
    assert.equal((await read()).executionStatus, "completed");
    await writeFile(account, kubeconfig);
  });

  test("shows no risk from the moment an update has begun, and says when its target is reached", async () => {
    const port = await findFreePort();
    const started = await start({}, "--listen", `127.0.0.1:${port}`);
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    assert.ok((await read()).risks.length > 0);
    assert.match(await get("/metrics"), /^preflight_risk\{/m);
    const has = (reason: string) =>
      eventually(async () => {
        const { executionStatus, risks, failure } = await read();
        assert.deepEqual([executionStatus, risks, failure?.reason], ["failed", [], reason]);
        const metrics = await get("/metrics");
        assert.doesNotMatch(metrics, /^preflight_(?:risk|check_outcome|complete)\b/m);
        assert.match(metrics, new RegExp(`^preflight_ended\\{reason="${reason}"\\} 1$`, "m"));
        assert.equal(await get("/readyz"), "ok\n");
      });
    await stage.changeStatus(set.api, (one) => stage.beginUpdate(one, "5.1.2"));
    await has("UpdateInProgress");
    const lists = async (): Promise<number> =>
      (await set.cluster.audit()).filter(({ user, verb }) => user.endsWith(RUNNER_NAME) && verb === "list").length;
    const before = await lists();
    const first = await read();
    await eventually(async () => assert.match(await get("/metrics"), /^preflight_document_writes_total\S* [4-9]/m));
    assert.deepEqual([await lists(), (await read()).preflightID], [before, first.preflightID]);
    await stage.changeStatus(set.api, (status) => {
      const [entry, ...rest] = listAt(status, "history");
      const image = textAt(entry, "image") ?? "";
      const done = { state: "Completed", version: "5.1.2", image, verified: false };
      const times = { startedTime: "2026-03-01T12:00:00Z", completionTime: "2026-03-01T12:30:00Z" };
      return { ...status, history: [{ ...done, ...times }, ...rest] };
    });
    await has("TargetReached");
    const warnings = (await stop(started)).split("\n").filter((line) => line.includes('"level":"warn"'));
    assert.deepEqual(
      warnings.map((line) => /An update to 5\.1\.2 is in progress|The cluster runs 5\.1\.2/.exec(line)?.[0]),
      ["An update to 5.1.2 is in progress", "The cluster runs 5.1.2"],
    );
  });
});
