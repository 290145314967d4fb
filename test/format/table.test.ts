import assert from "node:assert/strict";
import { test } from "node:test";
import { createUnknown, check, finding, report, reportOf, risk, version } from "../../verify/pages/sample.ts";
import { formatTable, fullReport } from "../../verify/pages/table-sample.ts";

const PLAIN = { accepted: new Set<string>(), colour: false, width: 80 } as const;
const ACCEPTED = { ...PLAIN, accepted: new Set(["DualStackNetworks"]) } as const;
const IDLE = check("c", {
  kind: "notApplicable",
  reason: "This check does not apply to patch updates (4.18 to 4.18).",
});

const FULL = [
  "Don't update yet. 4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, 1 check could not be completed, only the last release checked",
  "Why: 1 refuses the update.",
  "",
  "Effect    Risk                Objects   Takes   Mended by",
  "refused   CgroupModeRemoved   cluster   hours   1 command",
  "",
  "CgroupModeRemoved: Node cluster (spec.cgroupMode) asks for cgroup v1. The target",
  "  refuses it, and nodes would not come back after their restart.",
  '  Fix (disruptive)  oc patch node.config.openshift.io/cluster --type=merge -p \'{"spec":{"cgroupMode":"v2"}}\'',
  "",
  "Accepted",
  "",
  "  - DualStackNetworks (7 objects)",
  "",
  "Could not be checked",
  "",
  "  - machineconfigurations.operator.openshift.io cluster: reading",
  "    machineconfigurations.operator.openshift.io cluster was forbidden",
  "    (Forbidden) [boot-images]",
  "  - nodes: TimedOut [boot-images]",
  "  - the releases on the way: 4.19 lies between 4.18.8 and 4.20.3: this is",
  "    several updates, and only the last release was checked. The update service",
  '    does not offer it to this cluster as one. "preflight plan --to 4.20.3"',
  "    checks each of them (MinorsBetween)",
  '  Do         Grant the rights that "preflight rbac" prints.',
  "  Accept as  BootImagesUnknown, PreflightMinorsBetween",
  "  Repeat     with --only boot-images (exit code 4: the others are left out)",
  "",
  "2 notices (-o wide). Read 5 kinds, 1 object for 4 checks; 1 does not apply",
  "(preflight list).",
  "",
  "Don't update yet. Next: CgroupModeRemoved (takes hours). All details: -o wide.",
  "",
].join("\n");

const WIDE = [
  "Don't update yet. 4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, 1 check could not be completed, only the last release checked",
  "Why: 1 refuses the update.",
  "",
  "The update is refused",
  "",
  "  CgroupModeRemoved (takes hours)",
  "    Node cluster (spec.cgroupMode) asks for cgroup v1. The target refuses it,",
  "    and nodes would not come back after their restart.",
  "    - nodes.config.openshift.io cluster",
  '      spec.a: "v1" is none of the values that the target knows: "v2", ""',
  '      spec.b: "v1" is none of the values that the target knows: "v2", ""',
  '      spec.c: "v1" is none of the values that the target knows: "v2", ""',
  '      spec.cgroupMode: "v1" is none of the values that the target knows: "v2",',
  '      ""',
  "      See               oc get node.config.openshift.io/cluster -o yaml",
  '      Fix (disruptive)  oc patch node.config.openshift.io/cluster --type=merge -p \'{"spec":{"cgroupMode":"v2"}}\'',
  '    Do   Set spec.cgroupMode to "v2" and wait until the machine config pools',
  "         have settled.",
  "    Link https://docs.example/cgroup",
  "    Check    cgroup",
  "    Owners   administrators of the cluster",
  "    Takes    hours",
  "",
  "Accepted",
  "",
  "  DualStackNetworks",
  "    NetworkAttachmentDefinition demo-0/bridge and 6 more have an IPv6 range that",
  "    the target drops.",
  "    - NetworkAttachmentDefinition demo-0/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-1/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-2/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-3/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-4/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-5/bridge",
  "      the range fd00::/64 is dropped",
  "    - NetworkAttachmentDefinition demo-6/bridge",
  "      the range fd00::/64 is dropped",
  "    Do   Update to a later patch release.",
  "    Link https://docs.example/a-very-long-address/that-no-line-can-hold/and-that-must-not-be-broken-anywhere/since-people-click-it",
  "    Check    networks",
  "    Owners   namespaces demo-0, demo-1, demo-2, demo-3, demo-4, demo-5, demo-6",
  "",
  "Could not be checked",
  "",
  "  - machineconfigurations.operator.openshift.io cluster: reading",
  "    machineconfigurations.operator.openshift.io cluster was forbidden",
  "    (Forbidden) [boot-images]",
  "  - nodes: TimedOut [boot-images]",
  "  - the releases on the way: 4.19 lies between 4.18.8 and 4.20.3: this is",
  "    several updates, and only the last release was checked. The update service",
  '    does not offer it to this cluster as one. "preflight plan --to 4.20.3"',
  "    checks each of them (MinorsBetween)",
  '  Do         Grant the rights that "preflight rbac" prints.',
  "  Accept as  BootImagesUnknown, PreflightMinorsBetween",
  "  Repeat     with --only boot-images (exit code 4: the others are left out)",
  "",
  "Notices",
  "",
  "  capabilities: Another.",
  "  capabilities: The update enables the capability Ingress, which cannot be taken",
  "                back afterwards.",
  "",
  "Read 5 kinds, 1 object for 4 checks; 1 does not apply (preflight list).",
  "",
  "Don't update yet. Next: CgroupModeRemoved (takes hours).",
  "",
].join("\n");

