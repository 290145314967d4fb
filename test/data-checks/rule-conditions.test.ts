import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { loadChecks } from "../../src/data-checks/load.ts";
import { buildContext } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";
import { writeCheck } from "../support/data-checks/judge-check.ts";

const load = (text: string) => loadChecks([{ name: "check.yaml", text }], { kind: "site" }, new Set());

async function judge(spec: string): Promise<readonly string[]> {
  const { faults } = await load(writeCheck(spec));
  return faults.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);
}

const READS = `reads:
  nodes: {list: v1/nodes}
variables:
  - {name: never, expression: "1 > 2"}
  - {name: least, expression: "3"}
`;
const NOTICE = `notices:
  - {when: nodes.items.size() > least && !never, message: There are many.}`;

describe("a check that can report nothing", () => {
  test("is refused at its spec if it was cut after its reads, and is unknown where it runs", async () => {
    const spec = "reads:\n  nodes: {list: v1/nodes}";
    assert.deepEqual(await judge(spec), ["error 4:1 this check can report nothing, so it would always be clear"]);
    const { checks } = await load(writeCheck(spec));
    const [check] = checks;
    const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
    const { unknowns = [] } = check?.evaluate({}, context, {}) ?? {};
    assert.deepEqual(
      unknowns.map(({ reason, where }) => `${reason} ${where}`),
      ["CheckInvalid check.yaml:4:1"],
    );
  });

  test("is sound with one rule that may come", async () => assert.deepEqual(await judge(READS + NOTICE), []));

  for (const rules of ["risks: []", "notices: []\nunknowns: []", "seenAfterUpdate: It shows later."])
    test(`is not made sound by ${rules.split("\n").join(" and ")}`, async () =>
      assert.deepEqual(await judge(`reads:\n  nodes: {list: v1/nodes, required: true}\n${rules}`), [
        "error 4:1 this check can report nothing, so it would always be clear",
      ]));
});

const RISK = `risks:
  - name: SampleFault
    effect: broken
    title: Something is wrong
    url: https://example.com/
    message: \${objects} is wrong, and the update breaks it for good.
    remediation: Repair it before you update the cluster to the target.
    findings:
`;
const FINDING = "{forEach: nodes.items, message: It is wrong.}";

/** A condition that is the same for every cluster, and what is said of it. */
const CONDITIONS: readonly (readonly [what: string, spec: string, ...said: string[]])[] = [
  [
    "of a finding, even if the risk has another",
    `${RISK}      - ${FINDING}\n      - {forEach: nodes.items, when: never, message: It is wrong.}`,
    "error 21:40 this is always false, so the finding never comes",
  ],
  [
    "of a finding, in part",
    `${RISK}      - {forEach: nodes.items, when: least > 5 && has(object.spec), message: It is wrong.}`,
    "error 20:40 this is always false, so the finding never comes",
  ],
  [
    "of a finding, by its list",
    `${RISK}      - {forEach: "[]", message: It is wrong.}`,
    "error 20:22 this list is always empty, so the finding never comes",
  ],
  ["of each item, which is what it says", `${RISK}      - {forEach: nodes.items, when: "true", message: It is wrong.}`],
  ["that is left out", `${RISK}      - ${FINDING}`],
  [
    "of a notice",
    'notices:\n  - {when: "false || never", message: There are many.}',
    "error 13:15 this is always false, so the notice never comes",
  ],
  [
    "of a notice that always comes",
    "notices:\n  - {when: least == 3, message: There are many.}",
    "warning 13:14 this is always true",
  ],
  [
    "of an unknown",
    "unknowns:\n  - {when: never && nodes.items.size() > 1, where: it, message: it is odd}",
    "error 13:14 this is always false, so the unknown never comes",
  ],
  [
    "of a reason that ends every evaluation",
    `${NOTICE}\nnotApplicable:\n  - {when: "!never", reason: It is never so.}`,
    "error 15:15 this is always true, so the check never judges anything",
  ],
  [
    "of a reason that never comes",
    `${NOTICE}\nnotApplicable:\n  - {when: never, reason: It is never so.}`,
    "error 15:14 this is always false, so the reason never comes",
  ],
];

describe("a condition that no cluster decides is marked", () => {
  for (const [what, rules, ...said] of CONDITIONS)
    test(what, async () => {
      const found = await judge(READS + rules);
      assert.deepEqual(
        found.filter((one) => !/nothing uses|leave it out/.test(one)),
        said,
      );
    });

  test("of the objects of a read, which are then never or always kept", async () => {
    const read = (where: string): string => `reads:\n  nodes: {list: v1/nodes, where: "${where}"}\n${NOTICE}`;
    const bare = (where: string): string => read(where).replace("least && !never", "3");
    assert.deepEqual(await judge(bare("false && has(object.spec)")), [
      "error 8:37 this is always false, so no object is kept",
    ]);
    assert.deepEqual(await judge(bare("1 < 2")), ["warning 8:37 this is always true"]);
  });
});
