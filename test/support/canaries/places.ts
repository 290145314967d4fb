import type { JsonObject } from "../../../src/model/json.ts";

/** An object with a secret in a place where people and operators put secrets; `list` is its API path. */
export type Place = {
  readonly place: string;
  readonly list: string;
  readonly build: (name: string, secret: string) => JsonObject;
};

const CONFIG = "/apis/config.openshift.io/v1";
const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const LONG_AGO = "2026-01-01T00:00:00Z";
const dataUrl = (text: string): string =>
  `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString("base64")}`;

function buildObject(apiVersion: string, kind: string, name: string, more: JsonObject): JsonObject {
  const { metadata, ...fields } = more;
  const own = typeof metadata === "object" && metadata !== null ? metadata : {};
  return { apiVersion, kind, metadata: { name, ...own }, ...fields };
}

function buildMachineConfig(name: string, spec: JsonObject): JsonObject {
  return buildObject("machineconfiguration.openshift.io/v1", "MachineConfig", name, { spec });
}

function buildWorkload(name: string, template: JsonObject, metadata: JsonObject = {}): JsonObject {
  const selector = { matchLabels: { app: name } };
  return buildObject("apps/v1", "Deployment", name, {
    metadata: { namespace: "shop", ...metadata },
    spec: { replicas: 1, selector, template },
    status: { replicas: 1 },
  });
}

function buildContainer(container: JsonObject): JsonObject {
  return { metadata: { labels: {} }, spec: { containers: [{ name: "c", image: "registry.example/c", ...container }] } };
}

function buildPlan(name: string, spec: JsonObject): JsonObject {
  return buildObject("storage.example.com/v1", "BackupPlan", name, { metadata: { namespace: "shop" }, spec });
}

function buildOperator(name: string, type: string, status: string, message: string): JsonObject {
  const good = { Available: "True", Degraded: "False", Progressing: "False", Upgradeable: "True", [type]: status };
  const conditions = Object.entries(good).map(([one, value]) => ({
    type: one,
    status: value,
    reason: "AsExpected",
    message: one === type ? message : "All is well",
    lastTransitionTime: LONG_AGO,
  }));
  return buildObject("config.openshift.io/v1", "ClusterOperator", name, {
    spec: {},
    status: { conditions, versions: [{ name: "operator", version: "4.17.20" }] },
  });
}

const DEPLOYMENTS = "/apis/apps/v1/deployments";
const PLANS = "/apis/storage.example.com/v1/backupplans";
const OPERATORS = `${CONFIG}/clusteroperators`;

/** The texts that reports quote. */
export const REPORTED_PLACES: readonly Place[] = [
  {
    place: "an operator's condition",
    list: OPERATORS,
    build: (name, s) => buildOperator(name, "Degraded", "True", `it failed: ${s}`),
  },
  {
    place: "why an operator can't be updated",
    list: OPERATORS,
    build: (name, s) => buildOperator(name, "Upgradeable", "False", s),
  },
  {
    place: "a value that the target refuses",
    list: PLANS,
    build: (name, s) => buildPlan(name, { schedule: "x", keep: 3, compression: s }),
  },
];

