import assert from "node:assert/strict";
import { test } from "node:test";
import type { Setting } from "../../src/cli/settings/command.ts";
import { run } from "../../src/cli/commands/run/definition.ts";
import { type Json, type JsonObject, at, listAt, numberAt, textAt, textsAt, objectAt } from "../../src/model/json.ts";
import { objectsOf } from "../support/deploy/bases.ts";
import {
  CHECKS_CONFIG_MAP,
  CHECKS_FOLDER,
  KNOWN_BUGS_CONFIG_MAP,
  KNOWN_BUGS_FOLDER,
} from "../../src/model/check-origin.ts";
import { SIGNATURES_NAMESPACE } from "../../src/model/release.ts";

const NAMESPACE = "openshift-cluster-version";
const NAME = "cluster-version-operator-preflight";
const SHARED_FOLDER = "/etc/cvo/updatepayloads";

const objects = objectsOf("runner");
const pod = at(only("Deployment"), "spec", "template", "spec");
const runner = listAt(pod, "containers")[0];
const init = listAt(pod, "initContainers")[0];

function only(kind: string): JsonObject {
  const found = objects.filter((object) => object["kind"] === kind);
  assert.equal(found.length, 1, `one ${kind}`);
  return found[0] ?? {};
}

function env(name: string): string | undefined {
  return textAt(
    listAt(runner, "env").find((item) => textAt(item, "name") === name),
    "value",
  );
}

function mount(container: Json | undefined, volume: string): Json | undefined {
  return listAt(container, "volumeMounts").find((item) => textAt(item, "name") === volume);
}

test("the objects that the runner needs exist under one name, in one namespace but for the right to read signatures", () => {
  const names = objects.map((object) => [
    object["kind"],
    textAt(object, "metadata", "namespace"),
    textAt(object, "metadata", "name"),
  ]);
  assert.deepEqual(names.toSorted(), [
    ["ClusterRole", undefined, NAME],
    ["ClusterRoleBinding", undefined, NAME],
    ["Deployment", NAMESPACE, NAME],
    ["Role", SIGNATURES_NAMESPACE, NAME],
    ["RoleBinding", NAMESPACE, `${NAME}-scc`],
    ["RoleBinding", SIGNATURES_NAMESPACE, NAME],
    ["ServiceAccount", NAMESPACE, NAME],
  ]);
});

test("the pod's account has the rights, and they are read-only", () => {
  const subject = { kind: "ServiceAccount", name: textAt(pod, "serviceAccountName"), namespace: NAMESPACE };
  assert.deepEqual(listAt(only("ClusterRoleBinding"), "subjects"), [subject]);
  const bindings = objects.filter((object) => object["kind"] === "RoleBinding");
  for (const binding of bindings) assert.deepEqual(listAt(binding, "subjects"), [subject]);
  assert.deepEqual(listAt(only("Role"), "rules"), [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }]);
  assert.equal(textAt(only("ClusterRoleBinding"), "roleRef", "name"), NAME);
  const rules = listAt(only("ClusterRole"), "rules");
  assert.deepEqual(new Set(rules.flatMap((rule) => textsAt(rule, "verbs"))), new Set(["get", "list"]));
  assert.ok(rules.every((rule) => !textsAt(rule, "apiGroups").includes("*")));
  const core = rules.filter((rule) => textsAt(rule, "apiGroups").includes(""));
  const resources = core.flatMap((rule) => textsAt(rule, "resources"));
  assert.ok(resources.length > 0 && !resources.includes("secrets") && !resources.includes("*"));
});

test("the selector matches the pod, and there is never more than one", () => {
  const deployment = only("Deployment");
  assert.deepEqual(
    at(deployment, "spec", "selector", "matchLabels"),
    at(deployment, "spec", "template", "metadata", "labels"),
  );
  assert.equal(at(deployment, "spec", "replicas"), 1);
  assert.equal(textAt(deployment, "spec", "strategy", "type"), "Recreate");
});

