import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { nightly } from "../support/cases/sample.ts";
import { spawnPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const RELEASE = ["--target", "demo/release"];
const DEMO = ["--recorded", "demo", ...RELEASE];
const PLAN = ["--recorded", "demo", "--to", "4.18.6", "--release", "demo/release"];
const CRD = "demo/release/0000_50_storage_01_backupplans.crd.yaml";
const CHECK = "examples/checks/node-labels";
/** Commands in words are not for artefacts. */
const SHARED_CHECK = "examples/checks/custom-resource-field";
/** Ends a command that needs a cluster once its code is loaded. */
const ABSENT = ["--kubeconfig", "/nonexistent/kubeconfig"];
const NO_CLUSTER = /\/nonexistent\/kubeconfig/;

type Run = readonly [name: string, words: readonly string[], code: number, said: RegExp];

/** Each command once: other tests run the sources, and would not see what the build has left out or has bound wrongly. */
const RUNS: readonly Run[] = [
  ["run", ["--format=preflight-v1-json", ...DEMO, "--interval", "0"], 0, /"executionStatus":\s*"completed"/],
  ["check", ["check", ...DEMO], 3, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 5 risks/],
  ["plan", ["plan", ...PLAN], 3, /4\.17\.20 -> 4\.18\.6/],
  ["playbook", ["playbook", ...PLAN], 0, /4\.18\.6/],
  ["fleet", ["fleet", ...RELEASE, "--results", folder, ...ABSENT], 1, NO_CLUSTER],
  ["compare", ["compare", "package.json", "package.json"], 1, /package\.json/],
  ["crds", ["crds", "--from", CRD, "--to", CRD], 0, /1 CRD/],
  ["manifests", ["manifests", CRD, "--to", "v1.36"], 0, /takes every object as it is written/],
  ["checks new", ["checks", "new", "by-executable", join(folder, "new")], 0, /^Wrote a check /],
  ["checks lint", ["checks", "lint", CHECK], 0, /^No mistakes in 1 file\.$/m],
  ["checks test", ["checks", "test", CHECK], 0, /(\d+) of \1 cases passed\./],
  ["checks explain", ["checks", "explain", CHECK, "--recorded", "demo"], 0, /^node-racks: /],
  ["checks backtest", ["checks", "backtest", CHECK, "demo"], 0, /^1 cluster$/m],
  ["checks pack", ["checks", "pack", SHARED_CHECK, "-o", join(folder, "packed.tar")], 0, /sha256:/],
  ["checks pull", ["checks", "pull", "absent.tar", "--dest-dir", join(folder, "pulled")], 1, /absent\.tar/],
  ["checks list", ["checks", "list", "--index", "package.json"], 1, /package\.json/],
  ["checks migrate", ["checks", "migrate", CHECK], 0, /^1 file: nothing to change\.$/m],
  ["checks annotate", ["checks", "annotate", "package.json"], 1, /package\.json/],
  ["list", ["list"], 0, /^crd-skew /m],
  ["explain", ["explain", "CrdSkewUnknown"], 0, /^CrdSkewUnknown: /],
  ["rbac", ["rbac"], 0, /kind: ClusterRole/],
  ["record", ["record", ...RELEASE, "--dest-dir", join(folder, "recorded"), ...ABSENT], 1, NO_CLUSTER],
  ["validate", ["validate", "package.json"], 1, /package\.json/],
  ["completion", ["completion", "bash"], 0, /complete /],
  ["mcp", ["mcp", "--recorded", "demo"], 0, /^$/],
  ...["status", "cancel", "update-status-controller"].map((name): Run => [name, [name, ...ABSENT], 1, NO_CLUSTER]),
  ["request", ["request", "--to", "4.18.6", ...ABSENT], 1, NO_CLUSTER],
  ["controller", ["controller", "--image", "example.com/runner", ...ABSENT], 1, NO_CLUSTER],
  ["accept", ["accept", "CrdSkewUnknown", ...ABSENT], 1, NO_CLUSTER],
];

/** Those that build.test.ts, component-checks, and full-disk, stop-signals and found-config of test/cli start for each change. */
const ALSO_ELSEWHERE = new Set(
  "run,check,plan,playbook,fleet,list,explain,crds,completion,checks lint,checks test,status,controller,update-status-controller,mcp".split(
    ",",
  ),
);

suite("every command of the executable", () => {
  test("is run here", () => {
    assert.deepEqual(RUNS.map(([name]) => name).toSorted(), COMMANDS.map(({ name }) => name).toSorted());
  });

  for (const [name, words, expected, said] of RUNS)
    test(name, { skip: ALSO_ELSEWHERE.has(name) && nightly }, async () => {
      const { code, out, err } = await spawnPreflight(words);
      assert.equal(code, expected, err);
      assert.match(`${out}${err}`, said);
      assert.doesNotMatch(err, /unexpected error/);
    });

  test("completion, which shells call", async () => {
    const { code, out, err } = await spawnPreflight(["__complete", "--", "chec"]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^check -- .*\nchecks -- .*\n$/);
  });
});
