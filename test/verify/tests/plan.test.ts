import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type FileCost, type Packing, planJobs } from "../../../verify/tests/plan.ts";

const FILES = Array.from({ length: 40 }, (_, i) => `test/${i % 2 === 0 ? "even" : "odd"}/${i}.test.ts`);

const ODD = FILES.filter((file) => file.startsWith("test/odd/"));

function pack(packing: Partial<Packing> = {}): ReturnType<typeof planJobs> {
  const costs = new Map(FILES.map((file, i): [string, FileCost] => [file, { file, cpu: i / 10, seconds: i / 10 }]));
  return planJobs(FILES, { costs, alone: new Set(), together: {}, ...packing });
}

const runs = (jobs: ReturnType<typeof planJobs>): readonly string[] => jobs.flatMap(({ files }) => files).toSorted();

test("every file runs once, whatever shares a process", () => {
  for (const packing of [{}, { seed: 1 }, { together: { odd: ODD } }, { alone: new Set(FILES.slice(0, 5)) }])
    assert.deepEqual(runs(pack(packing)), FILES.toSorted());
});

test("the longest job is first, and files of two folders don't meet", () => {
  const jobs = pack();
  assert.ok(jobs.every((job, i) => i === 0 || job.seconds <= (jobs[i - 1]?.seconds ?? 0)));
  assert.ok(jobs.every(({ files }) => new Set(files.map((file) => file.split("/")[1])).size === 1));
});

test("a file that needs its own process has one", () => {
  const [alone = ""] = FILES;
  assert.deepEqual(
    pack({ alone: new Set([alone]) }).filter(({ files }) => files.includes(alone)),
    [{ files: [alone], seconds: 0, load: 0.3 }],
  );
});

test("what is expensive to make is made once for files that share it, of whatever folder, and they run as written", () => {
  const some = ["test/odd/39.test.ts", "test/even/0.test.ts", "test/odd/1.test.ts"];
  assert.deepEqual(
    pack({ together: { some } }).filter(({ files }) => files.includes("test/odd/1.test.ts")),
    [{ files: some, seconds: 4, load: 1 }],
  );
});

test("a job that shares it is divided later than others", () => {
  const costs = new Map(ODD.map((file): [string, FileCost] => [file, { file, cpu: 10, seconds: 10 }]));
  const count = (packing: Partial<Packing>): number =>
    planJobs(ODD, { costs, alone: new Set(), together: {}, ...packing }).length;
  assert.equal(count({}), 4);
  assert.equal(count({ together: { odd: ODD } }), 2);
});

test("the files that share a control plane are there", () => {
  const groups: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync("test/control-planes.json", "utf8"),
  );
  const files = Object.values(groups).flat();
  assert.ok(files.length > 0);
  assert.deepEqual(
    files.filter((file) => !existsSync(file)),
    [],
  );
  assert.equal(new Set(files).size, files.length);
});

test("a seed makes other files meet, the same ones each time", () => {
  const orders = [1, 1, 2].map((seed) => JSON.stringify(pack({ seed })));
  assert.equal(orders[0], orders[1]);
  assert.notEqual(orders[0], orders[2]);
  assert.ok(pack({ seed: 1 }).some(({ files }) => new Set(files.map((file) => file.split("/")[1])).size === 2));
});
