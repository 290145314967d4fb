import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check } from "../../src/model/check.ts";
import type { CycleResult } from "../../src/model/report.ts";
import { each, get } from "../../src/model/read.ts";
import { type CycleInput, runCycle, runCycles } from "../../src/runner/cycle.ts";
import { isolateCheck, leaveOutSeparate, type SeparateResult } from "../../src/runner/isolation.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NODES = "/api/v1/nodes";
const finding = {
  risk: "ThingBroken",
  object: { apiVersion: "v1", kind: "Node", name: "n" },
  message: "It is broken.",
};

/** One that finds something, one that leaves that to it, and one that tells only what nobody has reported. */
const CHECKS: readonly Check[] = [
  checkWith({
    id: "finds",
    reads: () => ({ nodes: each("v1/nodes", (node) => node) }),
    evaluate: () => ({ findings: [finding], notices: ["It may."], special: { noticedRisks: ["Narrowed"] } }),
    special: { covers: () => [{ name: "Narrowed" }] },
  }),
  checkWith({
    id: "general",
    evaluate: (_, { checks }) => ({ notices: [`runs beside ${checks.join(" ")}`] }),
  }),
  checkWith({
    id: "last",
    special: { judgedLast: true },
    evaluate: (_, { special: { reported, coveredRisks } }) => ({
      notices: [`${reported.length} reported, ${JSON.stringify(coveredRisks)}`],
    }),
  }),
];

const TARGETS = ["4.19.2", "4.19.3"].map(buildTarget);

function buildTarget(text: string): CycleInput["target"] {
  return { kind: "read", version: version(text), select: () => release(text) };
}

function buildInput(): CycleInput & { readonly reader: ReturnType<typeof fakeReader> } {
  return {
    selection: { checks: CHECKS },
    reader: fakeReader({ ...clusterRunning("4.18.4"), [NODES]: [object("v1", "Node", "n")] }),
    target: buildTarget("4.19.2"),
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  };
}

/** As a message between processes has it. */
async function runApart(id: string): Promise<ReadonlyMap<string, SeparateResult>> {
  const { isolation, updates } = isolateCheck(id);
  await runCycles({ ...buildInput(), targets: TARGETS, isolation });
  return structuredClone(new Map([[id, { kind: "judged", updates }]]));
}

function leaveOut(separate: ReadonlyMap<string, SeparateResult>): Pick<CycleInput, "isolation"> {
  return { isolation: leaveOutSeparate(separate) };
}

async function readChecks(input: CycleInput) {
  const result = await runCycle(input);
  assert.ok(result.kind === "completed");
  const { checks, risks, unseen } = result.report;
  return { checks, risks, unseen };
}

for (const id of ["finds", "general"]) {
  test(`a cycle says the same if ${id} was judged in another process`, async () => {
    const separate = await runApart(id);
    const together = await readChecks(buildInput());
    assert.deepEqual(await readChecks({ ...buildInput(), ...leaveOut(separate) }), together);
  });
}

test("several updates, in one cycle or one after the other, each have their own verdict", async () => {
  const separate = await runApart("finds");
  const inOneCycle = { ...buildInput(), targets: TARGETS };
  const together = await runCycles(inOneCycle);
  assert.deepEqual(
    withoutCoverage(await runCycles({ ...inOneCycle, ...leaveOut(separate) })),
    withoutCoverage(together),
  );
  const { isolation } = leaveOut(separate);
  const steps = [];
  for (const target of TARGETS) steps.push(await runCycle({ ...buildInput(), target, isolation }));
  assert.deepEqual(withoutCoverage(steps), withoutCoverage(together));
});

/** What the processes read differs. */
function withoutCoverage(results: readonly CycleResult[]) {
  return results.map((result) => {
    assert.ok(result.kind === "completed");
    const { coverage: _coverage, ...report } = result.report;
    return report;
  });
}

test("a verdict about another update counts for none", async () => {
  const separate = await runApart("finds");
  for (const texts of [["4.19.3"], ["4.19.2", "4.19.3", "4.19.3"]]) {
    const results = await runCycles({ ...buildInput(), targets: texts.map(buildTarget), ...leaveOut(separate) });
    const last = results.at(-1);
    assert.ok(last?.kind === "completed");
    const { outcome } = last.report.checks.find(({ id }) => id === "finds") ?? assert.fail("it is not there");
    assert.ok(outcome.kind === "unknown");
    assert.deepEqual(present(outcome.unknowns), [
      {
        reason: "NotRead",
        where: "the update from 4.18.4 to 4.19.3",
        message: "the process that ran it alone did not get to this update",
      },
    ]);
  }
});

test("what was judged elsewhere is not read again", async () => {
  const input = buildInput();
  await runCycle({ ...input, ...leaveOut(await runApart("finds")) });
  assert.ok(!input.reader.paths.includes(NODES));
});

test("a check that could not be judged elsewhere is unknown, and the others' results stand", async () => {
  const unknown = { reason: "OutOfMemory", where: "check finds", message: "the process that ran it ended" } as const;
  const { checks, risks, unseen } = await readChecks({
    ...buildInput(),
    ...leaveOut(new Map([["finds", { kind: "unknown", unknown }]])),
  });
  assert.deepEqual(
    checks.map(({ id, outcome }) => `${id} ${outcome.kind}`),
    ["finds unknown", "general clear", "last clear"],
  );
  assert.deepEqual(present(unseen), [{ check: "finds", risk: "findsUnknown", unknown }]);
  assert.match(
    risks[0]?.message ?? "",
    /check finds \(the process that ran it ended\) could not be checked\. Give preflight more memory/,
  );
});

test("a cycle says which checks begin, before it waits for a read or runs their code, and when that has run", async () => {
  const begun: string[] = [];
  const follow = () => ({ more: get("v1/nodes", "n", (node) => node) });
  const checks = CHECKS.map((check) => (check.id === "finds" ? checkWith({ ...check, follow }) : check));
  await runCycle({
    ...buildInput(),
    selection: { checks },
    progress: {
      onBegin: (ids, path) => void begun.push(`${ids.join(" ")}${path === undefined ? "" : ` reads ${path}`}`),
    },
  });
  const expected = [`finds reads ${NODES}`, "finds", "", `finds reads ${NODES}/n`, "finds", "general", "last", ""];
  assert.deepEqual(begun, expected);
});
