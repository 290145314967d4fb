import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import type { Setting } from "../../src/cli/settings/command.ts";
import { controller } from "../../src/cli/commands/controller/definition.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { DEFAULT_DOCUMENT } from "../../src/cli/settings/shared-settings.ts";
import { at, type JsonObject, listAt, numberAt, textAt, textsAt } from "../../src/model/json.ts";
import { buildFacts, makeFolder, addReleaseFiles, readOrThrow } from "../support/release/payload/payload-folder.ts";
import { selectRelease } from "../../src/release/payload/release-selection.ts";
import {
  DEPLOY,
  bases,
  filesOf,
  kustomizationOf,
  formatIdentity,
  objectsOf,
  parseObjects,
} from "../support/deploy/bases.ts";

const GATED = "status-controller";
const CONTROLLER_VARIABLES = Object.values(controller.settings).flatMap(({ env }: Setting) => env ?? []);

for (const base of bases) {
  test(`${base} lists every file that it has, and every file that it lists exists`, () => {
    const kustomization = kustomizationOf(base);
    const patches = listAt(kustomization, "patches").flatMap((patch) => textAt(patch, "path") ?? []);
    const listed = [...textsAt(kustomization, "resources"), ...patches];
    const [files, folders] = [true, false].map((isFile) => listed.filter((name) => name.endsWith(".yaml") === isFile));
    assert.deepEqual(files?.toSorted(), filesOf(base));
    for (const folder of folders ?? [])
      assert.ok(existsSync(join(DEPLOY, base, folder, "kustomization.yaml")), `${base}/${folder}`);
  });

  test(`${base} has images that are obviously placeholders, and says where to replace them`, () => {
    const images = listAt(kustomizationOf(base), "images").map((image) => textAt(image, "name") ?? "");
    const used = objectsOf(base).flatMap((object) =>
      ["containers", "initContainers"].flatMap((key) => listAt(object, "spec", "template", "spec", key)),
    );
    const names = used.map((container) => (textAt(container, "image") ?? "").replace(/:.*$/, ""));
    assert.deepEqual(
      [...names, ...images].filter((name) => !name.startsWith("example.com/replace/")),
      [],
    );
    const above = textsAt(kustomizationOf(base), "resources").flatMap((one) =>
      one.endsWith(".yaml") ? [] : listAt(kustomizationOf(join(base, one)), "images"),
    );
    const replaced = [...images, ...above.map((image) => textAt(image, "name"))];
    assert.deepEqual(
      names.filter((name) => !replaced.includes(name)),
      [],
    );
  });

  test(`${base} lets nobody read Secrets, write to all resources, or impersonate anyone`, () => {
    const rules = objectsOf(base).flatMap((object) => listAt(object, "rules"));
    const secret = rules.filter((rule) => {
      const groups = textsAt(rule, "apiGroups");
      const resources = textsAt(rule, "resources");
      return (
        resources.includes("secrets") ||
        (resources.includes("*") && groups.some((group) => group === "" || group === "*"))
      );
    });
    assert.deepEqual(secret, []);
    const writes = rules.filter((rule) =>
      textsAt(rule, "verbs").some((verb) => !["get", "list", "watch", "create"].includes(verb)),
    );
    assert.deepEqual(
      writes.filter((rule) => textsAt(rule, "resourceNames").length === 0),
      [],
    );
    assert.ok(rules.every((rule) => !textsAt(rule, "verbs").includes("*")));
  });
}

/** The gated manifests that a release containing them would apply to a cluster with this feature set. */
async function selected(t: test.TestContext, featureSet: string): Promise<readonly string[]> {
  const files = filesOf(GATED).map((file) => [
    `0000_00_update-status-controller_${file}`,
    readFileSync(join(DEPLOY, GATED, file), "utf8"),
  ]);
  const folder = makeFolder(t, addReleaseFiles(Object.fromEntries(files)));
  const { manifests } = selectRelease(await readOrThrow(folder), buildFacts({ featureSet }));
  return manifests.map(({ kind, namespace, name }) => [kind, namespace, name].filter(Boolean).join(" ")).toSorted();
}