test("the container's only argument is the format, and the runner knows every variable", () => {
  assert.deepEqual(textsAt(runner, "args"), ["preflight", "--format=preflight-v1-json"]);
  const known = new Set([
    ...Object.values(run.settings).flatMap(({ env: variable }: Setting) => variable ?? []),
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
  ]);
  const names = listAt(runner, "env").map((item) => textAt(item, "name") ?? "");
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
});

test("the init container puts the target's manifests where the runner reads them", () => {
  const target = env("PREFLIGHT_TARGET");
  assert.equal(textAt(mount(runner, "target"), "mountPath"), target);
  assert.equal(textAt(mount(init, "target"), "mountPath"), target);
  assert.deepEqual(textsAt(init, "command"), ["cp", "-rf", "/manifests", "/release-manifests", `${target}/`]);
  assert.equal(env("RELEASE_IMAGE"), textAt(init, "image"));
});

test("the document is written to the node's folder that the operator reads", () => {
  assert.equal(textAt(mount(runner, "updatepayloads"), "mountPath"), SHARED_FOLDER);
  const volume = listAt(pod, "volumes").find((item) => textAt(item, "name") === "updatepayloads");
  assert.equal(textAt(volume, "hostPath", "path"), SHARED_FOLDER);
  assert.ok(run.settings.document.defaultText.startsWith(`${SHARED_FOLDER}/.`));
});

test("the administrator's checks are a ConfigMap that may be absent, and no right is needed to read it", () => {
  assert.equal(textAt(mount(runner, "checks"), "mountPath"), env("PREFLIGHT_CHECKS"));
  assert.equal(at(mount(runner, "checks"), "readOnly"), true);
  assert.equal(mount(init, "checks"), undefined);
  const volume = listAt(pod, "volumes").find((item) => textAt(item, "name") === "checks");
  assert.deepEqual(at(volume, "configMap"), { name: CHECKS_CONFIG_MAP, optional: true });
  assert.equal(env("PREFLIGHT_CHECKS"), CHECKS_FOLDER);
});

test("a list of known bugs is a ConfigMap that may be absent", () => {
  const { mountPath, readOnly } = objectAt(mount(runner, "known-bugs"));
  assert.deepEqual([mountPath, readOnly, env("PREFLIGHT_KNOWN_BUGS")], [KNOWN_BUGS_FOLDER, true, KNOWN_BUGS_FOLDER]);
  const volume = listAt(pod, "volumes").find((item) => textAt(item, "name") === "known-bugs");
  assert.deepEqual(at(volume, "configMap"), { name: KNOWN_BUGS_CONFIG_MAP, optional: true });
});

test("the probes use the address that the runner listens on, on loopback", () => {
  for (const [probe, path] of [
    ["livenessProbe", "/healthz"],
    ["readinessProbe", "/readyz"],
  ] as const) {
    const get = at(runner, probe, "httpGet");
    assert.equal(`${textAt(get, "host")}:${numberAt(get, "port")}`, env("PREFLIGHT_LISTEN"));
    assert.equal(textAt(get, "path"), path);
  }
  assert.match(env("PREFLIGHT_LISTEN") ?? "", /^127\.0\.0\.1:/);
});

test("every container declares its resources and drops all privileges", () => {
  for (const container of [runner, init]) {
    assert.ok(textAt(container, "resources", "requests", "cpu"));
    assert.ok(textAt(container, "resources", "requests", "memory"));
    assert.ok(textAt(container, "resources", "limits", "memory"));
    assert.equal(at(container, "securityContext", "readOnlyRootFilesystem"), true);
    assert.equal(at(container, "securityContext", "allowPrivilegeEscalation"), false);
    assert.deepEqual(textsAt(container, "securityContext", "capabilities", "drop"), ["ALL"]);
  }
});
