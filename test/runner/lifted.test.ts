import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks as registry } from "../../src/checks/index.ts";
import type { Check, Judgement, RiskText } from "../../src/model/check.ts";
import { each } from "../../src/model/read.ts";
import type { Report } from "../../src/model/report.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { Lifted } from "../../src/runner/lifted.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/cluster.ts";
import { fakeReader } from "../support/fake-reader.ts";

const PODS = "/api/v1/pods";
const AS = "ClusterOperatorUpgradeable-*";

function risk(name: string, liftedAs?: string): RiskText {
  return {
    name,
    title: name,
    url: "https://example.com/",
    describe: (objects) => `${objects} will break.`,
    remediation: "Mend it.",
    ...(liftedAs === undefined ? {} : { liftedAs }),
  };
}

const finding = (of: string, name: string) => ({
  risk: of,
  object: { apiVersion: "v1", kind: "Node", name },
  message: "It is broken.",
});
const BOTH = { findings: [finding("Lifted", "a"), finding("Ours", "a"), finding("Lifted", "b")], notices: ["Zzz."] };

function mixed(judgement: Judgement): Check {
  return checkWith({ id: "mixed", risks: [risk("Lifted", AS), risk("Ours")], evaluate: () => judgement });
}

const whole = checkWith({
  id: "whole",
  risks: [risk("All", "ClusterVersionOverrides"), risk("AllOfIt", AS)],
  reads: () => ({ pods: each("v1/pods", () => 1) }),
  evaluate: () => ({ findings: [finding("All", "a")] }),
});

type Ran = { readonly report: Report; readonly paths: readonly string[] };

async function run(check: Check, target: string, lifted?: Lifted): Promise<Ran> {
  const reader = fakeReader({ ...clusterRunning("5.0.3"), [PODS]: [object("v1", "Pod", "p")] });
  const result = await runCycle({
    checks: [check],
    reader,
    target: { kind: "read", version: version(target), select: () => release(target) },
    now: new Date(0),
    signal: new AbortController().signal,
    concurrency: 4,
    checkTimeout: 5_000,
    cycleTimeout: 10_000,
    ...(lifted === undefined ? {} : { lifted }),
  });
  assert.ok(result.kind === "completed");
  return { report: result.report, paths: reader.paths };
}

const outcomeOf = ({ report }: Ran) => report.checks[0]?.outcome;
const namesOf = ({ report }: Ran) => report.risks.map(({ name }) => name);

describe("risks that the operator lifts by itself", () => {
  test("are shown where nobody says otherwise", async () => {
    assert.deepEqual(namesOf(await run(mixed(BOTH), "5.1.0")), ["Lifted", "Ours"]);
    assert.deepEqual(namesOf(await run(whole, "5.1.0", "show")), ["All"]);
  });

  test("are left to it, and a notice says how many and under which name", async () => {
    const ran = await run(mixed(BOTH), "5.1.0", "leave");
    assert.deepEqual(namesOf(ran), ["Ours"]);
    assert.deepEqual(outcomeOf(ran), {
      kind: "risk",
      findings: [finding("Ours", "a")],
      notices: [`2 findings of Lifted are left to the cluster-version operator, which lifts them as ${AS}.`, "Zzz."],
    });
  });

  test("leave a check clear that found nothing else", async () => {
    const ran = await run(mixed({ findings: [finding("Lifted", "a")] }), "5.1.0", "leave");
    const notice = `1 finding of Lifted is left to the cluster-version operator, which lifts it as ${AS}.`;
    assert.deepEqual(outcomeOf(ran), { kind: "clear", notices: [notice] });
    assert.deepEqual(namesOf(ran), []);
  });

  test("leave a check unknown that could not look at all", async () => {
    const blind = [{ reason: "Forbidden", where: "pods", message: "no" }];
    const ran = await run(mixed({ findings: [finding("Lifted", "a")], blind }), "5.1.0", "leave");
    assert.deepEqual(namesOf(ran), ["mixedUnknown"]);
    assert.equal(outcomeOf(ran)?.kind, "unknown");
  });

  test("make a check that has no others be left out, with nothing read for it", async () => {
    const ran = await run(whole, "5.1.0", "leave");
    assert.deepEqual(outcomeOf(ran), {
      kind: "notApplicable",
      reason: `What it looks for is left to the cluster-version operator, which lifts it as ${AS} and ClusterVersionOverrides.`,
    });
    assert.ok(!ran.paths.includes(PODS));
  });

  test("stay on patch updates and rollbacks, where nobody else tells them", async () => {
    for (const target of ["5.0.9", "4.23.9"]) {
      assert.deepEqual(namesOf(await run(mixed(BOTH), target, "leave")), ["Lifted", "Ours"], target);
      assert.deepEqual(namesOf(await run(whole, target, "leave")), ["All"], target);
    }
  });
});

test("every check's names for what is lifted are of a form that the operator uses", () => {
  const FORM = /^(ClusterOperatorUpgradeable-(\*|[a-z-]+)|AdminAck-(<gate>|ack-[45]\.\d+-[a-z0-9.-]+)|[A-Z][A-Za-z]+)$/;
  for (const { name, liftedAs } of registry.flatMap(({ risks }) => risks))
    if (liftedAs !== undefined) assert.match(liftedAs, FORM, name);
});
