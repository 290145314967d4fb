import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, type Finding } from "../../src/model/check.ts";
import { type Commands, quoteArgument } from "../../src/model/commands.ts";
import type { ObjectRef } from "../../src/model/resource.ts";
import { addCommands } from "../../src/runner/report/build-report.ts";
import { checkWith, release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NODE: ObjectRef = { apiVersion: "v1", kind: "Node", name: "worker-0" };
const CONTEXT = buildContext(version("4.18.8"), release("4.20.3"), new Date(0));
const [RISK] = checkWith({ id: "x" }).risks;
assert.ok(RISK !== undefined);
const CHECK = checkWith({
  id: "x",
  risks: [
    {
      ...RISK,
      see: ({ detail = {} }) => ["oc get nodes", `oc describe ${quoteArgument(detail["pod"] ?? "")}`],
      fixKind: ({ detail }) => (detail?.["pod"] === "b" ? "safe" : "disruptive"),
      fix: ({ object, detail = {} }) => [
        `oc label ${quoteArgument(object.name)} a-`,
        `oc delete ${quoteArgument(detail["pod"] ?? "")}`,
      ],
    },
  ],
});

function findCommands(object: ObjectRef, pod = "a"): Partial<Commands> {
  const finding: Finding = { risk: RISK?.name ?? "", object, message: "", detail: { pod } };
  const outcome = addCommands(CHECK, { kind: "risk", findings: [finding], notices: [] }, CONTEXT);
  const [found] = outcome.kind === "risk" ? outcome.findings : [];
  return { see: found?.see, fix: found?.fix, fixKind: found?.fixKind };
}

test("a fix says what its commands do, which may depend on the finding", () => {
  assert.equal(findCommands(NODE).fixKind, "disruptive");
  assert.equal(findCommands(NODE, "b").fixKind, "safe");
});

test("a name with a character of the shell's own is quoted and offered", () => {
  const { see, fix } = findCommands(NODE, "a'b $(c)");
  assert.deepEqual(see, ["oc get nodes", String.raw`oc describe 'a'\''b $(c)'`]);
  assert.equal(fix?.length, 2);
});

for (const hidden of ["a\u202eb", "a\u200bb", "a\u{e0041}", "a\nb", "a\tb", "a\u001b[2J", "##vso[x]"])
  test(`no command names ${JSON.stringify(hidden)}, and what removes the fault is offered whole or not at all`, () => {
    assert.deepEqual(present(findCommands(NODE, hidden)), { see: ["oc get nodes"] });
    assert.deepEqual(present(findCommands({ ...NODE, name: hidden })), { see: ["oc get nodes", "oc describe a"] });
  });

test("no command is about an object that no API server serves: a program would take a part of it for an option", () => {
  const objects = [
    { ...NODE, kind: "--server=https:" },
    { ...NODE, apiVersion: "v1 --all" },
    { ...NODE, name: "--all" },
    { ...NODE, kind: "" },
    { ...NODE, kind: "Node --all" },
  ];
  for (const object of objects) assert.deepEqual(present(findCommands(object)), {});
});
