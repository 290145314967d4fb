import assert from "node:assert/strict";
import { test } from "node:test";
import { createBuiltInJudge } from "../../../src/manifests/judges/built-in-judge.ts";
import { formatManifestPath } from "../../../src/model/manifest.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";

const judge = createBuiltInJudge({ platform: "kubernetes", kubernetes: 36 });

function listRefused(object: JsonObject): readonly string[] {
  const verdict = judge(object);
  assert.ok(verdict.applies);
  return verdict.findings.map(({ path }) => formatManifestPath(path));
}

const metadata = { name: "shop" };
const container = { name: "web", image: "example.com/web" };

function deployment(spec: Readonly<Record<string, Json>>, labels: JsonObject = { app: "shop" }): JsonObject {
  const template = { metadata: { labels }, spec: { containers: [container], ...spec } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { selector: { matchLabels: { app: "shop" } }, template },
  };
}

const POD = "spec.template.spec";

test("refuses parts of a workload that don't fit each other", () => {
  const mount = { ...container, volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const greedy = {
    ...container,
    resources: { requests: { cpu: "1500m", memory: "1Gi" }, limits: { cpu: 1, memory: "1Gi" } },
  };
  assert.deepEqual(listRefused(deployment({})), []);
  assert.deepEqual(listRefused(deployment({}, { app: "other" })), ["spec.selector"]);
  assert.deepEqual(listRefused(deployment({ restartPolicy: "Never" })), [`${POD}.restartPolicy`]);
  assert.deepEqual(listRefused(deployment({ containers: [container, container] })), [`${POD}.containers[1].name`]);
  assert.deepEqual(listRefused(deployment({ initContainers: [container] })), [`${POD}.initContainers[0].name`]);
  assert.deepEqual(listRefused(deployment({ containers: [mount] })), [`${POD}.containers[0].volumeMounts[0].name`]);
  assert.deepEqual(listRefused(deployment({ containers: [mount], volumes: [{ name: "data", emptyDir: {} }] })), []);
  assert.deepEqual(listRefused(deployment({ containers: [greedy] })), [`${POD}.containers[0].resources.requests.cpu`]);
});

test("requires a restart policy of a Job", () => {
  const job = (spec: JsonObject): JsonObject => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: { template: { spec } },
  });
  assert.deepEqual(listRefused(job({ containers: [container] })), [POD]);
  assert.deepEqual(listRefused(job({ containers: [container], restartPolicy: "Always" })), [`${POD}.restartPolicy`]);
  assert.deepEqual(listRefused(job({ containers: [container], restartPolicy: "Never" })), []);
});

test("refuses names, labels and numbers that the API server refuses", () => {
  const service = (port: JsonObject, ...others: readonly JsonObject[]): JsonObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [port, ...others] },
  });
  assert.deepEqual(listRefused({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "My_Map" } }), [
    "metadata.name",
  ]);
  assert.deepEqual(listRefused({ apiVersion: "v1", kind: "ConfigMap", metadata: {} }), ["metadata"]);
  assert.deepEqual(listRefused({ apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "a--" } }), []);
  assert.deepEqual(listRefused({ apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "My-" } }), [
    "metadata.generateName",
  ]);
  assert.deepEqual(
    listRefused({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", labels: { "a b": "c", d: "e f" }, annotations: { "a/b/c": "d", "Example.com/e": "f g" } },
    }),
    ["metadata.labels[a b]", "metadata.labels.d", "metadata.annotations[a/b/c]"],
  );
  assert.deepEqual(listRefused(service({ port: 0 })), ["spec.ports[0].port"]);
  assert.deepEqual(listRefused(service({ port: 80, targetPort: "a-very-long-name" })), ["spec.ports[0].targetPort"]);
  assert.deepEqual(listRefused(service({ port: 80 }, { name: "b", port: 81 })), ["spec.ports[0]"]);
});

test("writes a port without quotation marks", () => {
  const verdict = judge({
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [{ port: 80, targetPort: "8080" }] },
  });
  assert.ok(verdict.applies);
  assert.deepEqual(
    verdict.findings.map(({ edits }) => edits),
    [[{ kind: "set", path: ["spec", "ports", 0, "targetPort"], value: 8080 }]],
  );
});

test("asks for one of the fields of which there may be one", () => {
  const probe = (livenessProbe: JsonObject): JsonObject =>
    deployment({ containers: [{ ...container, livenessProbe }] });
  const at = `${POD}.containers[0].livenessProbe`;
  assert.deepEqual(listRefused(probe({})), [at]);
  assert.deepEqual(listRefused(probe({ exec: { command: ["a"] } })), []);
  assert.deepEqual(listRefused(probe({ exec: { command: ["a"] }, tcpSocket: { port: 80 } })), [`${at}.tcpSocket`]);
});

