import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { faultFormats } from "../../../../src/cli/commands/checks/fault-formats.ts";
import { listTextWarnings } from "../../../../src/cli/commands/checks/lint.ts";
import { type CheckFault, formatFault } from "../../../../src/data-checks/format/fault.ts";
import { type Json, listAt, objectAt } from "../../../../src/model/json.ts";
import { type CommandResult, runWords } from "../../../support/cli/run-words.ts";
import { BUG, buildListText } from "../../../support/checks/known-bugs/list-texts.ts";
import { buildSarifValidator } from "../../../support/format/sarif-validator.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const soundFolder = join(folder, "sound");
let sound = "";
before(async () => {
  await runWords("checks", "new", "widget-drivers", soundFolder);
  sound = readFileSync(join(soundFolder, "check.yaml"), "utf8");
});

/** Lints the sound check with a part of its text replaced. */
async function lintChanged(part: string, by: string, ...more: readonly string[]): Promise<CommandResult> {
  assert.ok(sound.includes(part), part);
  const file = join(folder, "changed.yaml");
  writeFileSync(
    file,
    sound.replace(part, () => by),
  );
  return runWords("checks", "lint", file, ...more);
}

const NOT_KNOWN =
  "The fields of widgets.example.com are not known, so no mistake in them is found. Name their definitions with --crds, --target or a cluster.\n";

test("a check that preflight wrote has no mistakes, and its cases are left alone", async () => {
  const { code, out, err } = await runWords("checks", "lint", soundFolder);
  assert.deepEqual([code, out, err], [0, "", `No mistakes in 1 file.\n${NOT_KNOWN}`]);
});

const MISTAKES: readonly (readonly [part: string, by: string, said: RegExp])[] = [
  ['== "legacy"', '== "legacy', /: spec\.risks\.?\[0\]\.findings\.?\[0\]\.when: /],
  ["widgets.items", "wigdets.items", /did you mean widgets\?/],
  ["effect: broken", "effect: refused", /: spec\.risks\.?\[0\]\.effect: only the cluster-version operator refuses/],
  ["leadTime: hours", "leedTime: hours", /did you mean leadTime\?/],
  ["name: widget-drivers", "name: [", /not valid YAML/],
];
for (const [part, by, said] of MISTAKES)
  test(`'${by}' is reported at its line`, async () => {
    const { code, out, err } = await lintChanged(part, by);
    assert.equal(code, 3);
    assert.match(out, said);
    assert.match(out, /changed\.yaml:\d+:\d+: .*\n +\d+ \| .*\n +\| +\^/);
    assert.match(err, /^\d+ errors? in 1 file\.\n/);
  });

test("the mistakes of several files are all reported, and those of a file given twice once", async () => {
  const both = join(folder, "both");
  mkdirSync(both);
  for (const name of ["a", "b"]) {
    const text = sound.replace("effect: broken", "effect: x").replaceAll("widget-drivers", name);
    writeFileSync(join(both, `${name}.yaml`), text.replace("WidgetDriversFault", `Fault${name}`));
  }
  const { code, out } = await runWords("checks", "lint", both, join(both, "a.yaml"), "-o", "json");
  const report: Json = JSON.parse(out);
  assert.equal(code, 3);
  assert.deepEqual(
    listAt(report, "faults").map((fault) => objectAt(fault)?.["place"]),
    ["spec.risks[0].effect", "spec.risks[0].effect"],
  );
  assert.deepEqual(objectAt(report)?.["files"], 2);
});

test("SARIF names the file, the line and the columns, and is valid", async () => {
  const { code, out } = await lintChanged("effect: broken", "effect: refused", "-o", "sarif");
  const log: Json = JSON.parse(out);
  assert.equal(code, 3);
  const validate = buildSarifValidator();
  validate(log);
  assert.deepEqual(validate.errors, null);
  const [result] = listAt(log, "runs", 0, "results");
  const region = objectAt(result, "locations", 0, "physicalLocation", "region");
  const line = sound.split("\n").findIndex((one) => one.includes("effect: broken")) + 1;
  assert.deepEqual(region, { startLine: line, startColumn: 15, endColumn: 22 });
});

