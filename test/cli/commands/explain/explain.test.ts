import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../../../src/checks/index.ts";
import { run as explain } from "../../../../src/cli/commands/explain.ts";
import { run as list } from "../../../../src/cli/commands/list.ts";
import { getUnknownRiskName } from "../../../../src/model/check.ts";
import { NO_CHECK_FILES, createTestIo } from "../../../support/cli/test-io.ts";

async function explained(words: string, width: number): Promise<readonly string[]> {
  const written: string[] = [];
  assert.equal(await explain({ words: words.split(" "), ...NO_CHECK_FILES }, { ...createTestIo(written), width }), 0);
  return written.join("").split("\n");
}

/** Commands, links, names and API paths are copied, so they stay whole. */
const isCopied = (line: string): boolean => /^(?:\w+:)? *(?:oc|kubectl|virtctl|https:|\/)|^ *\S+$/.test(line);

test("a risk is one screen: what it is, whom it concerns and what to do", async () => {
  assert.deepEqual(await explained("CgroupV1Removed", 100), [
    "CgroupV1Removed: The nodes use cgroup v1, which 4.19 removes",
    "",
    "Concerns:  OpenShift: updates into or past 4.19",
    "How sure:  The cluster's objects show it.",
    "Effect:    The update does not start. The remedy usually takes hours.",
    'Remedy:    Test the workloads with cgroup v2, and run "oc patch nodes.config.openshift.io cluster',
    `           --type=merge -p '{"spec":{"cgroupMode":"v2"}}'". Update once "oc get machineconfigpools"`,
    "           shows that every pool is updated.",
    "See:       oc get node.config.openshift.io/cluster -o yaml",
    `Fix:       oc patch node.config.openshift.io/cluster --type=merge -p '{"spec":{"cgroupMode":"v2"}}'`,
    "Fix kind:  Disruptive: the commands restart, drain or delete something, or interrupt somebody.",
    "Check:     cgroup-v1 (preflight explain cgroup-v1)",
    "Link:      https://issues.redhat.com/browse/OCPNODE-2276",
    "",
  ]);
});

test("a published bug names the releases that have it, and their fixes", async () => {
  const text = (await explained("AlertmanagerV1NotSupported", 100)).join("\n");
  assert.match(text, /^Also: +The update service calls it AlertmanagerV1NotSupported\.$/m);
  const ranges = (await explained("TargetIsPreRelease", 100)).join("\n");
  assert.match(ranges, /^Releases: {2}4\.1\.0-0 to 4\.1\.0-rc\.99 \(fixed in 4\.1\.0\)$/m);
  assert.match(ranges, /^ {11}\.\.\. 193 more ranges \.\.\.$/m);
});

test("every check, and every risk on one screen, is readable at 60 and 80 columns", async () => {
  const risks = checks.flatMap((check) => [...check.risks.map(({ name }) => name), getUnknownRiskName(check)]);
  for (const width of [60, 80]) {
    for (const name of [...checks.map(({ id }) => id), ...risks]) {
      const lines = await explained(name, width);
      assert.deepEqual(
        lines.filter((line) => line.length > width && !isCopied(line)),
        [],
        name,
      );
      if (width === 80 && risks.includes(name)) assert.ok(lines.length <= 30, name);
    }
  }
});

test("words find the checks and risks whose names or titles have all of them", async () => {
  const lines = await explained("DISRUPTION budget", 100);
  const listed = lines.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim());
  assert.deepEqual(lines.slice(0, 5), [
    `What has "disruption" and "budget" in its name or title ('preflight explain NAME' says more)`,
    "",
    "Checks:",
    "  drain-blocked",
    "    Pod disruption budgets allow nodes to be drained",
  ]);
  assert.ok(listed.includes("DrainBlockedByDisruptionBudget"), "a risk");
  assert.ok(!listed.includes("CgroupV1Removed"), "another risk");
  const published = (await explained("v1notsupported", 100)).join("\n");
  assert.match(published, /^ {2}MonitoringConfigAlertmanagerV1$/m, "the update service's names count, too");
  const minors = (await explained("one update away", 100)).join("\n");
  assert.match(minors, /^ {2}PreflightMinorsBetween$/m);
});

test("words that nothing has in its name or title are wrong usage", async () => {
  for (const words of ["budget frobnicate", "nope", "-", ""])
    await assert.rejects(explained(words, 100), { message: /^no check or risk is called "/ });
});

test("a list is a line for each check in a pipe, and a block in a terminal that is too narrow", async () => {
  const listed = async (width: number, isTerminal: boolean): Promise<readonly string[]> => {
    const written: string[] = [];
    assert.equal(
      await list({ output: "table", ...NO_CHECK_FILES }, { ...createTestIo(written, isTerminal), width }),
      0,
    );
    return written.join("").split("\n");
  };
  assert.match(
    (await listed(60, false)).join("\n"),
    /^cgroup-v1 +The nodes use cgroup v2 +OpenShift +CgroupV1Removed$/m,
  );
  for (const width of [60, 80]) {
    const lines = await listed(width, true);
    assert.match(
      lines.join("\n"),
      /^cgroup-v1 \(OpenShift\)\n {2}The nodes use cgroup v2\n {2}Risks: CgroupV1Removed$/m,
    );
    assert.deepEqual(
      lines.filter((line) => line.length > width),
      [],
    );
  }
});
