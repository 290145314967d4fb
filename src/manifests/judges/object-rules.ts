import {
  formatCanonicalJson,
  type Json,
  type JsonObject,
  at,
  findOwn,
  isObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
} from "../../model/json.ts";
import { type ManifestFinding, type ManifestPath, formatManifestPath } from "../../model/manifest.ts";
import { matchesRequirement, parseSelector } from "../../model/object.ts";
import { getGroup } from "../../model/resource.ts";
import { buildRefusal, findFormatFaults, refuseValue } from "./constraint-faults.ts";
import { LABEL_KEY, findNameFormat } from "./constraints.ts";
import { compareQuantities } from "./field-types.ts";

/** What the API server's validation refuses where one part of an object doesn't fit another. `type`: of the table of kinds. */
export function findRuleFaults(object: JsonObject, type: string): readonly ManifestFinding[] {
  const kind = textAt(object, "kind") ?? "";
  const pod = findOwn(POD_PATHS, kind);
  return [
    ...findNameFaults(object, type),
    ...findAnnotationFaults(object),
    ...findFinalizerFaults(object),
    ...(SELECTING.has(kind) ? findSelectorFaults(object) : []),
    ...(kind === "Service" ? findPortFaults(object) : []),
    ...(kind === "Job" ? findGeneratedFaults(object) : []),
    ...(kind === "CronJob" ? findTimeZoneFaults(object) : []),
    ...(kind === "Role" || kind === "ClusterRole" ? findPolicyFaults(object, kind) : []),
    ...(pod === undefined || !isObject(at(object, ...pod)) ? [] : findPodFaults(objectAt(object, ...pod), kind, pod)),
  ];
}

/** Where the spec of a pod stands. */
const POD_PATHS: Readonly<Record<string, readonly string[]>> = {
  CronJob: ["spec", "jobTemplate", "spec", "template", "spec"],
  DaemonSet: ["spec", "template", "spec"],
  Deployment: ["spec", "template", "spec"],
  Job: ["spec", "template", "spec"],
  Pod: ["spec"],
  ReplicaSet: ["spec", "template", "spec"],
  ReplicationController: ["spec", "template", "spec"],
  StatefulSet: ["spec", "template", "spec"],
};