test("a report with something in every section", () => {
  assert.equal(formatTable(fullReport(), ACCEPTED), FULL);
  assert.equal(formatTable(fullReport(), { ...ACCEPTED, isWide: true }), WIDE);
});

const CLEAR = [
  "4.18.8 -> 4.19.3: no risk found",
  "",
  "2 checks found nothing on this cluster that 4.19.3 would reject or break. Other",
  'risks are possible: read the release notes too, and run "oc adm upgrade',
  "recommend\" (oc 4.20 or later) to check the cluster's health.",
  "",
  "  Clear           a, b",
  "  Not applicable  c: This check does not apply to patch updates (4.18 to 4.18).",
  "",
  "Read 3 kinds, 12 objects for 2 checks; 1 does not apply (preflight list).",
  "",
  "No risk was found.",
  "",
].join("\n");

test("a report without risks says what that means, and for which checks", () => {
  const clear = ["a", "b"].map((id) => check(id, { kind: "clear", notices: [] }));
  assert.equal(formatTable(report({ checks: [...clear, IDLE], target: version("4.19.3") }), PLAIN), CLEAR);
});

test("checks that don't apply for the same reason share a line", () => {
  const idle = (id: string, reason: string) => check(id, { kind: "notApplicable", reason });
  const clear = check("a", { kind: "clear", notices: [] });
  const others = ["b", "c", "d", "e"].map((id) => idle(id, "This is not an OpenShift cluster."));
  const text = formatTable(
    report({ checks: [clear, ...others, idle("f", "No nodes."), idle("g", "No nodes.")] }),
    PLAIN,
  );
  assert.match(
    text,
    /\n {2}Not applicable {2}4 checks: This is not an OpenShift cluster\.\n {18}f and g: No nodes\.\n\n/,
  );
});

test("the headline says if the cluster runs the target already", () => {
  const checks = [check("a", { kind: "clear", notices: [] })];
  const text = formatTable(report({ checks, target: version("4.18.8") }), PLAIN);
  assert.match(text, /4\.18\.8 -> 4\.18\.8 \(the cluster runs it already\): /);
});

