import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { openCase, judgeCase } from "../../src/cases/runner.ts";
import { parseCase } from "../../src/cases/parser.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { getReads } from "../../src/cli/checks/cluster-role.ts";
import type { Check } from "../../src/model/check.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { compileText, writeCheck } from "../support/data-checks/judge-check.ts";

/** A field that no check of preflight's own reads. */
const SPEC = `reads:
  pods: {list: v1/pods}
risks:
  - name: PodsEnd
    title: Pods end
    url: https://example.com/pods
    effect: broken
    message: \${objects} end after a while.
    remediation: Remove the deadline of these Pods.
    findings:
      - {forEach: pods.items, when: object.?spec.?activeDeadlineSeconds.hasValue(), message: It has a deadline.}`;

const CLUSTER = `source: 4.18.5
target: 4.19.2
cluster:
  /api/v1/pods:
    items:
      - {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: x}, spec: {activeDeadlineSeconds: 5, nodeName: worker, hostname: h}}
  /api/v1/namespaces/shop/configmaps/cart:
    {apiVersion: v1, kind: ConfigMap, metadata: {name: cart, namespace: shop}, data: {mode: legacy, other: x}}
`;

async function loadCheck(spec: string): Promise<Check> {
  const { check, faults } = await compileText(writeCheck(spec));
  return check ?? assert.fail(faults.join("\n"));
}

type Judged = { readonly kind: string; readonly said: readonly string[] };

/** What the check says on a recording that was made for `known`; `change`: what becomes of the file. */
async function judgeRecorded(
  check: Check,
  known: readonly Check[],
  change = (text: string): string => text,
): Promise<Judged> {
  const one = { name: "sample", file: "sample.yaml", check, ...parseCase(CLUSTER) };
  const { reader } = await openCase(one);
  const recording: Recording = new Map();
  const reads = known.flatMap(getReads);
  await judgeCase(
    one,
    createRecordingReader(reader, recording, () => reads),
    [],
  );
  const folder = createTemporaryFolder();
  const file = join(folder, "cluster.json");
  await writeRecording(recording, folder);
  writeFileSync(file, change(readFileSync(file, "utf8")));
  const { outcome } = await judgeCase(one, await createRecordedReader(folder), []);
  const said = outcome.kind === "unknown" ? outcome.unknowns.map(({ reason, message }) => `${reason}: ${message}`) : [];
  return { kind: outcome.kind, said };
}

const LEFT_OUT =
  "NotRecorded: the recording left out spec.activeDeadlineSeconds: record the cluster again, with this check";

test("a recording that is made for a check holds what it reads, and no more", async () => {
  const check = await loadCheck(SPEC);
  let written = "";
  const judged = await judgeRecorded(check, [...checks, check], (text) => (written = text));
  assert.deepEqual(judged, { kind: "risk", said: [] });
  assert.match(written, /"activeDeadlineSeconds":5,"nodeName":"worker"/);
  assert.doesNotMatch(written, /hostname/);
});

test("what a recording left out is unknown, never absent", async () => {
  const check = await loadCheck(SPEC);
  assert.deepEqual(await judgeRecorded(check, checks), { kind: "unknown", said: [LEFT_OUT] });
});

const MODE = `reads:
  config: {get: v1/configmaps, name: shop/cart}
risks:
  - name: CartIsLegacy
    title: The cart is legacy
    url: https://example.com/cart
    effect: broken
    message: \${objects} says so.
    remediation: Choose another mode.
    findings:
      - {object: config.value(), when: config.?data.?mode.orValue("") == "legacy", message: It is legacy.}`;

test("so is the value of a ConfigMap that a recording hides", async () => {
  const check = await loadCheck(MODE);
  const said = ["NotRecorded: the recording left out data.mode: record the cluster again, with this check"];
  assert.deepEqual(await judgeRecorded(check, [...checks, check]), { kind: "risk", said: [] });
  assert.deepEqual(await judgeRecorded(check, checks), { kind: "unknown", said });
});

test("so it is in a recording of before, which does not say what it kept", async () => {
  const check = await loadCheck(SPEC);
  const forget = (text: string): string => text.replace(/^"\/kept-fields": .*?\]\s\},\n/ms, "");
  assert.deepEqual(await judgeRecorded(check, checks, forget), { kind: "unknown", said: [LEFT_OUT] });
});

test("so it is of a list of which a recording does not say what it kept", async () => {
  const check = await loadCheck(SPEC);
  const forget = (text: string): string => text.replace('"/api/v1/pods": [[', '"/api/v1/other": [[');
  assert.deepEqual(await judgeRecorded(check, checks, forget), { kind: "unknown", said: [LEFT_OUT] });
});

test("objects that somebody wrote by hand are whole", async () => {
  const check = await loadCheck(SPEC);
  const one = { name: "sample", file: "sample.yaml", check, ...parseCase(CLUSTER) };
  const { outcome } = await judgeCase(one, (await openCase(one)).reader, []);
  assert.equal(outcome.kind, "risk");
});
