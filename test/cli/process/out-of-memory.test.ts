import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { before, type TestContext, test } from "node:test";
import { eventually } from "../../../verify/shared/eventually.ts";
import { createEndlessList } from "../../../verify/reliability/endless-list.ts";
import { startFaultServer } from "../../../verify/reliability/fault-server.ts";
import { findFreePort } from "../../../verify/shared/free-port.ts";
import { writeServerKubeconfig } from "../../../verify/api-server/kubeconfig.ts";
import { runPreflight, spawnPreflight, startPreflight } from "../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { hasAllCases, nightly } from "../../support/cases/sample.ts";

/** A process needs about 20 MiB before it reads anything. */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=48" };
const EMPTY_OBJECTS = 2_000_000;
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

test("a plan says in one line that memory has run out", { skip: nightly }, async () => {
  const { code, signal, out, err } = await spawnPreflight(["plan", "--recorded", huge, "--to", "4.20.1"], SMALL_HEAP);
  assert.deepEqual([code, signal, out], [1, null, ""], err);
  assert.match(err, /^preflight: out of memory: 48 MiB of heap are not enough\. .*\n$/);
});

test("a runner whose memory runs out writes a failed document, answers meanwhile, and goes on", async () => {
  const recording = join(folder, "cluster.json");
  const output = join(folder, "v1.json");
  const port = await findFreePort();
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

/** A cluster with more PodDisruptionBudgets than fit into memory, of which drain-blocked keeps each. */
async function startHugeCluster(t: TestContext, isHuge = (): boolean => true) {
  const failure = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "x".repeat(100_000) };
  const server = await startFaultServer("demo/cluster.json", {
    isStruck: (path) => isHuge() && path === "/apis/policy/v1/poddisruptionbudgets",
    times: Infinity,
    fault: createEndlessList(20, { status: { disruptionsAllowed: 0, conditions: [failure] } }),
  });
  t.after(server.close);
  return writeServerKubeconfig(folder, server.url);
}

const CHECKING_AGAIN =
  "preflight: the process that ran the checks ended: 48 MiB of heap are not enough. Checking again: drain-blocked alone, then the rest\n";

/** The checks with their results, and the names of the risks, of a result in JSON; without those of the check that took all memory. */
function listOthers(result: string) {
  const { checks, risks } = JSON.parse(result);
  return {
    checks: checks.filter(({ id }: { readonly id: string }) => id !== "drain-blocked"),
    risks: risks.flatMap(({ name }: { readonly name: string }) => (name.startsWith("DrainBlocked") ? [] : [name])),
  };
}

test("check tells a check that takes all memory as unknown, and all others' verdicts, once", async (t) => {
  let isHuge = true;
  const config = await startHugeCluster(t, () => isHuge);
  const words = ["check", "--kubeconfig", config, ...TARGET, "-o", "json", "--fail-on", "incomplete"];
  const { code, signal, out, err } = await spawnPreflight(words, SMALL_HEAP);
  assert.deepEqual([code, signal, err], [3, null, CHECKING_AGAIN]);
  const result = JSON.parse(out);
  const drain = result.checks.find(({ id }: { readonly id: string }) => id === "drain-blocked");
  assert.deepEqual(
    [result.complete, drain.outcome, drain.unknowns],
    [
      false,
      "unknown",
      [
        {
          reason: "OutOfMemory",
          where: "check drain-blocked",
          message: "the process that ran it alone ended: 48 MiB of heap are not enough",
        },
      ],
    ],
  );
  isHuge = false;
  const whole = await runPreflight(words);
  assert.deepEqual(listOthers(out), listOthers(whole.out), whole.err);
});

test(
  "nothing but a check that takes all memory leaves the result incomplete, never clear",
  { skip: nightly },
  async (t) => {
    const config = await startHugeCluster(t);
    const words = ["check", "--kubeconfig", config, ...TARGET, "-o", "json", "--only", "drain-blocked,nodes"];
    const { code, out, err } = await spawnPreflight([...words, "--accept", "PreflightChecksLeftOut"], SMALL_HEAP);
    assert.deepEqual([code, err], [4, CHECKING_AGAIN], out);
  },
);

test(
  "several targets and a plan tell it for each update, and say once what each process says",
  { skip: nightly },
  async (t) => {
    const config = await startHugeCluster(t);
    const cwd = createTemporaryFolder();
    await writeFile(join(cwd, ".preflight.yaml"), "accept: [{risk: NodeNotReady, reason: A node is repaired}]\n");
    const release = resolve("demo/release");
    const commands = [
      ["check", "--target", release, "--target", release],
      ["plan", "--to", "4.18.6", "--release", release],
    ];
    for (const words of commands) {
      const { code, out, err } = await spawnPreflight([...words, "--kubeconfig", config], SMALL_HEAP, { cwd });
      const [found = "", ...lines] = err.split(/(?<=\n)/);
      assert.match(found, /\.preflight\.yaml/);
      assert.deepEqual(
        [code, lines[0], lines.slice(1).some((line) => line === found)],
        [3, CHECKING_AGAIN, false],
        err,
      );
      assert.match(out, /check drain-blocked: the process that ran it alone ended/);
      assert.match(out, /CustomResourceFieldsFrozen/);
    }
  },
);

/** A check whose process is killed while it waits for PodDisruptionBudgets, which come at the time `answered`. */
async function startKilledCheck(t: TestContext, answered: number, ...more: readonly string[]) {
  let requests = 0;
  const server = await startFaultServer("demo/cluster.json", {
    isStruck: (path) => path === "/apis/policy/v1/poddisruptionbudgets",
    times: Infinity,
    fault: ({ send }) => {
      if ((requests += 1) >= answered) send();
    },
  });
  t.after(server.close);
  const words = ["check", "--kubeconfig", writeServerKubeconfig(folder, server.url), ...TARGET, "-o", "json"];
  const running = startPreflight([...words, ...more]);
  t.after(() => running.kill("SIGKILL"));
  const waitForRequest = (count: number) => eventually(async () => assert.ok(requests >= count, running.err()));
  await waitForRequest(1);
  process.kill(await findChild(running.pid), "SIGKILL");
  return { running, waitForRequest };
}

test("a process that is killed costs no verdict if its checks complete alone", async (t) => {
  // Each that waited for a read costs a process: of all checks, eight.
  const only = hasAllCases ? [] : ["--only", "crd-skew,drain-blocked,dual-stack,nodes"];
  const { running } = await startKilledCheck(t, 2, ...only);
  const { code, out, err } = await running.result;
  assert.equal(code, 3, err);
  assert.match(err, /^preflight: [^\n]+ killed \(SIGKILL\)[^\n]+\. Checking again: [^\n]*drain-blocked[^\n]*\n$/);
  const whole = await runPreflight(["check", "--recorded", "demo", ...TARGET, "-o", "json", ...only]);
  const [{ checks, risks }, expected] = [out, whole.out].map((text) => JSON.parse(text));
  const listNames = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  assert.deepEqual(listNames(risks), listNames(expected.risks));
  assert.deepEqual(checks, expected.checks);
});

test("a signal ends a check that runs alone, with its exit code", async (t) => {
  // Without the seven that would run alone before it.
  const only = ["--only", "drain-blocked,nodes"];
  const { running, waitForRequest } = await startKilledCheck(t, Infinity, ...only);
  await waitForRequest(2);
  const alone = await findChild(running.pid);
  running.kill("SIGINT");
  const { code, out, err } = await running.result;
  assert.deepEqual([code, out], [130, ""], err);
  assert.match(err, /^preflight: [^\n]+\. Checking again: [^\n]+\npreflight: stopped by SIGINT\n$/);
  await eventually(async () => assert.equal(isAlive(alone), false));
});

test("a check that takes all memory is unknown, the others' results stand, and it recovers", async (t) => {
  let isEndless = true;
  const config = await startHugeCluster(t, () => isEndless);
  const output = join(folder, "suspect.json");
  const args = ["--format=preflight-v1-json", "--kubeconfig", config, ...TARGET, "--interval", "1s"];
  const running = startPreflight([...args, "--document", output], SMALL_HEAP);
  t.after(() => running.kill("SIGKILL"));
  await eventually(async () => assert.equal((await readDocumentAt(output)).executionStatus, "completed"));
  const cycles = () =>
    running
      .err()
      .split("\n")
      .filter((line) => line.includes('"message":"cycle '));
  assert.match(cycles()[0] ?? "", /cycle completed.*DrainBlockedUnknown/);
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
