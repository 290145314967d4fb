import assert from "node:assert/strict";
import { test } from "node:test";
import { buildRunnerDeployment } from "../../src/controller/runner/runner-deployment.ts";
import { parseRequest } from "../../src/lift/objects/preflight-request.ts";
import { at, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { objectsOf } from "../support/deploy/bases.ts";
import { imageOf } from "../../verify/operator/status-sample.ts";
import { SETTINGS } from "../support/controller/reconcile.ts";

const PAYLOAD = { kind: "offered", version: "5.2.0", image: imageOf("5.2.0") } as const;
type Listen = typeof SETTINGS.runner.listen;

function podOf(deployment: JsonObject | undefined): JsonObject {
  const pod = at(deployment, "spec", "template", "spec");
  return JSON.parse(JSON.stringify(pod));
}

function runnerWith(listen: Listen): Json | undefined {
  return at(podOf(buildRunnerDeployment(PAYLOAD, { ...SETTINGS.runner, listen })), "containers", 0);
}

for (const [listen, host, isDeclared] of [
  [{ address: "127.0.0.1:19099", host: "127.0.0.1", port: 19_099 }, "127.0.0.1", false],
  [{ address: "[::1]:19099", host: "::1", port: 19_099 }, "::1", false],
  [{ address: ":9098", port: 9_098 }, "127.0.0.1", true],
  [{ address: "10.0.0.7:9098", host: "10.0.0.7", port: 9_098 }, "10.0.0.7", true],
] as const) {
  test(`a runner that listens on ${listen.address} is probed there${isDeclared ? ", on a host port" : ""}`, () => {
    const runner = runnerWith(listen);
    const given = listAt(runner, "env").find((one) => textAt(one, "name") === "PREFLIGHT_LISTEN");
    assert.equal(textAt(given, "value"), listen.address);
    for (const probe of ["livenessProbe", "readinessProbe"]) {
      assert.equal(textAt(runner, probe, "httpGet", "host"), host);
      assert.equal(at(runner, probe, "httpGet", "port"), listen.port);
    }
    assert.deepEqual(
      listAt(runner, "ports").map((port) => at(port, "containerPort")),
      isDeclared ? [listen.port] : [],
    );
  });
}

test("a runner serves TLS with the certificate of the Secret that the controller is told", () => {
  const listen: Listen = { address: ":9098", port: 9_098, certSecret: "serving" };
  const pod = podOf(buildRunnerDeployment(PAYLOAD, { ...SETTINGS.runner, listen }));
  const [runner] = listAt(pod, "containers");
  const volume = listAt(pod, "volumes").find((one) => textAt(one, "secret", "secretName") === "serving");
  const mount = listAt(runner, "volumeMounts").find((one) => textAt(one, "name") === textAt(volume, "name"));
  const folder = listAt(runner, "env").find((one) => textAt(one, "name") === "PREFLIGHT_LISTEN_CERT");
  assert.equal(textAt(folder, "value"), textAt(mount, "mountPath") ?? "nowhere");
  for (const probe of ["livenessProbe", "readinessProbe"])
    assert.equal(textAt(runner, probe, "httpGet", "scheme"), "HTTPS");
  assert.deepEqual(at(pod, "initContainers", 0, "volumeMounts"), [{ name: "target", mountPath: "/target" }]);
});

test("a runner shows the risks' messages and asks others only if the controller is told so", () => {
  const getNames = (settings: Parameters<typeof buildRunnerDeployment>[1]): readonly (string | undefined)[] =>
    listAt(podOf(buildRunnerDeployment(PAYLOAD, settings)), "containers", 0, "env").map((one) => textAt(one, "name"));
  const names = getNames(SETTINGS.runner);
  assert.ok(!names.includes("PREFLIGHT_RISK_MESSAGES"));
  assert.ok(getNames({ ...SETTINGS.runner, showsMessages: true }).includes("PREFLIGHT_RISK_MESSAGES"));
  assert.ok(!names.includes("PREFLIGHT_PROMQL"));
  assert.ok(getNames({ ...SETTINGS.runner, promql: "service" }).includes("PREFLIGHT_PROMQL"));
  assert.ok(!names.includes("PREFLIGHT_CHECKS_FROM"));
  const checksFrom = ["payload", "operators"];
  assert.ok(getNames({ ...SETTINGS.runner, checksFrom }).includes("PREFLIGHT_CHECKS_FROM"));
});

test("only the runner of a controller ends with its request", () => {
  const base = objectsOf("runner").find(({ kind }) => kind === "Deployment");
  const getValue = (pod: JsonObject): string | undefined =>
    textAt(
      listAt(pod, "containers", 0, "env").find((one) => textAt(one, "name") === "PREFLIGHT_END_WITH_REQUEST"),
      "value",
    );
  assert.equal(getValue(podOf(buildRunnerDeployment(PAYLOAD, SETTINGS.runner))), "true");
  assert.equal(getValue(podOf(base)), undefined);
});

test("neither the controller nor the base gives the target's image a token", () => {
  const base = objectsOf("runner").find(({ kind }) => kind === "Deployment");
  for (const pod of [podOf(buildRunnerDeployment(PAYLOAD, SETTINGS.runner)), podOf(base)]) {
    assert.equal(pod["automountServiceAccountToken"], false);
    const mounts = listAt(pod, "containers", 0, "volumeMounts");
    const others = listAt(pod, "initContainers");
    assert.ok(mounts.some((one) => textAt(one, "mountPath") === "/var/run/secrets/kubernetes.io/serviceaccount"));
    const given = others.flatMap((one) => listAt(one, "volumeMounts")).map((one) => textAt(one, "name"));
    assert.deepEqual(given, ["target"]);
  }
});

test("the base and the controller create the same pod, except for their settings", () => {
  const base = podOf(objectsOf("runner").find(({ kind }) => kind === "Deployment"));
  const ours = podOf(buildRunnerDeployment(PAYLOAD, SETTINGS.runner));
  for (const key of ["automountServiceAccountToken", "dnsPolicy", "hostNetwork", "nodeSelector", "tolerations"])
    assert.deepEqual(ours[key], base[key], key);
  const volume = (pod: JsonObject, name: string): Json | undefined =>
    listAt(pod, "volumes").find((one) => textAt(one, "name") === name);
  for (const name of ["account", "checks", "known-bugs"])
    assert.deepEqual(volume(ours, name), volume(base, name), name);
  const files = (pod: JsonObject): readonly Json[] =>
    listAt(pod, "containers", 0, "env").filter((one) =>
      ["PREFLIGHT_CHECKS", "PREFLIGHT_KNOWN_BUGS"].includes(textAt(one, "name") ?? ""),
    );
  assert.equal(files(ours).length, 2);
  assert.deepEqual(files(ours), files(base));
  for (const key of ["securityContext", "livenessProbe", "readinessProbe", "volumeMounts", "args"])
    assert.deepEqual(at(ours, "containers", 0, key), at(base, "containers", 0, key), key);
  assert.deepEqual(at(ours, "initContainers", 0, "securityContext"), at(base, "initContainers", 0, "securityContext"));
});

test("the runner is placed by the label control-plane, not by the deprecated label master", () => {
  const pod = podOf(buildRunnerDeployment(PAYLOAD, SETTINGS.runner));
  assert.deepEqual(pod["nodeSelector"], { "kubernetes.io/os": "linux", "node-role.kubernetes.io/control-plane": "" });
});

test("a request's options reach the runner", () => {
  const parsed = parseRequest({
    data: {
      to: "5.2.0",
      only: "cgroup-v1,crd-skew",
      lifted: "show",
      "check-timeout": "45s",
      "node-selector": "kubernetes.io/os=linux,preflight=",
      tolerations: "dedicated=infra:NoExecute,spot",
    },
  });
  assert.ok(parsed.kind === "request");
  const pod = podOf(buildRunnerDeployment(PAYLOAD, SETTINGS.runner, parsed.request.runner));
  const variables = new Map(
    listAt(pod, "containers", 0, "env").map((one) => [textAt(one, "name"), textAt(one, "value")]),
  );
  assert.equal(variables.get("PREFLIGHT_ONLY"), "cgroup-v1,crd-skew");
  assert.equal(variables.get("PREFLIGHT_LIFTED"), "show");
  assert.equal(variables.get("PREFLIGHT_CHECK_TIMEOUT"), "45s");
  assert.equal(variables.has("PREFLIGHT_SKIP"), false);
  assert.deepEqual(pod["nodeSelector"], { "kubernetes.io/os": "linux", preflight: "" });
  assert.deepEqual(listAt(pod, "tolerations").slice(-2), [
    { key: "dedicated", operator: "Equal", value: "infra", effect: "NoExecute" },
    { key: "spot", operator: "Exists" },
  ]);
});

for (const [key, value] of [
  ["only", "Cgroup V1"],
  ["lifted", "hide"],
  ["check-timeout", "soon"],
  ["node-selector", "linux"],
  ["tolerations", "spot:Never"],
  ["allow-unverified", "yes"],
] as const)
  test(`a request with ${key} "${value}" is invalid`, () => {
    const parsed = parseRequest({ data: { to: "5.2.0", [key]: value } });
    assert.ok(parsed.kind === "invalid");
    assert.match(parsed.problems.join(), new RegExp(`^${key}: "${value}" is not `));
  });