test("refuses schedules and time zones that no API server knows", () => {
  const cron = (schedule: string, timeZone = ""): JsonObject => ({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata,
    spec: {
      schedule,
      ...(timeZone === "" ? {} : { timeZone }),
      jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } },
    },
  });
  for (const right of ["*/5 0-6,22 ? JAN,3-12/2 mon-fri", " 007 3 31 12 6 ", "@hourly", "@every 1h30m", "* * * * SUN"])
    assert.deepEqual(listRefused(cron(right)), [], right);
  for (const wrong of [
    "daily",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 7",
    "* * * *",
    "*/0 * * * *",
  ])
    assert.deepEqual(listRefused(cron(wrong)), ["spec.schedule"], wrong);
  for (const zone of ["Europe/Vienna", "Etc/UTC", "US/Pacific", "UTC"])
    assert.deepEqual(listRefused(cron("@daily", zone)), [], zone);
  assert.deepEqual(listRefused(cron("@daily", "Europe/Wien")), ["spec.timeZone"]);
});

test("refuses percentages, addresses and paths in another form", () => {
  const budget = (maxUnavailable: Json): JsonObject => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable, selector: {} },
  });
  const policy = (cidr: string, except: readonly string[] = []): JsonObject => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr, except } }] }] },
  });
  const ingress = (path: string): JsonObject => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata,
    spec: {
      rules: [
        { http: { paths: [{ path, pathType: "Prefix", backend: { service: { name: "a", port: { number: 1 } } } }] } },
      ],
    },
  });
  const block = "spec.ingress[0].from[0].ipBlock";
  for (const right of [1, "0%", "100%"]) assert.deepEqual(listRefused(budget(right)), [], `${right}`);
  for (const wrong of ["101%", "most", "-5%", "1"])
    assert.deepEqual(listRefused(budget(wrong)), ["spec.maxUnavailable"]);
  for (const right of ["10.0.0.0/8", "::/0", "2001:db8::/32", "::ffff:10.0.0.0/104"])
    assert.deepEqual(listRefused(policy(right)), [], right);
  assert.deepEqual(listRefused(policy("10.0.0.0")), [`${block}.cidr`]);
  assert.deepEqual(listRefused(policy("10.0.0.0/8", ["10.1.0.0/16", "any"])), [`${block}.except[1]`]);
  assert.deepEqual(listRefused(deployment({ hostAliases: [{ ip: "db", hostnames: ["a"] }] })), [
    `${POD}.hostAliases[0].ip`,
  ]);
  assert.deepEqual(listRefused(ingress("/a")), []);
  assert.deepEqual(listRefused(ingress("a")), ["spec.rules[0].http.paths[0].path"]);
});

test("a rule of a role is for resources or for other URLs", () => {
  const role = (kind: string, rule: JsonObject): JsonObject => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata,
    rules: [{ verbs: ["get"], ...rule }],
  });
  const pods = { apiGroups: [""], resources: ["pods"] };
  const urls = { nonResourceURLs: ["/metrics"] };
  assert.deepEqual(listRefused(role("Role", pods)), []);
  assert.deepEqual(listRefused(role("ClusterRole", urls)), []);
  assert.deepEqual(listRefused(role("Role", {})), ["rules[0]", "rules[0]"]);
  assert.deepEqual(listRefused(role("Role", urls)), ["rules[0].nonResourceURLs"]);
  assert.deepEqual(listRefused(role("ClusterRole", { ...pods, ...urls })), ["rules[0].nonResourceURLs"]);
});

test("refuses finalizers without a domain, where the API server does", () => {
  const withFinalizers = (object: JsonObject, ...finalizers: readonly string[]): JsonObject => ({
    ...object,
    metadata: { name: "a", finalizers },
  });
  const map = { apiVersion: "v1", kind: "ConfigMap" };
  assert.deepEqual(listRefused(withFinalizers(map, "example.com/a", "orphan", "foregroundDeletion", "kubernetes")), []);
  assert.deepEqual(listRefused(withFinalizers(map, "orphan", "mine.example.com")), ["metadata.finalizers[1]"]);
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: {} };
  assert.deepEqual(listRefused(withFinalizers(budget, "mine.example.com")), []);
});

test("refuses what the API server writes into a Job, unless its selector is written by hand", () => {
  const job = (labels: JsonObject, spec: JsonObject = {}): JsonObject => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: { template: { metadata: { labels }, spec: { containers: [container], restartPolicy: "Never" } }, ...spec },
  });
  const selector = { matchLabels: { app: "shop" } };
  const uid = { "batch.kubernetes.io/controller-uid": "b2d46a3b", "controller-uid": "b2d46a3b" };
  assert.deepEqual(listRefused(job({ app: "shop", "job-name": "shop" })), []);
  assert.deepEqual(listRefused(job(uid)), [
    "spec.template.metadata.labels.controller-uid",
    "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]",
  ]);
  assert.deepEqual(listRefused(job({ app: "shop" }, { selector })), ["spec.selector"]);
  assert.deepEqual(listRefused(job({ app: "shop", ...uid }, { selector, manualSelector: true })), []);
});
