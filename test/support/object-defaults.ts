import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { objectKeyOf } from "../../verify/api-server/api-path.ts";

/** Fields that an API server requires for built-in kinds and that cases leave out, as no check reads them. Fields of a case win. */
export function addRequiredParts(object: JsonObject): JsonObject {
  return COMPLETIONS[`${textAt(object, "apiVersion")} ${textAt(object, "kind")}`]?.(object) ?? object;
}

type Completion = (object: JsonObject) => JsonObject;

const COMPLETIONS: Readonly<Record<string, Completion>> = {
  "apiextensions.k8s.io/v1 CustomResourceDefinition": completeDefinition,
  "apiregistration.k8s.io/v1 APIService": (object) =>
    mergeOver({ spec: { groupPriorityMinimum: 100, versionPriority: 10 } }, object),
  "apps/v1 DaemonSet": (object) => mergeOver(object, { spec: completeWorkload(object) }),
  "apps/v1 Deployment": (object) => mergeOver(object, { spec: completeWorkload(object) }),
  "apps/v1 StatefulSet": (object) => mergeOver(object, { spec: completeWorkload(object) }),
  "batch/v1 CronJob": completeCronJob,
  "certificates.k8s.io/v1 CertificateSigningRequest": (object) =>
    mergeOver(object, { spec: { request: CERTIFICATE_REQUEST, usages: ["digital signature"] } }),
  "discovery.k8s.io/v1 EndpointSlice": (object) => mergeOver({ addressType: "IPv4", endpoints: [] }, object),
  "machineconfiguration.openshift.io/v1 OSImageStream": completeStream,
  // A recording has only the metadata of Secrets.
  "meta.k8s.io/v1 PartialObjectMetadata": (object) => ({ ...object, apiVersion: "v1", kind: "Secret" }),
  "operator.openshift.io/v1 MachineConfiguration": (object) =>
    mergeOver({ spec: { managedBootImages: { machineManagers: [MANAGED_MACHINES] } } }, object),
  "storage.k8s.io/v1 CSINode": (object) =>
    mapItems(object, ["spec", "drivers"], (driver) => mergeOver({ nodeID: textAt(driver, "name") ?? "" }, driver)),
  "v1 PersistentVolume": completeVolume,
  "v1 Pod": (object) => mergeOver(object, { spec: completePodSpec(objectAt(object, "spec")) }),
  "v1 Service": (object) => mergeOver({ spec: { ports: [{ port: 443 }] } }, object),
};

/** Merges `upper` over `lower`; objects are merged recursively. */
export function mergeOver(lower: JsonObject, upper: JsonObject): JsonObject {
  const merged = Object.entries(upper).map(([key, value]) => {
    const below = lower[key];
    return [key, isObject(below) && isObject(value) ? mergeOver(below, value) : value] as const;
  });
  return { ...lower, ...Object.fromEntries(merged) };
}

function mapItems(object: JsonObject, [first, second]: readonly [string, string], change: Completion): JsonObject {
  return mergeOver(object, {
    [first]: { [second]: listAt(object, first, second).map((item) => change(objectAt(item))) },
  });
}

function completeWorkload(object: JsonObject): JsonObject {
  const labels = { app: objectKeyOf(object).name };
  const spec = mergeOver(
    { selector: { matchLabels: labels }, template: { metadata: { labels } } },
    objectAt(object, "spec"),
  );
  return mergeOver(spec, { template: { spec: completePodSpec(objectAt(spec, "template", "spec")) } });
}

function completePodSpec(spec: JsonObject): JsonObject {
  const given = listAt(spec, "containers");
  const initContainers = listAt(spec, "initContainers").map((one, i) => completeContainer(objectAt(one), `first-${i}`));
  const containers = (given.length > 0 ? given : [{}]).map((one, i) => completeContainer(objectAt(one), `main-${i}`));
  return { ...spec, initContainers, containers };
}

function completeContainer(given: JsonObject, name: string): JsonObject {
  const volumeMounts = listAt(given, "volumeMounts").map((one, i) =>
    mergeOver({ mountPath: `/mnt/${i}` }, objectAt(one)),
  );
  return mergeOver({ name, image: "registry.example/demo:1" }, { ...given, volumeMounts });
}

function completeVolume(object: JsonObject): JsonObject {
  const csi: JsonObject = at(object, "spec", "csi") === undefined ? {} : { csi: { volumeHandle: "volume-1" } };
  return mergeOver({ spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, ...csi } }, object);
}

function completeCronJob(object: JsonObject): JsonObject {
  const spec = completePodSpec(objectAt(object, "spec", "jobTemplate", "spec", "template", "spec"));
  const template = { spec: mergeOver({ restartPolicy: "Never" }, spec) };
  return mergeOver(mergeOver({ spec: { schedule: "0 3 * * *" } }, object), {
    spec: { jobTemplate: { spec: { template } } },
  });
}

/** "Things" of "things.example.com", with a schema that accepts everything. */
function completeDefinition(object: JsonObject): JsonObject {
  const [plural = "", ...group] = objectKeyOf(object).name.split(".");
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  const names = { plural, singular: plural, kind, listKind: `${kind}List` };
  const version = { name: "v1", served: true, storage: true };
  const whole = mergeOver(
    {
      metadata: buildApproval(group.join(".")),
      spec: { group: group.join("."), scope: "Namespaced", names, versions: [version] },
    },
    object,
  );
  return mapItems(whole, ["spec", "versions"], (one) => ({ schema: OPEN_SCHEMA, ...one }));
}

/** Definitions in Kubernetes' own groups need an annotation of their approval. */
function buildApproval(group: string): JsonObject {
  return /\.k(?:8s|ubernetes)\.io$/.test(group)
    ? { annotations: { "api-approved.kubernetes.io": "unapproved, a test" } }
    : {};
}

/** The default stream must exist. */
function completeStream(object: JsonObject): JsonObject {
  const name = textAt(object, "status", "defaultStream") ?? "";
  const image = `registry.example/os@sha256:${"0".repeat(64)}`;
  const availableStreams = [{ name, osImage: image, osExtensionsImage: image }];
  return mergeOver({ spec: { defaultStream: name }, status: { availableStreams } }, object);
}

/** A cluster compares boot images only for machines that it manages. */
const MANAGED_MACHINES: JsonObject = {
  apiGroup: "machine.openshift.io",
  resource: "machinesets",
  selection: { mode: "All" },
};

const OPEN_SCHEMA: JsonObject = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };

/** A certificate request that an API server accepts; the fields of the case are written over it later. */
const CERTIFICATE_REQUEST = [
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHT01FSUNBUUF3RHpFTk1Bc0dBMVVFQXd3RVpHVnRiekFxTUFV",
  "R0F5dGxjQU1oQU5XbDBFNnJzZCtoMjNwTApkNk9LWmpUV0ZnUGI5bDZiZzE4Z3c2MEVkMElSb0FBd0JRWURLMlZ3QTBFQUtFSlN2",
  "QnRrRFJzdVBBOUFPY1gxCnk2K1djVEpjSHVkZjcwS0tRYW9hMzd4MEhIZndjQnJaelVuY2k0R3I4UXc0NTZpWEMvM1ZIdzlaQ0NK",
  "c0QxeW8KRHc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K",
].join("");
