import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run as explain } from "../../src/cli/commands/explain.ts";
import { runPreflight, spawnPreflight } from "../../verify/shared/preflight.ts";
import { NO_CHECK_FILES, createTestIo } from "../support/cli/test-io.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const DEMO = ["--recorded", "demo", "--target", "demo/release"];
const RISKS = [
  "CrdServedVersionRemoved",
  "CustomResourceFieldsFrozen",
  "DrainBlockedByDisruptionBudget",
  "OVNSeveralClusterNetworksBreakPods",
  "OperatorIncompatibleWithNextMinor",
];

const folder = createTemporaryFolder();

test("--version prints one line", async () => {
  const { code, out, err } = await spawnPreflight(["--version"]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^preflight \d+\.\d+\.\d+\n$/);
});

test("check prints a table without ANSI codes to a pipe and exits with 3", async () => {
  const { code, out, err } = await runPreflight(["check", ...DEMO]);
  assert.deepEqual([code, err], [3, ""]);
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 5 risks, 1 check could not be completed\n/);
  assert.ok(!out.includes("\u001b"));
  for (const name of RISKS) assert.match(out, new RegExp(`^${name}: `, "m"));
});

const codes: readonly (readonly [readonly string[], number])[] = [
  [[], 3],
  [["--accept", RISKS.slice(1).join(",")], 3],
  [["--accept", RISKS.join(",")], 4],
  [["--accept", RISKS.join(","), "--accept", "CrdSkewUnknown"], 0],
  [["--accept", RISKS.join(","), "--fail-on", "risk"], 0],
  [["--fail-on", "never"], 0],
  [["--only", "boot-image-skew"], 4],
  [["--only", "boot-image-skew", "--fail-on", "risk"], 0],
  [["--only", "boot-image-skew", "--accept", "PreflightChecksLeftOut"], 0],
  [["--skip", "crd-skew", "--accept", RISKS.slice(2).join(",")], 4],
  [["--no-unknown-risks", "--accept", RISKS.join(",")], 4],
];
for (const [more, expected] of codes) {
  test(`check ${more.join(" ")} exits with ${expected}`, async () => {
    assert.equal((await runPreflight(["check", ...DEMO, ...more])).code, expected);
  });
}

test("--quiet prints only the names that are not accepted", async () => {
  const { out } = await runPreflight(["check", ...DEMO, "--quiet", "--accept", "CustomResourceFieldsFrozen"]);
  assert.equal(out, [RISKS[0], "CrdSkewUnknown", ...RISKS.slice(2), ""].join("\n"));
});

test("-o json is the document with every finding; -o preflight-v1-json is valid", async () => {
  const json = JSON.parse((await runPreflight(["check", ...DEMO, "-o", "json"])).out);
  const skew = json.checks.find((check: { readonly id: string }) => check.id === "crd-skew");
  assert.equal(skew.findings.length, 6);
  assert.deepEqual(skew.findings[0].object, {
    apiVersion: "storage.example.com/v1",
    kind: "BackupPlan",
    namespace: "billing",
    name: "invoices",
  });
  const file = join(folder, "document.json");
  await writeFile(file, (await runPreflight(["check", ...DEMO, "-o", "preflight-v1-json"])).out);
  const { code, out } = await runPreflight(["validate", file]);
  assert.equal(code, 0, out);
  assert.match(out, /is a valid preflight-v1-json document \(completed, 6 risks\)/);
});

test("--accept with an unknown name prints one line to stderr, and JSON lists the accepted names", async () => {
  const accept = "CustomResourceFieldsFroze,CustomResourceFieldsFrozen,KubeletTooOldForTarget,Nothing";
  const { code, out, err } = await runPreflight(["check", ...DEMO, "-o", "json", "--accept", accept]);
  assert.equal(code, 3);
  assert.deepEqual(JSON.parse(out).accepted, ["CustomResourceFieldsFrozen"]);
  assert.equal(
    err,
    "preflight: --accept: CustomResourceFieldsFroze is not the name of a known risk: did you mean CustomResourceFieldsFrozen?\n" +
      "preflight: --accept: Nothing is not the name of a known risk: see 'preflight list'\n",
  );
});

test("two runs on the same state print the same output", async () => {
  const one = await runPreflight(["check", ...DEMO]);
  const other = await runPreflight(["check", ...DEMO]);
  assert.equal(one.out, other.out);
});

test("validate exits with 1 and explains what is wrong", async () => {
  const file = join(folder, "broken.json");
  await writeFile(file, '{"format":"preflight-v1-json","executionStatus":"completed","risks":[{}]}');
  const { code, out } = await runPreflight(["validate", file]);
  assert.equal(code, 1);
  assert.match(out, /risks\[0\]/);
});

