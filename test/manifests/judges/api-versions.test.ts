import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManifestTarget } from "../../../src/model/manifest.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { judgeApiVersion } from "../../../src/manifests/judges/api-versions.ts";

function describe(object: JsonObject, kubernetes: number, platform: ManifestTarget["platform"] = "kubernetes"): string {
  const verdict = judgeApiVersion(object, { platform, kubernetes });
  if (!verdict.applies) return "not judged";
  const findings = verdict.findings.map(({ effect, risk, remedy }) => `${effect} ${risk}: ${remedy}`);
  return [...findings, ...verdict.unknowns.map(({ reason, message }) => `${reason}: ${message}`)].join("\n") || "clear";
}

const CASES: readonly (readonly [apiVersion: string, kind: string, minor: number, verdict: string])[] = [
  ["apps/v1", "Deployment", 25, "clear"],
  ["apps/v1", "Deployment", 40, "clear"],
  ["batch/v1beta1", "CronJob", 24, "later DeprecatedKubernetesAPI: Write batch/v1: no other field changes."],
  ["batch/v1beta1", "CronJob", 25, "refused RemovedKubernetesAPIInUse: Write batch/v1: no other field changes."],
  [
    "policy/v1beta1",
    "PodSecurityPolicy",
    33,
    "refused RemovedKubernetesAPIInUse: Leave it out: nothing replaces policy/v1beta1 PodSecurityPolicy in Kubernetes 1.33. Pod security admission does its work, by labels of the namespace such as pod-security.kubernetes.io/enforce.",
  ],
  [
    "extensions/v1beta1",
    "PodSecurityPolicy",
    24,
    "refused RemovedKubernetesAPIInUse: Write policy/v1beta1: no other field changes.",
  ],
  [
    "authentication.k8s.io/v1beta1",
    "SelfSubjectReview",
    33,
    "refused RemovedKubernetesAPIInUse: Write authentication.k8s.io/v1: no other field changes.",
  ],
  [
    "storage.k8s.io/v1alpha1",
    "VolumeAttributesClass",
    35,
    "refused RemovedKubernetesAPIInUse: Write storage.k8s.io/v1: no other field changes.",
  ],
  [
    "storage.k8s.io/v1alpha1",
    "VolumeAttributesClass",
    34,
    "OptionalApi: The target serves storage.k8s.io/v1alpha1 VolumeAttributesClass only if that is enabled there. It serves storage.k8s.io/v1 in any case.",
  ],
  [
    "rbac.authorization.k8s.io/v1alpha1",
    "RoleBinding",
    25,
    "refused RemovedKubernetesAPIInUse: Write rbac.authorization.k8s.io/v1: apiGroup replaces apiVersion in subjects[].",
  ],
  [
    "admissionregistration.k8s.io/v1alpha1",
    "ValidatingAdmissionPolicy",
    29,
    "OptionalApi: The target serves admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy only if that is enabled there.",
  ],
  [
    "admissionregistration.k8s.io/v1alpha1",
    "ValidatingAdmissionPolicy",
    32,
    "refused RemovedKubernetesAPIInUse: Write admissionregistration.k8s.io/v1: compare its fields.",
  ],
  [
    "policy/v1",
    "PodDisruptionBudget",
    20,
    "EarlierRelease: It is not known what Kubernetes 1.20 takes: what this preflight knows begins with 1.25.",
  ],
  ["batch/v2alpha1", "CronJob", 25, "refused RemovedKubernetesAPIInUse: Write batch/v1: no other field changes."],
  [
    "settings.k8s.io/v1alpha1",
    "PodPreset",
    25,
    "refused RemovedKubernetesAPIInUse: Leave it out: nothing replaces settings.k8s.io/v1alpha1 PodPreset in Kubernetes 1.25.",
  ],
  [
    "autoscaling/v2beta1",
    "HorizontalPodAutoscaler",
    30,
    "refused RemovedKubernetesAPIInUse: Write autoscaling/v2: no other field changes.",
  ],
  [
    "flowcontrol.apiserver.k8s.io/v1",
    "FlowSchema",
    28,
    "refused KindNotServed: Leave it out until the cluster runs Kubernetes 1.29, or write a version that 1.28 serves.",
  ],
  [
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "FlowSchema",
    28,
    "later DeprecatedKubernetesAPI: Write flowcontrol.apiserver.k8s.io/v1beta3: no other field changes.",
  ],
  [
    "networking.k8s.io/v1beta1",
    "IPAddress",
    34,
    "OptionalApi: The target serves networking.k8s.io/v1beta1 IPAddress only if that is enabled there. It serves networking.k8s.io/v1 in any case.",
  ],
  [
    "networking.k8s.io/v1beta1",
    "IPAddress",
    30,
    "refused KindNotServed: Leave it out until the cluster runs Kubernetes 1.31, or write a version that 1.30 serves.",
  ],
  ["v1", "Deployment", 33, "refused KindNotServed: Write apiVersion: apps/v1."],
  ["apps/v1", "Deploymnet", 33, "refused KindNotServed: Write kind: Deployment."],
  ["app/v1", "Deployment", 33, "refused KindNotServed: Write apiVersion: apps/v1."],
  [
    "apps/v1",
    "Elephant",
    33,
    'refused KindNotServed: Write an apiVersion and a kind that "kubectl api-resources" lists.',
  ],
  [
    "apps/v2",
    "Deployment",
    38,
    "LaterRelease: It is not known whether Kubernetes 1.38 serves apps/v2 Deployment: 1.36 doesn't.",
  ],
  ["v1", "List", 33, "not judged"],
  ["", "Pod", 33, "not judged"],
  ["monitoring.coreos.com/v1", "PrometheusRule", 33, "not judged"],
  ["gateway.networking.k8s.io/v1", "Gateway", 33, "not judged"],
];

