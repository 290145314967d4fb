import { type JsonObject, findOwn, compareText, listAt, textAt } from "../../model/json.ts";
import type { HeldPart } from "../../model/reader.ts";
import type { KindFiles } from "./archive-index.ts";
import { OTHER_GROUPS } from "./served-kinds.ts";

/**
 * Kinds of which `oc adm must-gather` writes every object, one per file, whatever the operators ask for. Sources: collection-scripts/gather
 * and gather_olm of openshift/must-gather. The rest follows from the operators' relatedObjects, which are in the archive themselves.
 */
const GATHERED_KINDS: ReadonlySet<string> = new Set([
  "apiservices.apiregistration.k8s.io",
  "catalogsources.operators.coreos.com",
  "certificatesigningrequests.certificates.k8s.io",
  "clusteroperators.config.openshift.io",
  "clusterserviceversions.operators.coreos.com",
  "clusterversions.config.openshift.io",
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "imagecontentsourcepolicies.operator.openshift.io",
  "networks.operator.openshift.io",
  "nodes",
  "operatorconditions.operators.coreos.com",
  "persistentvolumes",
  "storageclasses.storage.k8s.io",
  "subscriptions.operators.coreos.com",
  "volumeattachments.storage.k8s.io",
]);

/** Kinds that have a meaning in one namespace only, since their operator watches no other. */
const HOME_NAMESPACES: Readonly<Record<string, string>> = {
  "ingresscontrollers.operator.openshift.io": "openshift-ingress-operator",
  "machinehealthchecks.machine.openshift.io": "openshift-machine-api",
};

/** What the archive shows about which kinds it holds in full. */
export type HeldFacts = {
  /** Keys of kinds of which every object was written to a file of its own; of one namespace as "key in namespace". */
  readonly gathered: ReadonlySet<string>;
  /** How many keys etcd had below each prefix; absent if the archive doesn't hold the counts. */
  readonly objectCounts?: ReadonlyMap<string, number>;
};

/** `none`: the archive shows that the cluster has no such object. `unknown`: it shows nothing about the kind. */
export type Held =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly part: HeldPart }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly message: string };

export function buildHeldFacts(
  clusterOperators: readonly JsonObject[],
  {
    isStandard,
    isFinished,
    objectCounts,
  }: {
    readonly isStandard: boolean;
    readonly isFinished: boolean;
    readonly objectCounts: ReadonlyMap<string, number> | undefined;
  },
): HeldFacts {
  const counts = objectCounts === undefined ? {} : { objectCounts };
  if (!isFinished) return { gathered: new Set(), ...counts };
  const related = clusterOperators.flatMap((operator) => listAt(operator, "status", "relatedObjects"));
  const keys = related.flatMap((reference) => {
    const resource = textAt(reference, "resource") ?? "";
    if (resource === "" || textAt(reference, "name")) return [];
    const group = textAt(reference, "group");
    const namespace = textAt(reference, "namespace");
    const key = group ? `${resource}.${group}` : resource;
    return [namespace ? buildPlaceKey(key, namespace) : key];
  });
  return { gathered: new Set([...keys, ...(isStandard ? GATHERED_KINDS : [])]), ...counts };
}

function buildPlaceKey(key: string, namespace: string): string {
  return `${key} in ${namespace}`;
}

/** Whether the archive holds every object of a kind, some, or none. */
export function findHeld(key: string, files: KindFiles | undefined, facts: HeldFacts): Held {
  if (files === undefined || (files.lists.length === 0 && files.objects.length === 0))
    return findWithoutFiles(key, facts);
  const isListed = files.lists.some(({ namespace }) => namespace === undefined);
  if (isListed || facts.gathered.has(key)) return { kind: "whole" };
  const wholeNamespaces = findWholeNamespaces(key, files, facts);
  const home = findOwn(HOME_NAMESPACES, key);
  if (home !== undefined && wholeNamespaces.has(home)) return { kind: "whole" };
  return { kind: "part", part: { wholeNamespaces, message: describePart(files, wholeNamespaces) } };
}

function findWithoutFiles(key: string, { objectCounts }: HeldFacts): Held {
  if (hasNoKeys(key, objectCounts)) return { kind: "none" };
  return {
    kind: "unknown",
    message: `the must-gather does not hold any, and does not show whether the cluster has any`,
  };
}

/** The API server's own kinds whose keys begin with their plural, or with another word. */
const ETCD_PREFIXES: Readonly<Record<string, string>> = {
  "certificatesigningrequests.certificates.k8s.io": "certificatesigningrequests",
  "cronjobs.batch": "cronjobs",
  "csidrivers.storage.k8s.io": "csidrivers",
  "csinodes.storage.k8s.io": "csinodes",
  "daemonsets.apps": "daemonsets",
  "deployments.apps": "deployments",
  "endpointslices.discovery.k8s.io": "endpointslices",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": "mutatingwebhookconfigurations",
  nodes: "minions",
  persistentvolumes: "persistentvolumes",
  pods: "pods",
  "poddisruptionbudgets.policy": "poddisruptionbudgets",
  "statefulsets.apps": "statefulsets",
  "storageclasses.storage.k8s.io": "storageclasses",
  "validatingwebhookconfigurations.admissionregistration.k8s.io": "validatingwebhookconfigurations",
};

/** Keys of OpenShift's own servers come last, so counts that have one of them are complete. */
const LAST_PREFIXES = ["imagestreams", "oauth", "routes", "users"];

/** The counts of etcd's keys that a must-gather has show that a kind has no object, since every object is a key. */
function hasNoKeys(key: string, objectCounts: ReadonlyMap<string, number> | undefined): boolean {
  if (objectCounts === undefined || !LAST_PREFIXES.some((prefix) => objectCounts.has(prefix))) return false;
  const group = key.includes(".") ? key.slice(key.indexOf(".") + 1) : "";
  // The keys of custom resources begin with their group.
  const prefix = findOwn(ETCD_PREFIXES, key) ?? (OTHER_GROUPS.has(group) ? undefined : group);
  return prefix !== undefined && !objectCounts.has(prefix);
}

function findWholeNamespaces(key: string, { lists, objects }: KindFiles, facts: HeldFacts): ReadonlySet<string> {
  const namespaces = new Set([...lists, ...objects].flatMap(({ namespace }) => namespace ?? []));
  const isWhole = (namespace: string): boolean =>
    lists.some((list) => list.namespace === namespace) || facts.gathered.has(buildPlaceKey(key, namespace));
  return new Set([...namespaces].filter(isWhole));
}

const MAX_NAMED = 3;

function describePart({ objects }: KindFiles, wholeNamespaces: ReadonlySet<string>): string {
  const names = [...wholeNamespaces].toSorted(compareText);
  if (names.length === 0) {
    const named = objects.slice(0, MAX_NAMED).map(({ namespace, name }) => (namespace ? `${namespace}/${name}` : name));
    return `the must-gather holds ${joinNames(named, objects.length)}, and does not show whether the cluster has more`;
  }
  return `the must-gather holds those of namespaces ${joinNames(names.slice(0, MAX_NAMED), names.length)}, and not of any other namespace`;
}

function joinNames(names: readonly string[], count: number): string {
  return `${names.join(", ")}${count > names.length ? ` and ${count - names.length} more` : ""}`;
}
