import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import * as registry from "../../src/checks/registry.ts";
import { buildCheckNames } from "../../src/cli/commands/checks/new.ts";
import { addCheck } from "../../tools/new-check/registry.ts";
import { NO_COLLECTIONS } from "../../verify/api-server/go.ts";
import { nightly } from "../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const REGISTRY = join("src", "checks", "registry.ts");
const PARTS = [
  "package.json",
  "tsconfig.json",
  ".oxfmtrc.json",
  ".oxlintrc.json",
  "schemas",
  "src",
  join("test", "checks"),
  join("test", "support"),
  join("tools", "new-check.ts"),
  join("tools", "new-check"),
  "verify",
];
const MINUTE = 60_000;

describe("the names of a new check", () => {
  test("follow from its id", () => {
    assert.deepEqual(buildCheckNames("in-tree-volumes2"), {
      id: "in-tree-volumes2",
      name: "InTreeVolumes2",
    });
  });

  for (const id of ["", "Upper", "under_score", "-a", "a-", "a--b", "1a", "../a", "a b", "a".repeat(41)])
    test(`can't be derived from "${id}"`, () => assert.ok("refused" in buildCheckNames(id)));
});

test("a check is listed in its place, in one line", () => {
  const text = readFileSync(join(ROOT, REGISTRY), "utf8");
  for (const id of ["aaa-first", "drain-unblocked", "zzz-last"]) {
    const longer = addCheck(text, id);
    assert.equal(longer.replace(`export { default as "${id}" } from "./${id}/check.ts";\n`, ""), text);
    const ids = [...longer.matchAll(/from "\.\/(.*)\/check\.ts"/g)].map(([, found]) => found ?? "");
    assert.deepEqual(ids, [id, ...Object.keys(registry)].toSorted());
  }
});

describe("npm run new-check", () => {
  let copy = "";
  before(() => {
    copy = mkdtempSync(join(tmpdir(), "preflight-new-check-"));
    // The cases of the other checks are most of the bytes, and not needed.
    const filter = (path: string): boolean => !/[\\/]checks[\\/][^\\/]+[\\/]cases$/.test(path);
    for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  /** The variables of this test run would change the report of a nested one. */
  const env = (more: Readonly<Record<string, string>>) => ({ PATH: process.env["PATH"] ?? "", ...more });

  function node(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const options = { cwd: copy, encoding: "utf8", timeout: MINUTE, env: env(more) } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args], options);
    return { status, out: stdout, err: stderr };
  }

  /** It starts often, and compiles the same each time. */
  const scaffold = (...args: readonly string[]) =>
    node(["tools/new-check.ts", ...args], { NODE_COMPILE_CACHE: join(copy, "code") });

  test(
    "creates checks whose cases pass, and which lack nothing but what their author has to say",
    { timeout: 3 * MINUTE },
    () => {
      for (const [args, told] of [
        [["some-example"], /^Made src\/checks\/some-example .*\n[^]*npm test -- --check some-example\n/],
        [
          ["--data", "data-example"],
          /^Made src\/checks\/data-example with four cases\. [^]*npm test -- --check data-example\n/,
        ],
      ] as const) {
        const made = scaffold(...args);
        assert.deepEqual([made.status, made.err], [0, ""]);
        assert.match(made.out, told);
      }
      const { status, out, err } = node(["node_modules/oxfmt/bin/oxfmt", "--check", "src/checks/data-example"]);
      assert.equal(status, 0, out + err);
      const only = { PREFLIGHT_CHECK: "some-example,data-example" };
      const updated = node(["test/checks/cases.test.ts"], { ...only, UPDATE: "1" });
      assert.equal(updated.status, 0, updated.out + updated.err);
      const written = readFileSync(join(copy, "src/checks/some-example/cases/risk-schedulable.yaml"), "utf8");
      assert.match(written, /^# [^]*\nexpect:\n  outcome: risk\n[^]*\n    - name: SomeExampleFault\n/);
      // In one process, which loads all checks once.
      const tests = ["test/checks/cases.test.ts", "test/checks/registry.test.ts"];
      const { out: ran } = node(["--test", "--test-isolation=none", "--test-reporter=tap", ...tests], only);
      for (const id of ["some-example", "data-example"])
        assert.match(ran, new RegExp(`^# Subtest: check ${id}\\n(?: +.*\\n)+? {4}1\\.\\.6\\n(?: +.*\\n)*ok `, "m"));
      const failed = [...ran.matchAll(/^ +not ok \d+ - (.*)$/gm)].map(([, name]) => name);
      assert.deepEqual(failed, ["has no placeholder text of npm run new-check left"], ran);
    },
  );

  test("creates code with valid types, in the project's own style", { timeout: 3 * MINUTE, skip: nightly }, () => {
    assert.equal(scaffold("another-example").status, 0);
    // The configuration itself includes tests and tools, most of which are not in the copy.
    writeFileSync(
      join(copy, "types.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: [join("src", "checks", "index.ts")] }),
    );
    for (const args of [
      ["typescript/bin/tsc", "-p", "types.json"],
      ["oxlint/bin/oxlint", "--type-aware", REGISTRY, "src/checks/another-example"],
      ["oxfmt/bin/oxfmt", "--check", REGISTRY, "src/checks/another-example"],
    ]) {
      const { status, out, err } = node([`node_modules/${args[0]}`, ...args.slice(1)], NO_COLLECTIONS);
      assert.equal(status, 0, out + err);
    }
  });

  test("rejects an invalid, an existing and a missing id in one line", () => {
    for (const args of [["Bad"], ["webhooks"], [], ["one", "two"], ["--data", "webhooks"], ["--dta", "one"]]) {
      const { status, out, err } = scaffold(...args);
      assert.deepEqual([status, out], [2, ""], args.join(" "));
      assert.match(err, /^new-check: [^\n]+\n$/);
    }
  });
});
