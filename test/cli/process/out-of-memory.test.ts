import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { eventually } from "../../../verify/shared/eventually.ts";
import { createEndlessList } from "../../../verify/reliability/endless-list.ts";
import { startFaultServer } from "../../../verify/reliability/fault-server.ts";
import { findFreePort } from "../../../verify/shared/free-port.ts";
import { writeServerKubeconfig } from "../../../verify/api-server/kubeconfig.ts";
import { runPreflight, spawnPreflight, startPreflight } from "../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

/** A process needs about 20 MiB before it reads anything. */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=48" };
const EMPTY_OBJECTS = 4_000_000;
const TARGET = ["--target", "demo/release"];

const folder = createTemporaryFolder();
let huge = "";
before(async () => {
  huge = join(folder, "huge.json");
  await writeFile(huge, `{"/api/v1/pods":{"items":[${"{},".repeat(EMPTY_OBJECTS)}{}]}}`);
});

async function findChild(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  assert.match(children, /^\d+ $/, "one child");
  return Number(children);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function readDocumentAt(path: string) {
  return JSON.parse(await readFile(path, "utf8"));
}

test("check says in one line that memory has run out, and what to do", async () => {
  const { code, signal, out, err } = await spawnPreflight(["check", "--recorded", huge, ...TARGET], SMALL_HEAP);
  assert.deepEqual([code, signal, out], [1, null, ""], err);
  assert.equal(
    err,
    "preflight: out of memory: 48 MiB of heap are not enough. Raise the limit with NODE_OPTIONS=--max-old-space-size=96, or leave out checks with --skip\n",
  );
  const raised = await spawnPreflight(["check", "--recorded", "demo", ...TARGET], {
    NODE_OPTIONS: "--max-old-space-size=96",
  });
  assert.equal(raised.code, 3, raised.err);
});

test("a plan says in one line that memory has run out", async () => {
  const { code, signal, out, err } = await spawnPreflight(["plan", "--recorded", huge, "--to", "4.20.1"], SMALL_HEAP);
  assert.deepEqual([code, signal, out], [1, null, ""], err);
  assert.match(err, /^preflight: out of memory: 48 MiB of heap are not enough\. .*\n$/);
});

test("a runner whose memory runs out writes a failed document, answers meanwhile, and goes on", async () => {
  const [recording, output, port] = [join(folder, "cluster.json"), join(folder, "v1.json"), await findFreePort()];
  await copyFile("demo/cluster.json", recording);
  const args = ["--format=preflight-v1-json", "--recorded", recording, ...TARGET, "--interval", "1s"];
  const running = startPreflight([...args, "--document", output, "--listen", `127.0.0.1:${port}`], SMALL_HEAP);
  const isExecution = (status: string) => async () =>
    assert.equal((await readDocumentAt(output)).executionStatus, status, running.err());
  await eventually(isExecution("completed"));
  const completed = await readDocumentAt(output);
  await copyFile(huge, recording);
  process.kill(await findChild(running.pid), "SIGTERM");
  await eventually(async () => assert.equal((await readDocumentAt(output)).failure?.reason, "OutOfMemory"));
  const failed = await readDocumentAt(output);
  assert.equal(failed.executionStatus, "failed");
  assert.match(failed.failure.message, /48 MiB of heap are not enough. Raise the memory limit/);
  assert.deepEqual([failed.risks, failed.preflightID], [completed.risks, completed.preflightID]);
  assert.equal((await runPreflight(["validate", output])).code, 0);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(metrics, /^preflight_cycle_failed\{reason="OutOfMemory"\} 1$/m);
  assert.match(metrics, /^preflight_reads_total\{outcome="found"\} \d+$/m);
  await copyFile("demo/cluster.json", recording);
  await eventually(isExecution("completed"));
  running.kill("SIGTERM");
  const end = await running.result;
  assert.deepEqual([end.code, end.signal], [0, null]);
  assert.doesNotMatch(end.err, /FATAL ERROR|Last few GCs/);
  for (const line of end.err.trim().split("\n")) assert.doesNotThrow(() => JSON.parse(line), line);
});

test("a check that takes all memory is unknown from the second cycle on, the others' results stand, and it recovers", async (t) => {
  let isEndless = true;
  const failure = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "x".repeat(100_000) };
  const server = await startFaultServer("demo/cluster.json", {
    isStruck: (path) => isEndless && path === "/apis/policy/v1/poddisruptionbudgets",
    times: Infinity,
    fault: createEndlessList(20, { status: { disruptionsAllowed: 0, conditions: [failure] } }),
  });
  t.after(server.close);
  const [output, config] = [join(folder, "suspect.json"), writeServerKubeconfig(folder, server.url)];
  const args = ["--format=preflight-v1-json", "--kubeconfig", config, ...TARGET, "--interval", "1s"];
  const running = startPreflight([...args, "--document", output], SMALL_HEAP);
  t.after(() => running.kill("SIGKILL"));
  await eventually(async () => assert.equal((await readDocumentAt(output)).executionStatus, "completed"));
  const cycles = () =>
    running
      .err()
      .split("\n")
      .filter((line) => line.includes('"message":"cycle '));
  assert.match(cycles()[0] ?? "", /cycle failed.*OutOfMemory/);
  assert.match(cycles()[1] ?? "", /cycle completed.*DrainBlockedUnknown/);
  const { complete, checks, risks } = await readDocumentAt(output);
  const drain = checks.find(({ id }: { readonly id: string }) => id === "drain-blocked");
  assert.deepEqual([complete, drain.outcome, drain.reason], [false, "unknown", "OutOfMemory"]);
  const names = risks.map(({ name }: { readonly name: string }) => name);
  assert.ok(names.includes("CustomResourceFieldsFrozen") && names.includes("DrainBlockedUnknown"), `${names}`);
  assert.equal((await runPreflight(["validate", output])).code, 0);
  isEndless = false;
  const isBack = ({ name }: { readonly name: string }) => name === "DrainBlockedByDisruptionBudget";
  await eventually(async () => assert.ok((await readDocumentAt(output)).risks.some(isBack)));
  const common = await findChild(running.pid);
  const done = cycles().length;
  await eventually(async () => assert.ok(cycles().length > done + 2));
  assert.equal(await findChild(running.pid), common, "one process runs all checks again");
});

test("a child that is killed between cycles costs none, and no process stays behind", async () => {
  const output = join(folder, "killed.json");
  const args = ["--format=preflight-v1-json", "--recorded", "demo", ...TARGET, "--interval", "1s"];
  const running = startPreflight([...args, "--document", output]);
  await eventually(async () => assert.match(running.err(), /cycle completed/));
  const first = await findChild(running.pid);
  process.kill(first, "SIGKILL");
  await eventually(async () => assert.equal(running.err().split("cycle completed").length, 4));
  const second = await findChild(running.pid);
  assert.notEqual(second, first);
  running.kill("SIGKILL");
  await running.result;
  await eventually(async () => assert.equal(isAlive(second), false));
});

test("a wrong setting that only the child sees ends the runner", async () => {
  const args = ["--format=preflight-v1-json", "--recorded", "demo", "--interval", "0", "--skip", "nowhere"];
  const { code, err } = await spawnPreflight(args);
  assert.equal(code, 2);
  assert.match(err, /^preflight: .*nowhere.*\n$/);
});