test("the runner ignores an extra argument preflight, and writes the document of one cycle", async () => {
  const output = join(folder, "made", "for", "it.json");
  const { code, out } = await runPreflight([
    "preflight",
    "--format=preflight-v1-json",
    ...DEMO,
    "--interval",
    "0",
    "--document",
    output,
  ]);
  assert.deepEqual([code, out], [0, ""]);
  const document = JSON.parse(await readFile(output, "utf8"));
  assert.deepEqual(
    [document.executionStatus, document.complete, document.targetVersion],
    ["completed", false, "4.18.6"],
  );
  assert.deepEqual(
    document.risks.map((risk: { readonly name: string }) => risk.name),
    [RISKS[0], "CrdSkewUnknown", ...RISKS.slice(1)],
  );
});

test("the runner writes a failed document for an invalid target version, and exits with 2", async () => {
  const output = join(folder, "none.json");
  const { code } = await runPreflight([
    "--format=preflight-v1-json",
    "--recorded",
    "demo",
    "--target-version",
    "x",
    "--interval",
    "0",
    "--document",
    output,
  ]);
  assert.equal(code, 2);
  const document = JSON.parse(await readFile(output, "utf8"));
  assert.deepEqual([document.executionStatus, document.failure.reason], ["failed", "InvalidVersion"]);
});

test(
  "a document that cannot be written is reported, and a run of one cycle exits with 1",
  { timeout: 60_000 },
  async () => {
    const { code, err } = await runPreflight([
      "--format=preflight-v1-json",
      ...DEMO,
      "--interval",
      "0",
      "--output",
      "/proc/none/x.json",
    ]);
    assert.equal(code, 1);
    assert.match(err, /the document could not be written/);
  },
);

test("settings come from the environment, and flags win", async () => {
  const env = {
    PREFLIGHT_RECORDED: "demo",
    PREFLIGHT_TARGET: "demo/release",
    PREFLIGHT_SKIP: "crd-skew",
    PREFLIGHT_NOT_OURS: "x",
  };
  assert.equal(
    (await runPreflight(["check", "--quiet"], env)).out,
    `${[...RISKS.slice(2), "PreflightChecksLeftOut"].toSorted().join("\n")}\n`,
  );
  assert.equal((await runPreflight(["check", "--quiet", "--target", "/nonexistent"], env)).code, 1);
});

const wrongUses: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a missing command", [], /name a command, or use --format=preflight-v1-json/],
  ["an unknown format", ["--format=preflight-v9"], /--format "preflight-v9" is not known: use preflight-v1-json/],
  ["an unknown command", ["frobnicate"], /unknown command "frobnicate"; see 'preflight --help'/],
  ["a misspelled command", ["chek", ...DEMO], /unknown command "chek": did you mean check\?/],
  ["a misspelled command to help with", ["help", "lst"], /unknown command "lst": did you mean list\?/],
  [
    "a misspelled flag",
    ["check", ...DEMO, "--skp=nodes"],
    /unknown option --skp: did you mean --skip\?; see 'preflight help check'/,
  ],
  [
    "a misspelled flag of the runner",
    ["--formt=x"],
    /unknown option --formt: did you mean --format\?; see 'preflight help runner'/,
  ],
  ["a word too many", ["check", ...DEMO, "now"], /unexpected argument "now"; see 'preflight help check'/],
  [
    "a misspelled check",
    ["check", ...DEMO, "--only", "crd-skw"],
    /no check has the id "crd-skw": did you mean crd-skew\?/,
  ],
  [
    "a misspelled risk to explain",
    ["explain", "CgroupRemoved"],
    /called "CgroupRemoved": did you mean CgroupV1Removed\?/,
  ],
  ["a shell without completion", ["completion", "tcsh"], /no completion for "tcsh": choose one of bash, zsh, fish/],
  ["an unknown flag", ["check", ...DEMO, "--frob"], /frob/],
  ["a missing target", ["check", "--recorded", "demo"], /--target DIR/],
  ["an invalid target version", ["check", "--recorded", "demo", "--target-version", "4.x"], /"4\.x" is not a version/],
  [
    "an unknown check",
    ["check", ...DEMO, "--only", "frobnicate"],
    /no check has the id "frobnicate": the ids are admin-acks/,
  ],
  [
    "a looping runner without an output",
    ["--format=preflight-v1-json", ...DEMO],
    /use --document FILE, or --interval 0/,
  ],
  [
    "an invalid duration",
    ["--format=preflight-v1-json", ...DEMO, "--interval", "5 apples"],
    /"5 apples" is not a duration/,
  ],
  [
    "a bad address",
    ["--format=preflight-v1-json", ...DEMO, "--interval", "0", "--listen", "nowhere"],
    /"nowhere" is not an address/,
  ],
  [
    "too high a concurrency",
    ["check", ...DEMO, "--concurrency", "99"],
    /--concurrency must be a whole number from 1 to 32/,
  ],
  ["an unknown name to explain", ["explain", "Nope"], /no check or risk is called "Nope"/],
  ["record without a folder", ["record", ...DEMO.slice(2)], /--dest-dir is required/],
];
for (const [what, args, message] of wrongUses) {
  test(`${what} prints one line to stderr and exits with 2`, async () => {
    const { code, out, err } = await runPreflight(args);
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, /^preflight: [^\n]+\n$/);
    assert.match(err, message);
  });
}

