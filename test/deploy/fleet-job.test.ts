import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type JsonObject, listAt, numberAt, textAt, textsAt } from "../../src/model/json.ts";
import { type SimulatedFleet, startFleet } from "../../verify/fleet/clusters.ts";
import { readRecording } from "../../verify/fleet/recorded-cluster.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { runPreflight, spawnPreflight, startPreflight } from "../../verify/shared/preflight.ts";
import { objectsOf } from "../support/deploy/bases.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

/** So many that the cluster that hangs is in the share of index 0, which is killed. */
const HEALTHY = 12;
const CLUSTERS = HEALTHY + 23;
const jobs = objectsOf("fleet/job").filter(({ kind }) => kind === "Job");
const [check, matrix] = ["preflight-fleet", "preflight-fleet-matrix"].map(
  (name) => jobs.find((job) => textAt(job, "metadata", "name") === name) ?? {},
);
const indexes = numberAt(check, "spec", "completions") ?? 0;

const folder = createTemporaryFolder("job");
let fleet: SimulatedFleet | undefined;
before(async () => {
  fleet = await startFleet(folder, HEALTHY, readRecording("demo/cluster.json"));
});
after(() => {
  fleet?.close();
});

/** The arguments of a pod, as the kubelet expands them, with folders of this machine in place of its volumes. */
function getArgs(job: JsonObject | undefined, index: number): readonly string[] {
  const [container] = listAt(job, "spec", "template", "spec", "containers");
  return textsAt(container, "args").map((word) =>
    word
      .replace("$(JOB_COMPLETION_INDEX)", String(index))
      .replace("/clusters", fleet?.kubeconfigs ?? "")
      .replace("/results", join(folder, "results")),
  );
}

/** The pod has PREFLIGHT_TO instead. A share is small here, for half of the processes. */
const ENV = { PREFLIGHT_TARGET: "demo/release", PREFLIGHT_CHECK_TIMEOUT: "12s", PREFLIGHT_PARALLEL: "2" };
const listResults = (): readonly string[] =>
  readdirSync(join(folder, "results")).filter((name) => !name.startsWith("."));

/** With processes if one of its clusters kills them. */
function runIndex(index: number) {
  const killing = readdirSync(fleet?.kubeconfigs ?? "")
    .toSorted()
    .indexOf("fault-out-of-memory");
  const run = index === killing % indexes ? spawnPreflight : runPreflight;
  return run(getArgs(check, index), ENV);
}

test("the indexes share the clusters: each is checked once, also if a pod is killed, tried again, or runs twice", async () => {
  const killed = startPreflight(getArgs(check, 0), ENV);
  await eventually(async () => assert.ok(listResults().length > 0));
  killed.kill("SIGKILL");
  await killed.result;
  const left = listResults();
  assert.ok(left.length < Math.ceil(CLUSTERS / indexes), "it was killed on the way");
  for (const name of left) JSON.parse(readFileSync(join(folder, "results", name), "utf8"));
  for (let index = 0; index < indexes; index += 2) {
    const both = [index, index + 1].map((one) => runIndex(one));
    for (const { code, err } of await Promise.all(both)) assert.equal(code, 0, err);
  }
  const names = readdirSync(fleet?.kubeconfigs ?? "").map((name) => `${name.replace(/\.yaml$/, "")}.json`);
  assert.deepEqual(listResults().toSorted(), names.toSorted());
  const path = join(folder, "results", "cluster-0001.json");
  const before = statSync(path).mtimeMs;
  await runIndex(0);
  assert.equal(statSync(path).mtimeMs, before, "a result that is young enough is kept");
});

test("the matrix is made from what the indexes wrote", async () => {
  const { code, out, err } = await runPreflight(getArgs(matrix, 0));
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^35 clusters: 7 with risks, 22 could not be checked, 3 incomplete, 3 clear\n/);
  assert.match(readFileSync(join(folder, "results", "fleet.html"), "utf8"), /^<!doctype html>/);
  assert.equal(
    readFileSync(join(folder, "results", "fleet.csv"), "utf8")
      .trim()
      .split("\r\n").length,
    CLUSTERS + 1,
  );
});

test("the number of indexes is the number of shares, and the account of the Job has no token", () => {
  const [container] = listAt(check, "spec", "template", "spec", "containers");
  assert.ok(textsAt(container, "args").includes(`--share=$(JOB_COMPLETION_INDEX)/${indexes}`));
  for (const job of jobs) assert.ok(JSON.stringify(job).includes('"automountServiceAccountToken":false'));
  assert.deepEqual(
    objectsOf("fleet/job").filter(({ kind }) => kind === "ClusterRole" || kind === "Role"),
    [],
  );
});

test("a share that does not exist is wrong usage", async () => {
  for (const share of ["10/10", "1", "-1/3", "1/0"]) {
    const { code, err } = await runPreflight(["fleet", `--share=${share}`, "--to", "4.20", "--kubeconfig", "demo"]);
    assert.equal(code, 2);
    assert.match(err, /is not INDEX\/COUNT/);
  }
});
