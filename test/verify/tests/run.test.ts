import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sampleEach } from "../../support/cases/sample.ts";
import { withTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const RUN = join(import.meta.dirname, "../../../verify/tests/run.ts");

type Run = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs test files of a project that has nothing else. */
function runTests(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Run> {
  return withTemporaryFolder("runner", (folder) => {
    const settings = { "costs.json": "{}", "own-process.json": "{}", "control-planes.json": "{}" };
    for (const [name, text] of Object.entries({ ...settings, ...files })) {
      const path = join(folder, "test", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...args], { cwd: folder, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr };
  });
}

const IMPORT = 'import { after, before, beforeEach, describe, test } from "node:test";\n';

test("passed, failed and skipped tests are counted, and a failure says where", async () => {
  const { code, out } = await runTests({
    "a.test.ts": `${IMPORT}test("one", () => {}); test("two", { skip: "no tool" }, () => {});`,
    "b.test.ts": `${IMPORT}describe("group", () => { test("three", () => { throw new Error("broken"); }); });`,
  });
  assert.equal(code, 1);
  assert.match(out, /^✖ test\/b\.test\.ts > group > three\n {4}Error: broken\n {8}at .*b\.test\.ts:2/m);
  assert.match(out, /^1 x no tool: test\/a\.test\.ts$/m);
  assert.match(out, /\n1 passed, 1 failed, 1 skipped\n$/);
});

test("each file's hooks run around its own tests, although the process is shared", async () => {
  const file = (name: string): string =>
    `${IMPORT}globalThis.seen ??= []; let up = false; before(() => { up = true; }); after(() => { up = false; });
beforeEach(() => { globalThis.seen.push("${name}"); });
test("${name}", () => { if (!up || globalThis.seen.at(-1) !== "${name}") throw new Error(globalThis.seen.join()); });
test("${name} once more", () => { if (globalThis.seen.filter((one) => one === "${name}").length !== 2) throw new Error(globalThis.seen.join()); });`;
  const { code, out } = await runTests({ "a.test.ts": file("a"), "b.test.ts": file("b") });
  assert.match(out, /\n4 passed, 0 failed, 0 skipped\n$/);
  assert.equal(code, 0);
});

const LEAKS: readonly [what: string, code: string][] = [
  ["the environment's LEFT", 'test("sets", () => { process.env.LEFT = "1"; });'],
  ["the environment's LEFT", 'process.env.LEFT = "1"; test("nothing", () => {});'],
  ["the working folder /", 'test("moves", () => { process.chdir("/"); });'],
  ["a listener for SIGTERM", 'test("listens", () => { process.on("SIGTERM", () => {}); });'],
];

test("files that leave something behind fail, each by its name", async () => {
  const { code, out } = await runTests(
    Object.fromEntries(LEAKS.map(([, text], i) => [`leak-${i}.test.ts`, `${IMPORT}${text}`])),
  );
  assert.equal(code, 1);
  for (const [i, [what]] of LEAKS.entries())
    assert.ok(out.includes(`test/leak-${i}.test.ts leaves behind for the next file: ${what}`), out);
});

const ENDS: readonly [why: string, code: string][] = [
  ["ends its process", 'test("ends", () => { process.exit(0); });'],
  ["dies", 'test("dies", () => { process.kill(process.pid, "SIGKILL"); });'],
  [
    "throws what nobody catches",
    'test("throws", async () => { await null; setTimeout(() => { throw new Error("late"); }); });',
  ],
  [
    "rejects what nobody catches",
    'test("rejects", async () => { await null; void (async () => { await null; throw new Error("late"); })(); });',
  ],
  ["is no program", "const = 1;"],
  ["throws when it is imported", 'throw new Error("at once");'],
];

for (const [why, code] of sampleEach(ENDS, 3))
  test(`a file that ${why} is a failure`, async () => {
    const run = await runTests({ "a.test.ts": `${IMPORT}${code}`, "b.test.ts": `${IMPORT}test("b", () => {});` });
    assert.equal(run.code, 1);
    assert.match(run.out, /test\/a\.test\.ts/);
    if (why.endsWith("nobody catches")) assert.match(run.out, /Error: late/);
    assert.match(run.out, /, [1-9]\d* failed, 0 skipped\n$/);
  });

const FAILS_BESIDE_OTHERS = `import { existsSync, writeFileSync } from "node:fs";
test("by luck", () => { if (!existsSync("ran")) { writeFileSync("ran", ""); throw new Error("unlucky"); } }); test("more", () => {});`;

test("what failed runs once more, alone, and what passes then is told", async () => {
  const files = { "a.test.ts": `${IMPORT}${FAILS_BESIDE_OTHERS}`, "b.test.ts": `${IMPORT}test("b", () => {});` };
  const { code, out } = await runTests(files, "--repeat-failed");
  assert.match(out, /Error: unlucky/);
  assert.match(
    out,
    /passed only when they ran again, alone:\n✖ test\/a\.test\.ts > by luck\n\n3 passed, 0 failed, 0 skipped\n$/,
  );
  assert.equal(code, 0);
});

const ALWAYS = `${IMPORT}test("always", () => { throw new Error("broken"); });`;

test("what fails again has failed", async () => {
  const files = {
    "a.test.ts": `${IMPORT}${FAILS_BESIDE_OTHERS} test("always", () => { throw new Error("broken"); });`,
  };
  const { code, out } = await runTests(files, "--repeat-failed");
  assert.equal(code, 1);
  assert.doesNotMatch(out, /passed only/);
  assert.match(out, /failed:\n✖ test\/a\.test\.ts > always\n\n2 passed, 1 failed, 0 skipped\n$/);
});

test("many failures are no bad luck, and run once", async () => {
  const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.test.ts`, ALWAYS]));
  const { code, out } = await runTests(files, "--repeat-failed");
  assert.equal(code, 1);
  assert.equal(out.match(/Error: broken/g)?.length, 4);
});

test("shares together run everything, each once", async () => {
  const files = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`${name}/x.test.ts`, `${IMPORT}test("x", () => {});`]),
  );
  const outs = [await runTests(files, "--share", "1/2"), await runTests(files, "--share", "2/2")].map(({ out }) => out);
  const ran = outs.flatMap((out) => [...out.matchAll(/✔ (\S+):/g)].map(([, file]) => file)).toSorted();
  assert.deepEqual(ran, ["test/a/x.test.ts", "test/b/x.test.ts", "test/c/x.test.ts"]);
});

test("a misspelt place beside a right one is no success", async () => {
  const { code, err } = await runTests({ "a.test.ts": `${IMPORT}test("a", () => {});` }, "test/a.test.ts", "test/b");
  assert.equal(code, 2);
  assert.match(err, /^no test file: test\/b \(/);
});

test("no test is no success", async () => {
  const { code, err } = await runTests({}, "test/nothing");
  assert.equal(code, 2);
  assert.match(err, /^no test file: test\/nothing \(npm test -- /);
});