describe("a warning", () => {
  const WARNINGS: readonly (readonly [part: string, by: string, said: RegExp])[] = [
    ["The driver is legacy.", "The driver is legacy", /does not end as a sentence does\n.*\n +\| +\^{6}$/m],
    ["Set spec.driver", "Please set spec.driver", /remediation: .* without please\n.*\n +\| +\^{6}$/m],
    [
      "use the legacy driver\n",
      "use the legacy driver.\n",
      /title: a title has no full stop\n.*\n +\| +\^ leave it out$/m,
    ],
    ["pods that move there", `pods ${"and pods ".repeat(20)}`, /message: this sentence has more than 25 words/],
  ];
  for (const [part, by, said] of WARNINGS)
    test(`about '${by.slice(0, 30)}' counts with --strict only`, async () => {
      const { code, out, err } = await lintChanged(part, by);
      assert.deepEqual([code, err], [0, `1 warning in 1 file.\n${NOT_KNOWN}`]);
      assert.match(out, said);
      assert.equal((await lintChanged(part, by, "--strict")).code, 4);
      assert.equal((await lintChanged(part, by, "--no-strict")).code, 0);
    });

  const fault: CheckFault = {
    severity: "warning",
    file: "my checks/a#1.yaml",
    line: 2,
    column: 3,
    length: 4,
    place: "spec.title",
    message: "odd](x)",
    hint: "write it out",
    lineText: "  title: x",
  };

  test("is a result of its own rule in SARIF, at a valid address", () => {
    const log: Json = JSON.parse(faultFormats.sarif({ version: "1.2.3", files: 1, faults: [fault] }));
    const validate = buildSarifValidator();
    validate(log);
    assert.deepEqual(validate.errors, null);
    const result = objectAt(log, "runs", 0, "results", 0);
    assert.deepEqual([result?.["ruleId"], result?.["level"]], ["CheckWarning", "warning"]);
    assert.deepEqual(result?.["message"], { text: "spec.title: odd] (x) (write it out)" });
  });
});

test("the texts of preflight's own checks have no warning", async () => {
  const root = join(import.meta.dirname, "..", "..", "..", "..");
  const files = globSync("src/checks/*/check.yaml", { cwd: root });
  assert.ok(files.length >= 10);
  const texts = files.map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
  assert.deepEqual((await Promise.all(texts.map(listTextWarnings))).flat().map(formatFault), []);
});

test("files that are missing, empty or unreadable are named", async () => {
  const absent = await runWords("checks", "lint", join(folder, "absent"));
  assert.deepEqual(
    [absent.code, absent.err],
    [2, `preflight: ${join(folder, "absent")} does not exist: name a file with checks, or its folder\n`],
  );
  mkdirSync(join(folder, "empty"));
  const empty = await runWords("checks", "lint", join(folder, "empty"));
  assert.equal(empty.code, 2);
  assert.match(empty.err, /empty has no file \*\.yaml: name a file with checks, or its folder\n$/);
  writeFileSync(join(folder, "large.yaml"), "#".repeat((1 << 20) + 1));
  const large = await runWords("checks", "lint", join(folder, "large.yaml"));
  assert.equal(large.code, 1);
  assert.match(large.err, /large\.yaml can't be read: it has more than 1 MiB\n$/);
});

describe("a manifest of a release", () => {
  const HEAD = `apiVersion: v1
kind: ConfigMap
metadata: {namespace: openshift-widgets, name: checks, labels: {LABEL: FORMAT}}
data:
  widget-drivers.yaml: |
`;

  /** Lints the sound check in a ConfigMap, with a part of its text replaced. */
  async function lintShipped(part: string, by: string, format = "v1alpha1", label = "checks"): Promise<CommandResult> {
    const file = join(folder, "manifest.yaml");
    const text = sound.replace(part, () => by).replaceAll(/^./gm, "    $&");
    writeFileSync(file, HEAD.replace("FORMAT", format).replace("LABEL", `preflight.openshift.io/${label}`) + text);
    return runWords("checks", "lint", file);
  }

  test("is judged as checks of a release, which may say that an update is refused", async () => {
    const { code, out, err } = await lintShipped("effect: broken", "effect: refused");
    assert.deepEqual([code, out, err.replace(NOT_KNOWN, "")], [0, "", "No mistakes in 1 file.\n"]);
  });

  test("names the line and column of the manifest", async () => {
    const { code, out } = await lintShipped("leadTime: hours", "leedTime: hours");
    const line = sound.split("\n").findIndex((one) => one.includes("leadTime: hours")) + 1;
    const column = (sound.split("\n")[line - 1] ?? "").indexOf("leadTime") + 5;
    assert.equal(code, 3);
    assert.ok(out.startsWith(`${join(folder, "manifest.yaml")}:${line + 5}:${column}: `), out);
    assert.match(out, /did you mean leadTime\?/);
  });

  test("may have no name that preflight's own checks have, with no prefix of its own", async () => {
    const { code, out } = await lintShipped("WidgetDriversFault", "CgroupV1Removed");
    assert.equal(code, 3, out);
    assert.match(out, /the name CgroupV1Removed is taken/);
  });

  test("of a format that this build does not know is an error", async () => {
    const { code, out } = await lintShipped("", "", "v2");
    assert.equal(code, 3);
    assert.match(out, /ConfigMap openshift-widgets\/checks\)?:1:1: its checks have the format v2/);
  });
  test("without the label is an error, since a release with it brings no check", async () => {
    const { code, out } = await lintShipped("", "", "v1alpha1", "check");
    assert.equal(code, 3);
    assert.match(out, /manifest\.yaml:1:1: its ConfigMap has no label preflight\.openshift\.io\/checks, so a release/);
  });
});