test("a release with the update status controller deploys it with DevPreviewNoUpgrade and no other feature set", async (t) => {
  assert.deepEqual(await selected(t, "DevPreviewNoUpgrade"), objectsOf(GATED).map(formatIdentity).toSorted());
  for (const featureSet of ["", "TechPreviewNoUpgrade", "CustomNoUpgrade", "OKD"])
    assert.deepEqual(await selected(t, featureSet), [], featureSet);
});

test("the pods use the accounts that have the rights", () => {
  for (const base of bases.filter((one) => basename(one) !== "account" && !/^(?:monitoring|fleet)/.test(one))) {
    const objects = objectsOf(base);
    const accounts = objects
      .filter(({ kind }) => kind === "ServiceAccount")
      .map((object) => at(object, "metadata", "name"));
    const subjects = objects
      .flatMap((object) => listAt(object, "subjects"))
      .filter((subject) => textAt(subject, "namespace") !== "openshift-monitoring")
      .map((subject) => at(subject, "name"));
    const used = objects.flatMap((object) => textAt(object, "spec", "template", "spec", "serviceAccountName") ?? []);
    assert.deepEqual(new Set(subjects), new Set(accounts), base);
    assert.ok(used.length > 0 && used.every((name) => accounts.includes(name)), base);
  }
});

test("the controller knows every variable that it gets, and mounts the runner's document read-only", () => {
  const deployment = objectsOf("controller").find(({ kind }) => kind === "Deployment");
  const [container] = listAt(deployment, "spec", "template", "spec", "containers");
  const known = new Set([...CONTROLLER_VARIABLES, "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"]);
  const given = listAt(container, "env").flatMap((one) => textAt(one, "name") ?? []);
  assert.deepEqual(
    given.filter((name) => !known.has(name)),
    [],
  );
  const [mount] = listAt(container, "volumeMounts");
  assert.equal(at(mount, "readOnly"), true);
  assert.ok(DEFAULT_DOCUMENT.startsWith(`${textAt(mount, "mountPath")}/`));
  assert.ok(given.includes(controller.settings.image.env));
});

test("the program and the flags of every base are known", () => {
  const used = bases.flatMap((base) => [
    ...objectsOf(base).flatMap((object) =>
      listAt(object, "spec", "template", "spec", "containers").flatMap((one) => textsAt(one, "args")),
    ),
    ...listAt(kustomizationOf(base), "patches").flatMap(
      (patch) => /value: (--\S+)/.exec(textAt(patch, "patch") ?? "")?.[1] ?? [],
    ),
  ]);
  const flags = COMMANDS.flatMap(({ settings }) => Object.keys(settings)).map((flag) => `--${flag}`);
  const known = new Set(["preflight", ...COMMANDS.map(({ name }) => name), ...flags]);
  assert.deepEqual(
    used.filter((word) => !known.has(word.replace(/=.*$/, ""))),
    [],
  );
});

