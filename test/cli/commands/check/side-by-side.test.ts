import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const VERSIONS = ["4.17.30", "4.18.12"] as const;
const folder = createTemporaryFolder();
const pathOf = (text: string): string => join(folder, text);

before(async () => {
  for (const text of VERSIONS) await writeDemoRelease(pathOf(text), text);
});

const check = (...args: readonly string[]) => runPreflight(["check", "--recorded", "demo", ...args]);
const targetFlags = (...paths: readonly string[]) => paths.flatMap((path) => ["--target", path]);

test("several targets have the results that each has alone, from one read of the cluster", async () => {
  const paths = ["demo/release", ...VERSIONS.map(pathOf)];
  const together = await check(...targetFlags(...paths), "-o", "json");
  assert.equal(together.code, 3, together.err);
  const { targets } = JSON.parse(together.out);
  assert.equal(targets.length, paths.length);
  for (const [i, path] of paths.entries()) {
    const alone = JSON.parse((await check("--target", path, "-o", "json")).out);
    assert.deepEqual(selectVerdicts(targets[i].result), selectVerdicts(alone));
  }
  const countReads = async (...flags: readonly string[]): Promise<number> =>
    (await check(...flags, "--verbose")).err.split("\n").filter((line) => line.includes("/poddisruptionbudgets"))
      .length;
  assert.equal(await countReads(...targetFlags(...paths)), await countReads("--target", "demo/release"));
});

function selectVerdicts(result: Readonly<Record<string, unknown>>): object {
  const { targetVersion, targetDigest, checks, complete } = result;
  const risks = JSON.stringify(result["risks"]).replaceAll(/"lastTransitionTime":"[^"]*"/g, "");
  return { targetVersion, targetDigest, checks, complete, risks };
}

test("the table has a column for each target, then common results, then differences", async () => {
  const { code, out } = await check(...targetFlags("demo/release", pathOf("4.17.30")));
  assert.equal(code, 3);
  assert.match(out, /\nRisk +4\.18\.6 +4\.17\.30\nOperatorIncompatibleWithNextMinor +1 object +-\n/);
  assert.match(
    out,
    /\n== All checked targets \(in the words for 4\.18\.6\)\n\nThe update gets stuck\n\n {2}DrainBlocked/,
  );
  assert.match(out, /\n== Only 4\.18\.6\n\nThe update is refused\n\n {2}OperatorIncompatibleWithNextMinor/);
});

test("a target that can't be read leaves the result incomplete, and all of them are a failure", async () => {
  const one = await check(...targetFlags("demo/release", pathOf("absent")), "--only", "etcd-health");
  assert.equal(one.code, 4, one.out);
  assert.match(one.out, /absent: not checked\n.* does not exist/);
  const none = await check(...targetFlags(pathOf("absent"), pathOf("gone")));
  assert.deepEqual([none.code, none.out], [1, ""]);
  assert.match(none.err, /^preflight: .*absent does not exist.*; .*gone does not exist.*\n$/);
});

test("two targets of one version are told apart by what was given", async () => {
  const { out } = await check(...targetFlags("demo/release", "demo/release/"), "--only", "etcd-health", "-o", "json");
  const { targets } = JSON.parse(out);
  assert.deepEqual(
    targets.map(({ name }: { readonly name: string }) => name),
    ["4.18.6 (demo/release)", "4.18.6 (demo/release/)"],
  );
});

test("several targets are one page", async () => {
  const { code, out, err } = await check("--target-version", "4.18.1,4.18.2", "-o", "html");
  assert.equal(code, 3, err);
  assert.match(out, /<h1>4\.18\.1, 4\.18\.2<\/h1>[^]*<h2>All checked targets/);
});

const REFUSED: readonly (readonly [args: readonly string[], fault: RegExp])[] = [
  [["--target-version", "4.18.1,4.18.2", "-o", "csv=x.csv"], /-o csv is for one target/],
  [["--target-version", "4.18.1,4.18.2", "--quiet"], /--quiet is for one target/],
  [["--target-version", "4.18.1,4.18.2", "--to", "4.18"], /--target-version names several targets: remove --to\n/],
  [["--target-version", "4.18.1,4.18.2", "--crds", "demo/release"], /--crds replaces the target/],
];
for (const [args, fault] of REFUSED)
  test(`refused: ${args.join(" ")}`, async () => {
    const { code, out, err } = await check(...args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, fault);
  });
