import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type AcceptanceOptions,
  type Edit,
  buildAcceptEdit,
  parseAcceptance,
  buildClearModeEdit,
  buildModeEdit,
} from "../../src/lift/objects/cluster-version-edit.ts";
import { getAcceptedRisks } from "../../src/lift/objects/cluster-version.ts";
import { NO_GATED_FIELDS } from "../../src/lift/objects/gated-fields.ts";
import { resolvePayload } from "../../src/lift/objects/payload.ts";
import { type JsonObject, at, objectAt } from "../../src/model/json.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import { ALL_FIELDS, clusterVersion, imageOf, release, RETRIEVED } from "../../verify/operator/status-sample.ts";

function clusterVersionWith(desiredUpdate: JsonObject): JsonObject {
  const object = clusterVersion();
  return { ...object, spec: { ...objectAt(object, "spec"), desiredUpdate } };
}

function edit(object: JsonObject, list: string | undefined, options: AcceptanceOptions = {}): Edit {
  const acceptance = parseAcceptance(list, options);
  return acceptance.kind === "refused" ? acceptance : buildAcceptEdit(object, ALL_FIELDS, acceptance);
}

function applyEdit(object: JsonObject, change: Edit): JsonObject {
  return change.kind === "patch" ? applyMergePatch(object, change.patch) : assert.fail(JSON.stringify(change));
}

function desired(object: JsonObject): unknown {
  return at(object, "spec", "desiredUpdate");
}

describe("accepting", () => {
  test("without a desiredUpdate requests no update", () => {
    const object = clusterVersion();
    const change = edit(object, "B,A");
    assert.deepEqual(change, {
      kind: "patch",
      patch: {
        metadata: { resourceVersion: "41" },
        spec: { desiredUpdate: { acceptRisks: [{ name: "A" }, { name: "B" }] } },
      },
    });
    assert.deepEqual(desired(applyEdit(object, change)), { acceptRisks: [{ name: "A" }, { name: "B" }] });
  });

  test("keeps the rest of desiredUpdate, the existing entries and their order", () => {
    const others = { mode: "Preflight", version: "5.2.0", image: imageOf("5.2.0"), force: false };
    const object = clusterVersionWith({ ...others, acceptRisks: [{ name: "Z", note: "kept" }, { name: "B" }] });
    const after = applyEdit(object, edit(object, "A, B-,Z"));
    assert.deepEqual(desired(after), { ...others, acceptRisks: [{ name: "Z", note: "kept" }, { name: "A" }] });
  });

  test("replaces and clears entries, and leaves no empty list or desiredUpdate", () => {
    const object = clusterVersionWith({ version: "5.2.0", acceptRisks: [{ name: "A" }, { name: "B" }] });
    assert.deepEqual(getAcceptedRisks(applyEdit(object, edit(object, "C,B", { replace: true }))), ["B", "C"]);
    assert.deepEqual(desired(applyEdit(object, edit(object, undefined, { clear: true }))), { version: "5.2.0" });
    assert.deepEqual(desired(applyEdit(object, edit(object, "A-,B-"))), { version: "5.2.0" });
    const alone = clusterVersionWith({ acceptRisks: [{ name: "A" }] });
    assert.equal(desired(applyEdit(alone, edit(alone, "A-"))), undefined);
    assert.equal(desired(applyEdit(alone, edit(alone, undefined, { clear: true }))), undefined);
  });

  test("sends nothing if nothing changes", () => {
    const object = clusterVersionWith({ acceptRisks: [{ name: "B" }, { name: "A" }] });
    for (const [list, options] of [
      ["A,B", {}],
      ["C-", {}],
      ["A,B", { replace: true }],
    ] as const)
      assert.deepEqual(edit(object, list, options), { kind: "unchanged" });
    assert.deepEqual(edit(clusterVersion(), undefined, { clear: true }), { kind: "unchanged" });
  });

  test("refuses an invalid or contradictory change, and one that the CRD can't hold", () => {
    const wrong: readonly (readonly [string | undefined, AcceptanceOptions])[] = [
      [undefined, {}],
      ["", {}],
      ["A,,B", {}],
      ["-", {}],
      ["A,A-", {}],
      ["A-", { replace: true }],
      ["A", { clear: true }],
      [undefined, { clear: true, replace: true }],
      ["A".repeat(257), {}],
      [Array.from({ length: 1_001 }, (_, i) => `A${i}`).join(","), {}],
    ];
    for (const [list, options] of wrong) assert.equal(edit(clusterVersion(), list, options).kind, "refused");
    const unheld = buildAcceptEdit(clusterVersion(), NO_GATED_FIELDS, { kind: "change", add: ["A"], remove: [] });
    assert.equal(unheld.kind, "refused");
  });
});