test("says whether a target serves a kind, how long, and what to write instead", () => {
  for (const [apiVersion, kind, minor, verdict] of CASES)
    assert.equal(describe({ apiVersion, kind }, minor), verdict, `${apiVersion} ${kind} in 1.${minor}`);
});

test("knows what OpenShift removes earlier", () => {
  const policy = { apiVersion: "admissionregistration.k8s.io/v1beta1", kind: "ValidatingAdmissionPolicy" };
  assert.match(describe(policy, 33, "openshift"), /^refused/);
  assert.match(describe(policy, 33), /^OptionalApi/);
});

function listEdits(object: JsonObject, kubernetes = 36): unknown {
  const verdict = judgeApiVersion(object, { platform: "kubernetes", kubernetes });
  return verdict.applies ? verdict.findings.map(({ edits }) => edits) : assert.fail();
}

const setVersion = (value: string): unknown => ({ kind: "set", path: ["apiVersion"], value });

test("gives edits only where no field means anything else after them", () => {
  const budget = (selector: JsonObject): JsonObject => ({
    apiVersion: "policy/v1beta1",
    kind: "PodDisruptionBudget",
    spec: { selector },
  });
  assert.deepEqual(listEdits(budget({ matchLabels: { app: "a" } })), [[setVersion("policy/v1")]]);
  assert.deepEqual(listEdits(budget({})), [undefined]);
  const deployment = {
    apiVersion: "apps/v1beta2",
    kind: "Deployment",
    spec: { selector: { matchLabels: { a: "b" } } },
  };
  assert.deepEqual(listEdits(deployment), [[setVersion("apps/v1")]]);
  assert.deepEqual(listEdits({ ...deployment, apiVersion: "extensions/v1beta1" }), [undefined]);
  assert.deepEqual(listEdits({ ...deployment, spec: {} }), [undefined]);
  const level = (name: string, shares: number): JsonObject => ({
    apiVersion: "flowcontrol.apiserver.k8s.io/v1beta2",
    kind: "PriorityLevelConfiguration",
    spec: { limited: { [name]: shares } },
  });
  const rename = {
    kind: "rename",
    path: ["spec", "limited", "assuredConcurrencyShares"],
    to: "nominalConcurrencyShares",
  };
  assert.deepEqual(listEdits(level("assuredConcurrencyShares", 5)), [
    [setVersion("flowcontrol.apiserver.k8s.io/v1"), rename],
  ]);
  assert.deepEqual(listEdits(level("assuredConcurrencyShares", 0)), [undefined]);
});

test("turns the backends of an Ingress into those of v1", () => {
  const path = { path: "/", backend: { serviceName: "shop", servicePort: 80 } };
  const ingress = (backend: JsonObject): JsonObject => ({
    apiVersion: "networking.k8s.io/v1beta1",
    kind: "Ingress",
    spec: { backend, rules: [{ http: { paths: [path] } }] },
  });
  const where = ["spec", "rules", 0, "http", "paths", 0];
  assert.deepEqual(listEdits(ingress({ serviceName: "shop", servicePort: "http" })), [
    [
      setVersion("networking.k8s.io/v1"),
      { kind: "set", path: ["spec", "backend"], value: { service: { name: "shop", port: { name: "http" } } } },
      { kind: "rename", path: ["spec", "backend"], to: "defaultBackend" },
      { kind: "set", path: [...where, "pathType"], value: "ImplementationSpecific" },
      { kind: "set", path: [...where, "backend"], value: { service: { name: "shop", port: { number: 80 } } } },
    ],
  ]);
  assert.deepEqual(listEdits(ingress({ serviceName: "shop" })), [undefined]);
});

test("gives the groups of what OpenShift 3 served as v1", () => {
  const config = { apiVersion: "v1", kind: "DeploymentConfig" };
  assert.match(describe(config, 33, "openshift"), /^refused KindNotServed: Write apps.openshift.io\/v1/);
  assert.match(describe(config, 38, "openshift"), /^refused KindNotServed: Write apps.openshift.io\/v1/);
  assert.match(describe(config, 33), /"kubectl api-resources"/);
});