const SELECTING = new Set(["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]);

function findNameFaults(object: JsonObject, type: string): readonly ManifestFinding[] {
  const name = textAt(object, "metadata", "name") ?? "";
  const prefix = textAt(object, "metadata", "generateName") ?? "";
  const format = findNameFormat(type);
  // What follows a prefix begins with a letter or a digit.
  const generated = findFormatFaults(prefix.replace(/(?<=[^-])-+$/, ""), format, ["metadata", "generateName"]);
  if (name !== "") return [...generated, ...findFormatFaults(name, format, ["metadata", "name"])];
  // The API server names a LimitRange itself.
  if (prefix !== "" || type === "V1LimitRange") return generated;
  return [
    buildRefusal(["metadata"], "metadata.name is missing, and the API server requires it.", "Write metadata.name."),
  ];
}

/** The domain of an annotation's key may have capitals. */
function findAnnotationFaults(object: JsonObject): readonly ManifestFinding[] {
  return Object.keys(objectAt(object, "metadata", "annotations")).flatMap((key) =>
    findFormatFaults(key.toLowerCase(), LABEL_KEY, ["metadata", "annotations", key]),
  );
}

/** Those that have no domain are Kubernetes' own. */
const OWN_FINALIZERS = new Set(["foregroundDeletion", "kubernetes", "orphan"]);
/** Of other groups, the API server only warns. */
const WITH_FINALIZERS = new Set(["", "apps", "batch", "networking.k8s.io", "rbac.authorization.k8s.io"]);

function findFinalizerFaults(object: JsonObject): readonly ManifestFinding[] {
  if (!WITH_FINALIZERS.has(getGroup(textAt(object, "apiVersion") ?? ""))) return [];
  return listAt(object, "metadata", "finalizers").flatMap((one, i) => {
    if (typeof one !== "string" || one.includes("/") || OWN_FINALIZERS.has(one)) return [];
    const remedy = "Write a name with a domain, such as example.com/keep.";
    return [refuseValue(["metadata", "finalizers", i], one, "a name with a domain and a slash", remedy)];
  });
}

const UID_LABELS = ["controller-uid", "batch.kubernetes.io/controller-uid"];

/** What the API server writes itself, of a Job that was read from a cluster. */
function findGeneratedFaults(object: JsonObject): readonly ManifestFinding[] {
  if (at(object, "spec", "manualSelector") === true) return [];
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  const remedy = "Leave it out: the API server writes it.";
  const found = UID_LABELS.filter((label) => Object.hasOwn(labels, label)).map((label) => {
    const path = ["spec", "template", "metadata", "labels", label];
    return buildRefusal(
      path,
      `${formatManifestPath(path)} is that of another Job, which the API server refuses.`,
      remedy,
    );
  });
  if (Object.keys(objectAt(object, "spec", "selector", "matchLabels")).length === 0) return found;
  const message = "spec.selector is given, and the API server accepts it only with spec.manualSelector: true.";
  return [buildRefusal(["spec", "selector"], message, remedy), ...found];
}

function findSelectorFaults(object: JsonObject): readonly ManifestFinding[] {
  const value = at(object, "spec", "selector");
  if (!isObject(value) || !isObject(at(object, "spec", "template"))) return [];
  const path = ["spec", "selector"];
  const selector = parseSelector(objectAt(object, "spec"), "selector");
  if (selector.length === 0)
    return [
      buildRefusal(
        path,
        "spec.selector is empty, and the API server requires a label.",
        "Write a label of the template.",
      ),
    ];
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  if (selector.every((one) => matchesRequirement(one, textAt(labels, one.key)))) return [];
  const message = "spec.selector doesn't select the pods of spec.template, and the API server requires it.";
  return [buildRefusal(path, message, "Write the same labels in spec.selector and in spec.template.metadata.labels.")];
}

function findPortFaults(object: JsonObject): readonly ManifestFinding[] {
  const ports = listAt(object, "spec", "ports");
  if (ports.length < 2) return [];
  return ports.flatMap((port, i) => {
    if (!isObject(port) || (textAt(port, "name") ?? "") !== "") return [];
    const message = `spec.ports[${i}] has no name, and the API server requires one of each of several ports.`;
    return [buildRefusal(["spec", "ports", i], message, "Write a name.")];
  });
}

/** Names that only the API server takes, or only Node. */
const ODD_ZONE = /^(?:[+-].*|Factory|local|localtime|posixrules)$/i;

function findTimeZoneFaults(object: JsonObject): readonly ManifestFinding[] {
  const zone = textAt(object, "spec", "timeZone") ?? "";
  if (zone === "" || ODD_ZONE.test(zone) || isTimeZone(zone)) return [];
  const remedy = "Write a name such as Europe/Vienna or Etc/UTC.";
  return [refuseValue(["spec", "timeZone"], zone, "the name of a time zone", remedy)];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const OF_RESOURCES = ["apiGroups", "resources", "resourceNames"] as const;

/** A rule is for resources, or for URLs that are none, which only a ClusterRole may grant. */
function findPolicyFaults(object: JsonObject, kind: string): readonly ManifestFinding[] {
  return listAt(object, "rules").flatMap((rule, i) => {
    const path = ["rules", i];
    const isGiven = (field: string): boolean => listAt(rule, field).length > 0;
    if (!isObject(rule)) return [];
    if (!isGiven("nonResourceURLs"))
      return ["apiGroups", "resources"]
        .filter((field) => !isGiven(field))
        .map((field) => {
          const message = `rules[${i}].${field} is missing or empty, and the API server requires it.`;
          return buildRefusal(path, message, `Write rules[${i}].${field}.`);
        });
    if (kind === "ClusterRole" && !OF_RESOURCES.some(isGiven)) return [];
    const message =
      kind === "Role"
        ? `rules[${i}] has nonResourceURLs, and the API server accepts them of a ClusterRole only.`
        : `rules[${i}] is for resources and for nonResourceURLs, and the API server accepts one of the two.`;
    return [
      buildRefusal(
        [...path, "nonResourceURLs"],
        message,
        "Write nonResourceURLs in a rule of a ClusterRole of their own.",
      ),
    ];
  });
}

function findPodFaults(spec: JsonObject, kind: string, path: ManifestPath): readonly ManifestFinding[] {
  const lists = ["initContainers", "containers"].flatMap((list) =>
    listAt(spec, list).flatMap((container, i) => (isObject(container) ? [{ container, at: [...path, list, i] }] : [])),
  );
  const own = new Set(objectsAt(spec, "volumes").map((volume) => textAt(volume, "name")));
  return [
    ...findRestartFaults(textAt(spec, "restartPolicy") ?? "", kind, path),
    ...findSharedNames(spec, path),
    ...lists.flatMap((one) => [
      ...findResourceFaults(one.container, one.at),
      // A StatefulSet mounts the volumes of its claims, too.
      ...(kind === "StatefulSet" ? [] : findMountFaults(one.container, own, one.at)),
    ]),
  ];
}

const ENDING = new Set(["CronJob", "Job"]);

function findRestartFaults(policy: string, kind: string, path: ManifestPath): readonly ManifestFinding[] {
  const isEnding = ENDING.has(kind);
  const wanted = isEnding ? ["Never", "OnFailure"] : kind === "Pod" ? undefined : ["", "Always"];
  if (wanted === undefined || wanted.includes(policy)) return [];
  const names = isEnding ? "Never or OnFailure" : "Always";
  const field = [...path, "restartPolicy"];
  if (policy !== "") return [refuseValue(field, policy, `${names} of a ${kind}`, `Write ${names}.`)];
  const message = `${formatManifestPath(field)} is missing, and its default, Always, is refused of a ${kind}.`;
  return [buildRefusal(path, message, `Write restartPolicy: ${names}.`)];
}

function findSharedNames(spec: JsonObject, path: ManifestPath): readonly ManifestFinding[] {
  const names = new Set(objectsAt(spec, "containers").map((one) => textAt(one, "name")));
  return listAt(spec, "initContainers").flatMap((one, i) => {
    const name = textAt(one, "name");
    if (name === undefined || name === "" || !names.has(name)) return [];
    const field = [...path, "initContainers", i, "name"];
    return [refuseValue(field, name, "each name once among all containers", "Write another name.")];
  });
}

function findMountFaults(
  container: JsonObject,
  volumes: ReadonlySet<string | undefined>,
  path: ManifestPath,
): readonly ManifestFinding[] {
  return listAt(container, "volumeMounts").flatMap((mount, i) => {
    const name = textAt(mount, "name");
    if (name === undefined || name === "" || volumes.has(name)) return [];
    const field = [...path, "volumeMounts", i, "name"];
    return [
      refuseValue(field, name, "the name of a volume of the pod", "Write the name of one of spec.volumes, or add it."),
    ];
  });
}

function findResourceFaults(container: JsonObject, path: ManifestPath): readonly ManifestFinding[] {
  const limits = objectAt(container, "resources", "limits");
  return Object.entries(objectAt(container, "resources", "requests")).flatMap(([name, request]) => {
    const limit: Json | undefined = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined || (compareQuantities(request, limit) ?? 0) <= 0) return [];
    const field = [...path, "resources", "requests", name];
    return [
      refuseValue(
        field,
        request,
        `no more than the limit of ${formatCanonicalJson(limit)}`,
        "Lower the request, or raise the limit.",
      ),
    ];
  });
}