test("on Kubernetes, the table names no oc", () => {
  const checks = [check("a", { kind: "clear", notices: [] })];
  const text = formatTable(report({ checks, source: version("1.35.2"), target: version("1.36.0") }), PLAIN);
  assert.match(text, /kubernetes\.io\/releases/);
  assert.doesNotMatch(text, /"oc |OpenShift/);
});

const BLIND = [
  "Not decided. 4.18.8 -> 4.17.3 (rolling back): no risk found, 1 check could not be completed",
  "",
  "This is not an all-clear: the checks that could not be completed may have found",
  "risks.",
  "",
  "Could not be checked",
  "",
  "  - pods: reading pods was forbidden (Forbidden) [a]",
  "  Accept as  SampleUnknown",
  "  Repeat     with --only a (exit code 4: the others are left out)",
  "",
  "Read 3 kinds, 12 objects for 1 check.",
  "",
  "Not decided: some checks could not be completed. Complete them, and check again.",
  "",
].join("\n");

test("a report without risks but with incomplete checks is no all-clear", () => {
  const checks = [check("a", { kind: "unknown", notices: [], findings: [], unknowns: [createUnknown("pods")] })];
  assert.equal(formatTable(report({ checks, target: version("4.17.3") }), PLAIN), BLIND);
});

test("places beyond the tenth are counted", () => {
  const countPlaces = (count: number): string => {
    const unknowns = Array.from({ length: count }, (_, i) => createUnknown(`kind-${i}`));
    const checks = [check("a", { kind: "unknown", notices: [], findings: [], unknowns })];
    return formatTable(report({ checks, target: version("4.19.3") }), PLAIN).match(/ {2}- (and .*)/)?.[1] ?? "";
  };
  const end = "(all with -o json)";
  assert.deepEqual([10, 11, 98].map(countPlaces), ["", `and 1 more ${end}`, `and 88 more ${end}`]);
});

const NOTHING = [
  "Not decided. 4.18.8 -> 4.19.3: nothing was checked",
  "",
  "This is not an all-clear: none of the checks applies to this update, so nothing",
  "was checked. The update may have risks that no check covers.",
  "",
  "  Not applicable  c: This check does not apply to patch updates (4.18 to 4.18).",
  "",
  "Could not be checked",
  "",
  "  - the update: none of the checks applies to it (NothingChecked)",
  "  Accept as  PreflightNothingChecked",
  "",
  "Read 0 kinds, 0 objects for 0 checks; 1 does not apply (preflight list).",
  "",
  "Not decided: nothing was checked. Read the release notes.",
  "",
].join("\n");

test("if no check applies, nothing was checked", () => {
  const coverage = { kinds: 0, objects: 0, bytes: 0 };
  assert.equal(formatTable(report({ checks: [IDLE], coverage, target: version("4.19.3") }), PLAIN), NOTHING);
});

test("the order within a report does not matter", () => {
  const full = fullReport();
  const turned = { ...full, risks: full.risks.toReversed() };
  assert.equal(formatTable(turned, ACCEPTED), FULL);
});

/** The first line is never broken, because people search for it. */
test("no line exceeds the requested width, except for words that can't be broken", () => {
  for (const width of [40, 60, 80, 132]) {
    const lines = formatTable(fullReport(), { ...PLAIN, width })
      .split("\n")
      .slice(1);
    const wide = lines.filter((line) => line.length > width);
    assert.deepEqual(
      wide.filter(
        (line) =>
          line
            .trim()
            .replace(/^(?:Link|-) +/, "")
            .includes(" ") && !/^ +(?:See|Fix)\b/.test(line),
      ),
      [],
    );
  }
  assert.equal(formatTable(fullReport(), { ...PLAIN, width: 1 }), formatTable(fullReport(), { ...PLAIN, width: 40 }));
});

test("colours are added on request, and change nothing else", () => {
  const coloured = formatTable(fullReport(), { ...ACCEPTED, colour: true });
  assert.ok(coloured.includes("\u001b[31mCgroupModeRemoved\u001b[0m: Node"));
  assert.ok(coloured.startsWith("\u001b[1;31mDon't update yet. "));
  // oxlint-disable-next-line no-control-regex
  assert.equal(coloured.replace(/\u001b\[[\d;]+m/g, ""), FULL);
});

test("control characters from a cluster can't reach the terminal", () => {
  const evil = "\u001b[2J\u0007\u009b31m\u202e\u2028x\ny";
  const object = { apiVersion: "v1", kind: "Pod", namespace: evil, name: evil };
  const findings = [finding("A", { object, path: evil, message: evil })];
  const checks = [
    check("a", { kind: "risk", findings, notices: [evil] }),
    check("b", { kind: "unknown", findings: [], notices: [], unknowns: [createUnknown(evil, { message: evil })] }),
    check("c", { kind: "notApplicable", reason: evil }),
  ];
  const risks = [risk("A", { title: evil, description: evil, remediation: evil, url: `https://docs.example/${evil}` })];
  for (const text of [formatTable(report({ checks, risks }), PLAIN), formatTable(report({ checks }), PLAIN)]) {
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
    assert.ok(text.includes("U+001B[2JU+0007U+009B31mU+202EU+2028x"));
  }
});

test("a risk without a finding of its own is still reported", () => {
  const text = formatTable(reportOf([], { target: version("4.19.3") }), PLAIN);
  assert.match(text, /^4\.18\.8 -> 4\.19\.3: no risk found\n/);
  assert.match(formatTable(report({ risks: [risk("A")] }), PLAIN), /\nA: Node cluster is hit by A\.\n {2}Do/);
});

test("a line names the update service's risk if it has one", () => {
  const known = risk("A", { published: ["ThingsBreak", "ThingsBreakAgain"] });
  const of = reportOf([known, risk("B")], { target: version("4.19.3") });
  const lines = formatTable(of, { ...PLAIN, isWide: true }).split("\n");
  assert.deepEqual(
    lines.filter((line) => line.includes("update service")),
    ["    Also The update service calls it ThingsBreak and ThingsBreakAgain."],
  );
});
