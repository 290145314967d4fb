import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { namesOf } from "./place.ts";

/** What an API server demands of its own kinds and a case leaves out, since no check looks at it. What a case says stays. */
export function completed(object: JsonObject): JsonObject {
  return BY_KIND[`${textAt(object, "apiVersion")} ${textAt(object, "kind")}`]?.(object) ?? object;
}

type Complete = (object: JsonObject) => JsonObject;

const BY_KIND: Readonly<Record<string, Complete>> = {
  "apiextensions.k8s.io/v1 CustomResourceDefinition": definition,
  "apiregistration.k8s.io/v1 APIService": (object) =>
    over({ spec: { groupPriorityMinimum: 100, versionPriority: 10 } }, object),
  "apps/v1 DaemonSet": (object) => over(object, { spec: workload(object) }),
  "apps/v1 Deployment": (object) => over(object, { spec: workload(object) }),
  "apps/v1 StatefulSet": (object) => over(object, { spec: workload(object) }),
  "batch/v1 CronJob": cronJob,
  "certificates.k8s.io/v1 CertificateSigningRequest": (object) =>
    over(object, { spec: { request: REQUEST, usages: ["digital signature"] } }),
  "discovery.k8s.io/v1 EndpointSlice": (object) => over({ addressType: "IPv4", endpoints: [] }, object),
  "machineconfiguration.openshift.io/v1 OSImageStream": stream,
  // Of Secrets a recording has no more than this.
  "meta.k8s.io/v1 PartialObjectMetadata": (object) => ({ ...object, apiVersion: "v1", kind: "Secret" }),
  "operator.openshift.io/v1 MachineConfiguration": (object) =>
    over({ spec: { managedBootImages: { machineManagers: [MANAGED] } } }, object),
  "storage.k8s.io/v1 CSINode": (object) =>
    withItems(object, ["spec", "drivers"], (driver) => over({ nodeID: textAt(driver, "name") ?? "" }, driver)),
  "v1 PersistentVolume": volume,
  "v1 Pod": (object) => over(object, { spec: podSpec(objectAt(object, "spec")) }),
  "v1 Service": (object) => over({ spec: { ports: [{ port: 443 }] } }, object),
};

/** Values of `upper` over those of `lower`, objects in one. */
export function over(lower: JsonObject, upper: JsonObject): JsonObject {
  const merged = Object.entries(upper).map(([key, value]) => {
    const below = lower[key];
    return [key, isObject(below) && isObject(value) ? over(below, value) : value] as const;
  });
  return { ...lower, ...Object.fromEntries(merged) };
}

function withItems(object: JsonObject, [first, second]: readonly [string, string], change: Complete): JsonObject {
  return over(object, {
    [first]: { [second]: listAt(object, first, second).map((item) => change(objectAt(item))) },
  });
}

function workload(object: JsonObject): JsonObject {
  const labels = { app: namesOf(object).name };
  const spec = over(
    { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    objectAt(object, "spec"),
  );
  return over(spec, { template: { spec: podSpec(objectAt(spec, "template", "spec")) } });
}

function podSpec(spec: JsonObject): JsonObject {
  const given = listAt(spec, "containers");
  const initContainers = listAt(spec, "initContainers").map((one, i) => container(objectAt(one), `first-${i}`));
  const containers = (given.length > 0 ? given : [{}]).map((one, i) => container(objectAt(one), `main-${i}`));
  return { ...spec, initContainers, containers };
}

function container(given: JsonObject, name: string): JsonObject {
  const volumeMounts = listAt(given, "volumeMounts").map((one, i) => over({ mountPath: `/mnt/${i}` }, objectAt(one)));
  return over({ name, image: "registry.example/demo:1" }, { ...given, volumeMounts });
}

function volume(object: JsonObject): JsonObject {
  const csi = at(object, "spec", "csi") === undefined ? {} : { csi: { volumeHandle: "volume-1" } };
  return over({ spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, ...csi } }, object);
}

function cronJob(object: JsonObject): JsonObject {
  const spec = podSpec(objectAt(object, "spec", "jobTemplate", "spec", "template", "spec"));
  const template = { spec: over({ restartPolicy: "Never" }, spec) };
  return over(over({ spec: { schedule: "0 3 * * *" } }, object), { spec: { jobTemplate: { spec: { template } } } });
}

/** "Things" of "things.example.com", with a schema that takes everything. */
function definition(object: JsonObject): JsonObject {
  const [plural = "", ...group] = namesOf(object).name.split(".");
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  const names = { plural, singular: plural, kind, listKind: `${kind}List` };
  const version = { name: "v1", served: true, storage: true };
  const whole = over(
    {
      metadata: protectedIn(group.join(".")),
      spec: { group: group.join("."), scope: "Namespaced", names, versions: [version] },
    },
    object,
  );
  return withItems(whole, ["spec", "versions"], (one) => ({ schema: OPEN, ...one }));
}

/** Kubernetes' own groups take none without a word on who approved it. */
function protectedIn(group: string): JsonObject {
  return /\.k(?:8s|ubernetes)\.io$/.test(group)
    ? { annotations: { "api-approved.kubernetes.io": "unapproved, a test" } }
    : {};
}

/** The stream that is the default must be there. */
function stream(object: JsonObject): JsonObject {
  const name = textAt(object, "status", "defaultStream") ?? "";
  const image = `registry.example/os@sha256:${"0".repeat(64)}`;
  const availableStreams = [{ name, osImage: image, osExtensionsImage: image }];
  return over({ spec: { defaultStream: name }, status: { availableStreams } }, object);
}

/** Only of machines that it manages does a cluster compare the boot images. */
const MANAGED: JsonObject = {
  apiGroup: "machine.openshift.io",
  resource: "machinesets",
  selection: { mode: "All" },
};

const OPEN: JsonObject = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** One that an API server takes for one: what a case asks for is stamped over it. */
const REQUEST = [
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHT01FSUNBUUF3RHpFTk1Bc0dBMVVFQXd3RVpHVnRiekFxTUFV",
  "R0F5dGxjQU1oQU5XbDBFNnJzZCtoMjNwTApkNk9LWmpUV0ZnUGI5bDZiZzE4Z3c2MEVkMElSb0FBd0JRWURLMlZ3QTBFQUtFSlN2",
  "QnRrRFJzdVBBOUFPY1gxCnk2K1djVEpjSHVkZjcwS0tRYW9hMzd4MEhIZndjQnJaelVuY2k0R3I4UXc0NTZpWEMvM1ZIdzlaQ0NK",
  "c0QxeW8KRHc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K",
].join("");
