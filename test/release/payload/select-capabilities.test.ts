import assert from "node:assert/strict";
import test from "node:test";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import {
  buildFacts,
  formatClusterVersionCrd,
  formatManifest,
  makeFolder,
  readAndSelect,
  readOrThrow,
} from "../../support/release/payload/payload-folder.ts";

const WITHOUT = { known: ["Build", "Console"], enabled: ["Build"] };

test("capabilities: the CRD lists the known ones, new ones are implicit, and removed ones are not enabled", async (t) => {
  const target = { "v.yaml": formatClusterVersionCrd(["Build", "Console", "Ingress"]) };
  const capabilities = { known: ["Build", "Console", "Gone"], enabled: ["Console", "Gone"] };
  assert.deepEqual((await readAndSelect(t, target, { capabilities })).capabilities, {
    known: ["Build", "Console", "Ingress"],
    enabled: ["Console", "Ingress"],
    implicit: ["Ingress"],
  });
});

test("capabilities: a source without capabilities has all of them enabled explicitly", async (t) => {
  const target = { "v.yaml": formatClusterVersionCrd(["Console", "Build"]) };
  assert.deepEqual((await readAndSelect(t, target)).capabilities, {
    known: ["Build", "Console"],
    enabled: ["Build", "Console"],
    implicit: [],
  });
});

test("capabilities: without the CRD, the release table applies, and past its end the cluster's own list", async (t) => {
  const files = { "a.yaml": formatManifest("Thing", "a") };
  const known = (await readAndSelect(t, files)).capabilities.known;
  assert.equal(known.length, 17);
  assert.ok(known.includes("OperatorLifecycleManagerV1"));
  const later = await readOrThrow(makeFolder(t, files), { targetVersion: "5.9.0" });
  assert.deepEqual(selectRelease(later, buildFacts({ capabilities: WITHOUT })).capabilities, {
    known: ["Build", "Console"],
    enabled: ["Build"],
    implicit: [],
  });
});
