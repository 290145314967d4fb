import assert from "node:assert/strict";
import { test } from "node:test";
import { buildComparisonNotice, keepPodClaims } from "../../src/checks/selinux-mount/check.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";

const VOLUMES: readonly JsonObject[] = [
  { name: "data", persistentVolumeClaim: { claimName: "c" } },
  { name: "tmp", emptyDir: {} },
];

function buildContainer(level?: string, more: JsonObject = {}, volume = "data"): JsonObject {
  const seLinuxOptions: JsonObject = level === undefined ? {} : { level };
  return { volumeMounts: [{ name: volume }], securityContext: { seLinuxOptions, ...more } };
}

function keep(containers: readonly JsonObject[], spec: JsonObject = {}, status: JsonObject = {}) {
  const metadata = { namespace: "shop", name: "a" };
  return keepPodClaims({ metadata, spec: { volumes: VOLUMES, containers, ...spec }, status });
}

test("keeps the claims that a pod mounts, with the levels of its containers", () => {
  const ofPod = (more: JsonObject = {}) => ({ securityContext: { seLinuxOptions: { level: "p" }, ...more } });
  const table: readonly (readonly [kept: ReturnType<typeof keep>, levels: readonly string[] | undefined])[] = [
    [keep([buildContainer("x")]), ["x"]],
    [keep([buildContainer("x"), buildContainer("y"), buildContainer("x")]), ["x", "y"]],
    [keep([buildContainer("x")], { initContainers: [buildContainer("i")] }), ["i", "x"]],
    [keep([buildContainer()], ofPod()), ["p"]],
    [keep([buildContainer("x")], ofPod()), ["x"]],
    [keep([buildContainer("x")], ofPod({ seLinuxChangePolicy: "MountOption" })), ["x"]],
    [keep([buildContainer("x")], ofPod({ seLinuxChangePolicy: "Recursive" })), undefined],
    [keep([buildContainer("x", { privileged: true })]), undefined],
    [keep([buildContainer("x", { privileged: false })]), ["x"]],
    [keep([buildContainer("x", {}, "tmp")]), undefined],
    [keep([buildContainer()]), undefined],
    [keep([buildContainer("x")], {}, { phase: "Running" }), ["x"]],
    [keep([buildContainer("x")], {}, { phase: "Succeeded" }), undefined],
    [keep([buildContainer("x")], {}, { phase: "Failed" }), undefined],
  ];
  for (const [i, [kept, levels]] of table.entries()) {
    const claims = levels === undefined ? undefined : { namespace: "shop", pod: "a", claims: [{ claim: "c", levels }] };
    assert.deepEqual(kept, claims, `row ${i}`);
  }
});

test("names the claims that pods of one namespace mount with different levels, sorted", () => {
  const use = (namespace: string, claim: string, ...levels: readonly string[]) => ({
    namespace,
    pod: "a",
    claims: [{ claim, levels }],
  });
  const describe = (source: string, ...pods: readonly ReturnType<typeof use>[]) =>
    buildComparisonNotice(pods, buildContext(version(source), release("5.1.0"), new Date(0))).replace(
      /^.* is missing\)\./,
      "",
    );
  const none = " No running pods share a claim with different SELinux levels now.";
  const later = " 5.0 does: run this check again there.";
  const shared = (names: string) => ` Pods with different SELinux levels mount these claims: ${names}.`;
  assert.equal(describe("5.0.1"), none);
  assert.equal(describe("4.22.1"), `${later}${none}`);
  assert.equal(describe("5.0.1", use("a", "c", "x"), use("a", "c", "x"), use("b", "c", "y")), none);
  assert.equal(
    describe("5.0.1", use("b", "c", "x", "y"), use("a", "d", "x"), use("a", "d", "y")),
    shared("a/d and b/c"),
  );
});