describe("the mode", () => {
  const payload = resolvePayload(clusterVersion(), { kind: "version", version: "5.2.0" });

  test("is set only if the CRD has it and the operator advertises it", () => {
    assert.equal(buildModeEdit(clusterVersion(), NO_GATED_FIELDS, true, payload).kind, "refused");
    assert.equal(buildModeEdit(clusterVersion(), ALL_FIELDS, false, payload).kind, "refused");
    const refused = resolvePayload(clusterVersion(), { kind: "version", version: "5.9.0" });
    assert.equal(buildModeEdit(clusterVersion(), ALL_FIELDS, true, refused).kind, "refused");
    const object = clusterVersion({ accepted: ["A"] });
    const after = applyEdit(object, buildModeEdit(object, ALL_FIELDS, true, payload));
    assert.deepEqual(desired(after), {
      mode: "Preflight",
      version: "5.2.0",
      image: imageOf("5.2.0"),
      acceptRisks: [{ name: "A" }],
    });
    assert.deepEqual(buildModeEdit(after, ALL_FIELDS, true, payload), { kind: "unchanged" });
  });

  test("is not added to an update that somebody requested", () => {
    const updates: readonly JsonObject[] = [
      { version: "5.1.0" },
      { image: "example/a" },
      { architecture: "Multi", version: "" },
    ];
    for (const update of updates)
      assert.equal(buildModeEdit(clusterVersionWith(update), ALL_FIELDS, true, payload).kind, "refused");
  });

  test("is never removed without the target, which would then start an update", () => {
    const accepting = clusterVersionWith({
      mode: "Preflight",
      version: "5.2.0",
      image: "a",
      force: true,
      later: "x",
      acceptRisks: [{ name: "A" }],
    });
    assert.deepEqual(desired(applyEdit(accepting, buildClearModeEdit(accepting))), { acceptRisks: [{ name: "A" }] });
    const plain = clusterVersionWith({ mode: "Preflight", version: "5.2.0" });
    assert.equal(desired(applyEdit(plain, buildClearModeEdit(plain))), undefined);
    assert.deepEqual(buildClearModeEdit(clusterVersionWith({ version: "5.2.0" })), { kind: "unchanged" });
  });
});

describe("a payload", () => {
  test("is one that ClusterVersion offers exactly once and by digest", () => {
    assert.deepEqual(resolvePayload(clusterVersion(), { kind: "version", version: "5.2.0" }), {
      kind: "offered",
      version: "5.2.0",
      image: imageOf("5.2.0"),
    });
    const twice = clusterVersion({ available: [release("5.2.0"), { version: "5.2.0", image: imageOf("5.1.0") }] });
    const loose = clusterVersion({ available: [{ version: "5.2.0", image: "example/release:5.2.0" }] });
    const reasons = [twice, loose, clusterVersion({ available: [], conditions: [RETRIEVED] })].map((object) =>
      resolvePayload(object, { kind: "version", version: "5.2.0" }),
    );
    assert.deepEqual(
      reasons.map((payload) => (payload.kind === "refused" ? payload.reason : payload.kind)),
      ["TargetAmbiguous", "TargetNotPinned", "TargetNotOffered"],
    );
  });

  test("given by pull spec is offered or not, and always has a digest", () => {
    const own = `registry.example/own@sha256:${"b".repeat(64)}`;
    assert.deepEqual(resolvePayload(clusterVersion({ conditions: [RETRIEVED] }), { kind: "image", image: own }), {
      kind: "notOffered",
      image: own,
      reason: "TargetNotOffered",
      message: `ClusterVersion does not offer ${own}.`,
    });
    assert.equal(resolvePayload(clusterVersion(), { kind: "image", image: imageOf("5.2.0") }).kind, "offered");
    assert.equal(
      resolvePayload(clusterVersion(), { kind: "image", image: "registry.example/own:latest" }).kind,
      "refused",
    );
  });
});