test("with monitoring the controller creates a runner that listens on the port of the Service", () => {
  const [patch] = parseObjects(readFileSync(join(DEPLOY, "controller-with-monitoring", "listen.yaml"), "utf8"));
  const controller = objectsOf("controller").find(({ kind }) => kind === "Deployment");
  assert.equal(formatIdentity(patch ?? {}), formatIdentity(controller ?? {}));
  const [container] = listAt(patch, "spec", "template", "spec", "containers");
  const [own] = listAt(controller, "spec", "template", "spec", "containers");
  assert.equal(textAt(container, "name"), textAt(own, "name"));
  const service = objectsOf("monitoring").find(({ kind }) => kind === "Service");
  const listen = { name: "PREFLIGHT_RUNNER_LISTEN", value: `:${numberAt(service, "spec", "ports", 0, "targetPort")}` };
  const messages = { name: "PREFLIGHT_RUNNER_RISK_MESSAGES", value: "false" };
  const ofRunner = listAt(container, "env").filter(
    (one) => !(textAt(one, "name") ?? "").startsWith("PREFLIGHT_LISTEN"),
  );
  const annotation = "service.beta.openshift.io/serving-cert-secret-name";
  const secret = textAt(service, "metadata", "annotations", annotation) ?? "";
  const certificate = { name: "PREFLIGHT_RUNNER_LISTEN_CERT", value: secret };
  assert.notEqual(secret, "");
  assert.deepEqual(ofRunner, [listen, certificate, messages]);
  for (const { name } of [listen, certificate, messages]) assert.ok(CONTROLLER_VARIABLES.includes(name));
});

for (const [base, below, served] of [
  ["controller-with-monitoring", "controller", "controller-with-monitoring"],
  ["runner-with-monitoring", "runner", "monitoring"],
  ["status-controller-with-monitoring", "status-controller", "status-controller-with-monitoring"],
] as const) {
  test(`${base} serves metrics over TLS where the Service and the ServiceMonitor expect them`, () => {
    const objects = objectsOf(served);
    const isOwn = (object: JsonObject): boolean => textAt(object, "metadata", "name") === name;
    const deployment = objectsOf(below).find(({ kind }) => kind === "Deployment");
    const name = textAt(deployment, "metadata", "name");
    const namespace = textAt(deployment, "metadata", "namespace");
    const [patch] = parseObjects(readFileSync(join(DEPLOY, base, "listen.yaml"), "utf8"));
    assert.equal(formatIdentity(patch ?? {}), formatIdentity(deployment ?? {}));
    const service = objects.find((object) => object["kind"] === "Service" && isOwn(object));
    const monitor = objects.find((object) => object["kind"] === "ServiceMonitor" && isOwn(object));
    const secret = textAt(service, "metadata", "annotations", "service.beta.openshift.io/serving-cert-secret-name");
    const [volume] = listAt(patch, "spec", "template", "spec", "volumes");
    assert.equal(textAt(volume, "secret", "secretName"), secret);
    const [container] = listAt(patch, "spec", "template", "spec", "containers");
    const env = [
      ...listAt(deployment, "spec", "template", "spec", "containers", 0, "env"),
      ...listAt(container, "env"),
    ];
    const valueOf = (key: string) =>
      textAt(
        env.findLast((one) => textAt(one, "name") === key),
        "value",
      );
    assert.equal(valueOf("PREFLIGHT_LISTEN"), `:${numberAt(service, "spec", "ports", 0, "targetPort")}`);
    assert.equal(valueOf("PREFLIGHT_LISTEN_CERT"), textAt(container, "volumeMounts", 0, "mountPath"));
    for (const probe of ["livenessProbe", "readinessProbe"])
      assert.equal(textAt(container, probe, "httpGet", "scheme"), "HTTPS");
    const [endpoint] = listAt(monitor, "spec", "endpoints");
    assert.equal(textAt(endpoint, "scheme"), "https");
    assert.equal(textAt(endpoint, "tlsConfig", "serverName"), `${name}.${namespace}.svc`);
    assert.deepEqual(at(monitor, "spec", "selector", "matchLabels"), at(service, "metadata", "labels"));
    assert.deepEqual(at(service, "spec", "selector"), at(deployment, "spec", "selector", "matchLabels"));
    const account = textAt(deployment, "spec", "template", "spec", "serviceAccountName");
    const bindings = objects.filter(({ metadata }) => textAt(metadata, "namespace") === "kube-system");
    const own = bindings.find((binding) => textAt(binding, "subjects", 0, "name") === account);
    assert.equal(textAt(own, "roleRef", "name"), "extension-apiserver-authentication-reader");
  });
}