const failures: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a missing target folder", ["check", "--recorded", "demo", "--target", "/nonexistent"], /\/nonexistent/],
  ["a target that is a file", ["check", "--recorded", "demo", "--target", "package.json"], /package\.json/],
  ["a missing recording", ["check", "--recorded", "/nonexistent", "--target", "demo/release"], /\/nonexistent/],
  ["a missing kubeconfig", ["check", "--kubeconfig", "/nonexistent", "--target", "demo/release"], /\/nonexistent/],
  ["no kubeconfig at all", ["check", "--target", "demo/release"], /kubeconfig/],
  ["unsupported skew", ["check", "--recorded", "demo", "--target-version", "9.0.0"], /4\.17\.20.*9\.0\.0/],
  ["a missing file to validate", ["validate", "/nonexistent"], /reading \/nonexistent/],
];
for (const [what, args, message] of failures) {
  test(`${what} prints one line to stderr and exits with 1`, async () => {
    const { code, out, err } = await runPreflight(args);
    assert.deepEqual([code, out], [1, ""], err);
    assert.match(err, /^preflight: [^\n]+\n$/);
    assert.match(err, message);
  });
}

test("a failed check still prints a document on request", async () => {
  const { code, out } = await runPreflight([
    "check",
    "--recorded",
    "demo",
    "--target",
    "/nonexistent",
    "-o",
    "preflight-v1-json",
  ]);
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).failure.reason, "PayloadUnreadable");
});

test("a version without a folder is enough for the checks that need no manifests", async () => {
  const { code, out } = await runPreflight(["check", "--recorded", "demo", "--target-version", "4.18.6"]);
  assert.equal(code, 3);
  assert.match(out, /OVNSeveralClusterNetworksBreakPods/);
  assert.match(out, /no folder with the target's manifests was given/);
});

test("list, explain and rbac cover every check", async () => {
  const listed = JSON.parse((await runPreflight(["list", "-o", "json"])).out);
  assert.ok(listed.length >= 4);
  const table = (await runPreflight(["list"])).out;
  const rbac = (await runPreflight(["rbac"])).out;
  for (const { id, risks, unknownRisk } of listed) {
    assert.match(table, new RegExp(`^${id} `, "m"));
    for (const name of [id, unknownRisk, ...risks.map((risk: { readonly name: string }) => risk.name)]) {
      const written: string[] = [];
      assert.equal(await explain({ words: [name], ...NO_CHECK_FILES }, createTestIo(written)), 0);
      assert.match(written.join(""), new RegExp(`^${name}: `));
    }
  }
  assert.match(rbac, /kind: ClusterRole/);
  assert.ok(!rbac.includes("secrets"));
});

test("list and explain show a check's platforms and the aliases of its risks", async () => {
  const table = (await runPreflight(["list"])).out;
  assert.match(table, /^feature-set .* OpenShift +FeatureSetForbidsUpdates\*$/m);
  assert.match(table, /^monitoring-config .* MonitoringConfigAlertmanagerV1\+/m);
  assert.match(table, /^kubelet-skew .* OpenShift, Kubernetes +Kubelet/m);
  assert.match(table, /^certificates-expiring .*\(only with --only\)/m);
  const listed: readonly { readonly id: string }[] = JSON.parse((await runPreflight(["list", "-o", "json"])).out);
  const featureSet = JSON.stringify(listed.find(({ id }) => id === "feature-set"));
  assert.match(featureSet, /"portable":false.*"liftedAs":"ClusterOperatorUpgradeable-config-operator"/);
  const explained = (await runPreflight(["explain", "FeatureSetForbidsUpdates"])).out;
  assert.match(explained, /reports it as ClusterOperatorUpgradeable-config-operator\s+\(see --lifted\)\.\n/);
  const published = (await runPreflight(["explain", "AlertmanagerV1NotSupported"])).out;
  assert.match(
    published,
    /^MonitoringConfigAlertmanagerV1: [^]*The update service calls it AlertmanagerV1NotSupported\.\n/,
  );
});

test("rbac grants get by name, list by kind, and no other verb", async () => {
  const { out } = await runPreflight(["rbac", "--target", "demo/release"]);
  assert.deepEqual(
    [...new Set([...out.matchAll(/^ {6}- (get|list|watch|create|update|patch|delete|\*)$/gm)].map(([, verb]) => verb))],
    ["get", "list"],
  );
  assert.match(out, /- backupplans\n/);
  assert.ok(!/apiGroups:\n\s+- ''\n\s+resources:\n\s+- '\*'/.test(out));
});