describe("the kinds of custom resources", () => {
  const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: stable-channel}
spec:
  title: The channel is stable
  applies: {updates: [minor]}
  reads:
    version: {get: config.openshift.io/v1/clusterversions, name: version}
  risks:
    - name: ChannelUnstable
      effect: stuck
      title: The channel is not stable
      url: https://example.com/channels
      message: "\${objects} follows a channel of candidates."
      remediation: Choose a stable channel.
      findings: [{object: version, when: 'version.?spec.?FIELD.orValue("").startsWith("candidate")', message: It is no stable one.}]
`;
  const CRD = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusterversions.config.openshift.io" },
    spec: {
      group: "config.openshift.io",
      names: {
        kind: "ClusterVersion",
        listKind: "ClusterVersionList",
        plural: "clusterversions",
        singular: "clusterversion",
      },
      scope: "Cluster",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { channel: { type: "string" } } } },
            },
          },
        },
      ],
    },
  };
  const file = join(folder, "channel.yaml");
  const crds = join(folder, "versions.crd.json");
  const lintField = (field: string, ...more: readonly string[]): Promise<CommandResult> => {
    writeFileSync(file, CHECK.replace("FIELD", field));
    return runWords("checks", "lint", file, ...more);
  };
  before(() => writeFileSync(crds, JSON.stringify(CRD)));

  test("are known from a file, a release and a cluster", async () => {
    for (const named of [
      ["--crds", crds],
      ["--target", "demo/release"],
      ["--recorded", "demo"],
    ]) {
      const { code, out } = await lintField("chanel", ...named);
      assert.equal(code, 3, named.join(" "));
      assert.match(out, /:16:\d+: .*: there is no field chanel\n.*\n.*\^{6} did you mean channel\?/, named.join(" "));
      assert.deepEqual(await lintField("channel", ...named), { code: 0, out: "", err: "No mistakes in 1 file.\n" });
    }
  });

  test("are known for a list of known bugs, too", async () => {
    const when = 'version.?spec.?chanel.orValue("") == "candidate"';
    const reads = { version: { get: "config.openshift.io/v1/clusterversions", name: "version" } };
    const bugs = join(folder, "bugs.yaml");
    writeFileSync(bugs, buildListText([{ ...BUG, reads, findings: [{ when, object: "version" }] }]).text);
    assert.equal((await runWords("checks", "lint", bugs)).code, 0);
    const { code, out } = await runWords("checks", "lint", bugs, "--crds", crds);
    assert.equal(code, 3);
    assert.match(out, /there is no field chanel/);
  });

  test("are told where a definition can't be used", async () => {
    const both = join(folder, "crds");
    mkdirSync(both);
    writeFileSync(join(both, "versions.yaml"), JSON.stringify(CRD));
    writeFileSync(join(both, "broken.yaml"), "kind: CustomResourceDefinition\napiVersion: [");
    const { code, err } = await lintField("channel", "--crds", both);
    assert.equal(code, 0);
    assert.match(err, /^preflight: skipped: .*broken\.yaml.*\nNo mistakes in 1 file\.\n$/);
  });

  test("are not known otherwise, and what can't be read ends the command", async () => {
    assert.equal((await lintField("chanel")).code, 0);
    for (const named of [
      ["--crds", "none"],
      ["--target", "oci:none"],
      ["--recorded", "none"],
    ]) {
      const { code, out, err } = await lintField("channel", ...named);
      assert.deepEqual([code, out], [1, ""], named.join(" "));
      assert.match(err, /^preflight: .*none/, named.join(" "));
    }
  });
});
