import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Finding, type Unknown, buildContext } from "../../src/model/check.ts";
import type { Outcome } from "../../src/model/report.ts";
import type { Unseen } from "../../src/model/unseen.ts";
import { buildRisks, formatUnknown, buildUnseenRisks } from "../../src/runner/report/risks.ts";
import { checkWith, release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NOW = new Date("2026-01-02T03:04:05Z");
const CONTEXT = buildContext(version("4.18.8"), release("4.19.3"), NOW);
const KUBERNETES = buildContext(version("1.33.1"), release("1.34.0"), NOW, "kubernetes");
const URL = "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";
const KUBERNETES_URL = "https://kubernetes.io/docs/tasks/administer-cluster/cluster-upgrade/";

const [plain] = checkWith({ id: "a" }).risks;
if (plain === undefined) throw new Error("a check has a risk");
const CHECK = checkWith({
  id: "a",
  risks: [
    plain,
    { ...plain, name: "Other", leadTime: "days", knownAs: { published: ["Theirs"] }, remediation: () => "Wait." },
  ],
});

function finding(name: string, path?: string, risk = "ThingBroken"): Finding {
  const object = { apiVersion: "v1", kind: "Node", name };
  return { risk, object, message: "it is broken", ...(path === undefined ? {} : { path }) };
}

function describeObjects(findings: readonly Finding[]): string | undefined {
  return buildRisks(CHECK, { kind: "risk", findings, notices: [] }, CONTEXT)[0]?.description;
}

describe("a risk names", () => {
  const rows: readonly (readonly [string, readonly Finding[], string])[] = [
    ["one object", [finding("a")], "Node a"],
    ["the path in it", [finding("a", "x")], "Node a (x)"],
    ["an object with a path and one without", [finding("a", "x"), finding("a")], "Node a"],
    ["a path once", [finding("a", "x"), finding("a", "x")], "Node a (x)"],
    ["the first of two paths", [finding("a", "y"), finding("a", "x")], "Node a (x and 1 more)"],
    ["the first of three paths", [finding("a", "y"), finding("a", "x"), finding("a", "z")], "Node a (x and 2 more)"],
    ["three objects", ["c", "b", "a"].map((name) => finding(name)), "Node a, Node b and Node c"],
    [
      "three of four, and each once",
      ["c", "b", "a", "d"].flatMap((name) => [finding(name, "x"), finding(name, "y")]),
      "Node a (x and 1 more), Node b (x and 1 more), Node c (x and 1 more) and 1 more",
    ],
  ];
  for (const [what, findings, objects] of rows) {
    test(what, () => {
      assert.equal(describeObjects(findings), `${objects} will break.`);
    });
  }
});

test("an outcome has the risks of its findings by name, with all that is known of them", () => {
  const outcome: Outcome = { kind: "risk", findings: [finding("b"), finding("a", undefined, "Other")], notices: [] };
  const common = { check: "a", unknown: false, effect: "broken", title: "A broken thing" };
  assert.deepEqual(present(buildRisks(CHECK, outcome, CONTEXT)), [
    {
      ...common,
      name: "Other",
      leadTime: "days",
      message: "Node a will break. Wait.",
      description: "Node a will break.",
      remediation: "Wait.",
      url: "https://example.com/broken",
      published: ["Theirs"],
    },
    {
      ...common,
      name: "ThingBroken",
      leadTime: "minutes",
      message: "Node b will break. Repair it.",
      description: "Node b will break.",
      remediation: "Repair it.",
      url: "https://example.com/broken",
    },
  ]);
});

test("a clear outcome and one that does not apply have no risks", () => {
  assert.deepEqual(buildRisks(CHECK, { kind: "clear", notices: ["It is old."] }, CONTEXT), []);
  assert.deepEqual(buildRisks(CHECK, { kind: "notApplicable", reason: "No." }, CONTEXT), []);
});

test("an unknown outcome has one risk more, which names each thing once and the page of the platform", () => {
  const unknowns: readonly Unknown[] = [
    { reason: "Cancelled", where: "nodes", message: "" },
    { reason: "NotRead", where: "/version", message: "it broke. \n" },
    { reason: "Cancelled", where: "nodes", message: "" },
  ];
  const outcome: Outcome = { kind: "unknown", unknowns, findings: [finding("b")], notices: [] };
  const [unknown, thing] = buildRisks({ ...CHECK, name: "A" }, outcome, CONTEXT);
  const description =
    'The check "title of a" could not be completed: /version (it broke) and nodes (Cancelled) could not be checked.';
  const remediation = "Run preflight again, or check these by hand before updating.";
  const expected = { name: "AUnknown", check: "a", origin: undefined, unknown: true, title: "title of a" };
  assert.deepEqual(unknown, {
    ...expected,
    message: `${description} ${remediation}`,
    description,
    remediation,
    url: URL,
  });
  assert.equal(thing?.name, "ThingBroken");
  assert.equal(buildRisks(CHECK, outcome, KUBERNETES).at(-1)?.url, KUBERNETES_URL);
});

test("what is unknown stands with its message, or else with its reason", () => {
  const texts = ["", "it broke", "it broke. ", "a.b..\n", "a. b"].map((message) =>
    formatUnknown({ reason: "NotFound", where: "x", message }),
  );
  assert.deepEqual(texts, ["x (NotFound)", "x (it broke)", "x (it broke)", "x (a.b)", "x (a. b)"]);
});

describe("what no check reports", () => {
  const leftOut = (check: string, where: string, more: Partial<Unseen> = {}): Unseen => ({
    check,
    risk: "PreflightChecksLeftOut",
    unknown: { reason: "LeftOut", where, message: "the check was left out" },
    ...more,
  });
  const accepted = { accepted: { check: "c", reason: "It is known." } };
  const advise = (settings: string, id: string): string =>
    `Run preflight without ${settings}, or write down in the file of --config why a check is left out for good ("accept: [{check: ${id}, reason: ...}]").`;
  const rows: readonly (readonly [string, readonly Unseen[], string, string])[] = [
    [
      "is one check that was left out",
      [leftOut("b", "--skip"), leftOut("c", "--only", accepted)],
      "A check that applies to this update was left out (--skip): b.",
      advise("--skip", "b"),
    ],
    [
      "is several checks that were left out",
      [leftOut("b", "--skip"), leftOut("a", "--only"), leftOut("b", "--skip")],
      "Checks that apply to this update were left out (--only and --skip): a, b.",
      advise("--only and --skip", "b"),
    ],
    [
      "is a check that was left out for a moment",
      [leftOut("a", "--only")],
      "A check that applies to this update was left out (--only): a.",
      "Run preflight without --only.",
    ],
    [
      "is a minor on the way",
      [{ risk: "PreflightMinorsBetween", unknown: { reason: "MinorsBetween", where: "x", message: "4.19 is passed" } }],
      "4.19 is passed.",
      "Check and do these updates one after the other.",
    ],
    [
      "is everything",
      [{ risk: "PreflightNothingChecked", unknown: { reason: "NothingChecked", where: "x", message: "" } }],
      "None of the checks applies to the update from 4.18.8 to 4.19.3, so nothing was checked.",
      "Make sure that this is the right target, and read its release notes before updating.",
    ],
  ];
  for (const [what, unseen, description, remediation] of rows) {
    test(what, () => {
      const [risk, ...more] = buildUnseenRisks(unseen, CONTEXT);
      assert.deepEqual(more, []);
      const { name, title, ...rest } = risk ?? assert.fail("there is no risk");
      assert.equal(name, unseen[0]?.risk);
      assert.match(title, /^(?:Every check|The target|At least one check) /);
      assert.deepEqual(rest, {
        description,
        remediation,
        message: `${description} ${remediation}`,
        unknown: true,
        url: URL,
      });
    });
  }

  test("is nothing if all of it is accepted, or if others report it", () => {
    const other: Unseen = { ...leftOut("b", "--skip"), risk: "BUnknown" };
    assert.deepEqual(buildUnseenRisks([leftOut("c", "--only", accepted), other], CONTEXT), []);
  });
});