export const PLACES: readonly Place[] = [
  ...REPORTED_PLACES,
  {
    place: "a unit of a MachineConfig",
    list: MACHINE_CONFIGS,
    build: (name, s) =>
      buildMachineConfig(name, {
        config: { systemd: { units: [{ name: "a.service", contents: `[Service]\nExecStart=/bin/sh -c '${s}'\n` }] } },
      }),
  },
  {
    place: "a file of a MachineConfig",
    list: MACHINE_CONFIGS,
    build: (name, s) =>
      buildMachineConfig(name, {
        config: { storage: { files: [{ path: "/etc/x", contents: { source: dataUrl(s) } }] } },
      }),
  },
  {
    place: "CRI-O's configuration",
    list: MACHINE_CONFIGS,
    build: (name, s) =>
      buildMachineConfig(name, {
        config: {
          storage: {
            files: [
              {
                path: "/etc/crio/crio.conf.d/a",
                contents: { source: dataUrl(`[crio.runtime]\n# ${s}\ndefault_env = [\n${JSON.stringify(s)}]\n`) },
              },
            ],
          },
        },
      }),
  },
  {
    place: "kernel arguments",
    list: MACHINE_CONFIGS,
    build: (name, s) => buildMachineConfig(name, { kernelArguments: [`rd.login=${s.replaceAll(/\s+/g, "_")}`] }),
  },
  {
    place: "arguments",
    list: DEPLOYMENTS,
    build: (name, s) => buildWorkload(name, buildContainer({ args: s.split(" ") })),
  },
  {
    place: "a command",
    list: DEPLOYMENTS,
    build: (name, s) => buildWorkload(name, buildContainer({ command: ["sh", "-c", s] })),
  },
  {
    place: "a variable",
    list: DEPLOYMENTS,
    build: (name, s) => buildWorkload(name, buildContainer({ env: [{ name: "A", value: s }] })),
  },
  {
    place: "an annotation",
    list: DEPLOYMENTS,
    build: (name, s) => buildWorkload(name, buildContainer({}), { annotations: { note: s } }),
  },
  {
    place: "the last applied configuration",
    list: DEPLOYMENTS,
    build: (name, s) =>
      buildWorkload(name, buildContainer({}), { annotations: { [APPLIED]: JSON.stringify({ spec: { a: s } }) } }),
  },
  {
    place: "a field of a custom resource",
    list: PLANS,
    build: (name, s) => buildPlan(name, { schedule: "x", settings: { nested: [{ text: s }] } }),
  },
  {
    place: "YAML in a custom resource",
    list: PLANS,
    build: (name, s) => buildPlan(name, { schedule: "x", values: `a:\n  b: ${JSON.stringify(s)}\n` }),
  },
  {
    place: "base64 in a custom resource",
    list: PLANS,
    build: (name, s) => buildPlan(name, { schedule: "x", blob: Buffer.from(s).toString("base64") }),
  },
  {
    place: "managed fields",
    list: PLANS,
    build: (name, s) => ({
      ...buildPlan(name, { schedule: "x" }),
      metadata: {
        name,
        namespace: "shop",
        managedFields: [{ manager: "m", fieldsV1: { [`v:${JSON.stringify(s)}`]: {} } }],
      },
    }),
  },
  {
    place: "user data of a machine",
    list: "/apis/machine.openshift.io/v1beta1/machines",
    build: (name, s) =>
      buildObject("machine.openshift.io/v1beta1", "Machine", name, {
        metadata: { namespace: "openshift-machine-api" },
        spec: {
          providerSpec: {
            value: { customData: Buffer.from(`#!/bin/sh\n${s}`).toString("base64"), tags: [{ name: "a", value: s }] },
          },
        },
      }),
  },
  {
    place: "a webhook's address",
    list: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    build: (name, s) =>
      buildObject("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", name, {
        webhooks: [{ name: "a.example.com", failurePolicy: "Ignore", clientConfig: { url: s } }],
      }),
  },
  {
    place: "a volume",
    list: "/api/v1/persistentvolumes",
    build: (name, s) =>
      buildObject("v1", "PersistentVolume", name, {
        spec: { mountOptions: [s], csi: { driver: "d", volumeHandle: s, volumeAttributes: { a: s } }, accessModes: [] },
      }),
  },
  {
    place: "a storage class",
    list: "/apis/storage.k8s.io/v1/storageclasses",
    build: (name, s) =>
      buildObject("storage.k8s.io/v1", "StorageClass", name, { provisioner: "p", parameters: { a: s } }),
  },
  {
    place: "an API service's condition",
    list: "/apis/apiregistration.k8s.io/v1/apiservices",
    build: (name, s) =>
      buildObject("apiregistration.k8s.io/v1", "APIService", name, {
        spec: { service: { name: "a", namespace: "b" } },
        status: {
          conditions: [
            { type: "Available", status: "False", reason: "Failed", message: s, lastTransitionTime: LONG_AGO },
          ],
        },
      }),
  },
  {
    place: "a proxy",
    list: `${CONFIG}/proxies`,
    build: (name, s) =>
      buildObject("config.openshift.io/v1", "Proxy", name, { spec: { httpProxy: s }, status: { httpsProxy: s } }),
  },
  {
    place: "a route",
    list: "/apis/route.openshift.io/v1/routes",
    build: (name, s) =>
      buildObject("route.openshift.io/v1", "Route", name, { spec: { tls: { termination: "edge", key: s } } }),
  },
  {
    place: "a controller configuration",
    list: "/apis/machineconfiguration.openshift.io/v1/controllerconfigs",
    build: (name, s) =>
      buildObject("machineconfiguration.openshift.io/v1", "ControllerConfig", name, {
        spec: { cloudProviderConfig: s, internalRegistryPullSecret: s, proxy: { httpProxy: s } },
      }),
  },
  {
    place: "a build's trigger",
    list: "/apis/build.openshift.io/v1/buildconfigs",
    build: (name, s) =>
      buildObject("build.openshift.io/v1", "BuildConfig", name, { spec: { triggers: [{ generic: { secret: s } }] } }),
  },
  {
    place: "a subscription's variables",
    list: "/apis/operators.coreos.com/v1alpha1/subscriptions",
    build: (name, s) =>
      buildObject("operators.coreos.com/v1alpha1", "Subscription", name, {
        spec: { name, config: { env: [{ name: "A", value: s }] } },
      }),
  },
  {
    place: "a mirror",
    list: `${CONFIG}/imagedigestmirrorsets`,
    build: (name, s) =>
      buildObject("config.openshift.io/v1", "ImageDigestMirrorSet", name, {
        spec: { imageDigestMirrors: [{ source: "quay.io/a", mirrors: [s] }] },
      }),
  },
  {
    place: "a link of the console",
    list: "/apis/console.openshift.io/v1/consolelinks",
    build: (name, s) => buildObject("console.openshift.io/v1", "ConsoleLink", name, { spec: { href: s, text: "a" } }),
  },
  {
    place: "a node's annotation",
    list: "/api/v1/nodes",
    build: (name, s) =>
      buildObject("v1", "Node", name, { metadata: { annotations: { "machineconfiguration.openshift.io/reason": s } } }),
  },
  {
    place: "a pod",
    list: "/api/v1/pods",
    build: (name, s) =>
      buildObject("v1", "Pod", name, {
        metadata: { namespace: "shop" },
        spec: { containers: [{ name: "c", image: "i", args: [s] }] },
        status: { phase: "Running", conditions: [{ type: "Ready", status: "False", message: s }] },
      }),
  },
];
