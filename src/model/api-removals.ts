import type { Context } from "./check.ts";
import type { Json } from "./json.ts";
import { formatGroupVersion, formatResource } from "./resource.ts";
import type { Platform } from "./version.ts";

/** An API as its path names it; the core group is "". */
export type Api = { readonly group: string; readonly version: string; readonly resource: string };

/** "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io", the name of its APIRequestCount. */
export function formatCountName({ group, version, resource }: Api): string {
  return group === "" ? `${resource}.${version}` : `${resource}.${version}.${group}`;
}

export function parseCountName(name: string): Api | undefined {
  const [resource, version, ...group] = name.split(".");
  return resource && version ? { group: group.join("."), version, resource } : undefined;
}

/** Does the source still serve what this minor of Kubernetes 1 removes, and the target no longer? */
export function isRemoved(minor: number, { kubernetes }: Context): boolean {
  return kubernetes.source < minor && minor <= kubernetes.target;
}

/** The minor of a release as the cluster announces it ("1.32"). */
export function parseRemovalMinor(release: Json): number | undefined {
  const minor = typeof release === "string" ? /^1\.(\d{1,3})$/.exec(release)?.[1] : undefined;
  return minor === undefined ? undefined : Number(minor);
}

/** A version that replaces another, and the minor of Kubernetes 1 that began to serve it. */
export type Successor = { readonly version: string; readonly since: number };

/** APIs of one group and version that one minor of Kubernetes 1 removes. */
type ApiRow = {
  readonly minor: number;
  /** The minor that removes it in OpenShift, if that is another one. */
  readonly openShift?: number;
  /** The minors that began to serve it, and that deprecated it. */
  readonly since: number;
  readonly deprecated: number;
  readonly group: string;
  readonly version: string;
  /** Kinds by the plural name of their resource. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The newest first. */
  readonly successors: readonly Successor[];
};

const FLOW_CONTROL = "flowcontrol.apiserver.k8s.io";
const FLOWS = { flowschemas: "FlowSchema", prioritylevelconfigurations: "PriorityLevelConfiguration" };
const POLICIES = {
  validatingadmissionpolicies: "ValidatingAdmissionPolicy",
  validatingadmissionpolicybindings: "ValidatingAdmissionPolicyBinding",
};
const DEVICES = {
  deviceclasses: "DeviceClass",
  resourceclaims: "ResourceClaim",
  resourceclaimtemplates: "ResourceClaimTemplate",
  resourceslices: "ResourceSlice",
};
const AUTOSCALERS = { horizontalpodautoscalers: "HorizontalPodAutoscaler" };
const BUDGETS = { poddisruptionbudgets: "PodDisruptionBudget" };
const ADDRESSES = { ipaddresses: "IPAddress", servicecidrs: "ServiceCIDR" };

const FLOW_VERSIONS: readonly Successor[] = [
  { version: "v1", since: 29 },
  { version: "v1beta3", since: 26 },
  { version: "v1beta2", since: 23 },
];

/**
 * The beta APIs removed since 1.25, which is OpenShift 4.12. Sources: Kubernetes' deprecation guide; for removals in 1.36 and later, the
 * life cycles in k8s.io/api v0.36; for OpenShift's own dates, its API server's table of removed APIs.
 */
const ROWS: readonly ApiRow[] = [
  buildRow([8, 22, 25], "autoscaling", "v2beta1", AUTOSCALERS, [{ version: "v2", since: 23 }]),
  buildRow([8, 21, 25], "batch", "v1beta1", { cronjobs: "CronJob" }, [{ version: "v1", since: 21 }]),
  buildRow([16, 21, 25], "discovery.k8s.io", "v1beta1", { endpointslices: "EndpointSlice" }, [
    { version: "v1", since: 21 },
  ]),
  buildRow([8, 22, 25], "events.k8s.io", "v1beta1", { events: "Event" }, [{ version: "v1", since: 19 }]),
  buildRow([13, 22, 25], "node.k8s.io", "v1beta1", { runtimeclasses: "RuntimeClass" }, [{ version: "v1", since: 20 }]),
  buildRow([5, 21, 25], "policy", "v1beta1", BUDGETS, [{ version: "v1", since: 21 }]),
  buildRow([5, 21, 25], "policy", "v1beta1", { podsecuritypolicies: "PodSecurityPolicy" }, []),
  buildRow([12, 23, 26], "autoscaling", "v2beta2", AUTOSCALERS, [{ version: "v2", since: 23 }]),
  buildRow([20, 23, 26], FLOW_CONTROL, "v1beta1", FLOWS, FLOW_VERSIONS),
  buildRow([21, 24, 27], "storage.k8s.io", "v1beta1", { csistoragecapacities: "CSIStorageCapacity" }, [
    { version: "v1", since: 24 },
  ]),
  buildRow([23, 26, 29], FLOW_CONTROL, "v1beta2", FLOWS, FLOW_VERSIONS.slice(0, 2)),
  buildRow([26, 29, 32], FLOW_CONTROL, "v1beta3", FLOWS, FLOW_VERSIONS.slice(0, 1)),
  buildRow([27, 30, 33], "authentication.k8s.io", "v1beta1", { selfsubjectreviews: "SelfSubjectReview" }, []),
  {
    ...buildRow([28, 31, 34], "admissionregistration.k8s.io", "v1beta1", POLICIES, [{ version: "v1", since: 30 }]),
    openShift: 33,
  },
  buildRow([31, 34, 37], "networking.k8s.io", "v1beta1", ADDRESSES, [{ version: "v1", since: 33 }]),
  buildRow([31, 34, 37], "storage.k8s.io", "v1beta1", { volumeattributesclasses: "VolumeAttributesClass" }, [
    { version: "v1", since: 34 },
  ]),
  buildRow([32, 35, 38], "resource.k8s.io", "v1beta1", DEVICES, [
    { version: "v1", since: 34 },
    { version: "v1beta2", since: 33 },
  ]),
  buildRow([33, 36, 39], "coordination.k8s.io", "v1beta1", { leasecandidates: "LeaseCandidate" }, []),
  buildRow([33, 36, 39], "resource.k8s.io", "v1beta2", DEVICES, [{ version: "v1", since: 34 }]),
];

function buildRow(
  [since, deprecated, minor]: readonly [since: number, deprecated: number, minor: number],
  group: string,
  version: string,
  kinds: ApiRow["kinds"],
  successors: readonly Successor[],
): ApiRow {
  return { minor, since, deprecated, group, version, kinds, successors };
}

/** The removal of one API. Whether a cluster serves it, its discovery says. */
export type ApiRemoval = {
  readonly api: Api;
  readonly kind: string;
  /** The minor of Kubernetes 1 that removes it, on each platform. */
  readonly removedIn: Readonly<Record<Platform, number>>;
  /** The minors that began to serve it, and that deprecated it. */
  readonly since: number;
  readonly deprecated: number;
  readonly successors: readonly Successor[];
};

export const REMOVALS: readonly ApiRemoval[] = ROWS.flatMap(buildRemovals);

const REMOVED: ReadonlyMap<string, ApiRemoval> = new Map(
  REMOVALS.map((removal) => [formatResource(removal.api), removal] as const),
);

function buildRemovals(row: ApiRow): readonly ApiRemoval[] {
  const { minor, openShift, since, deprecated, group, version, kinds, successors } = row;
  return Object.entries(kinds).map(([resource, kind]) => ({
    api: { group, version, resource },
    kind,
    removedIn: { kubernetes: minor, openshift: openShift ?? minor },
    since,
    deprecated,
    successors,
  }));
}

/** The removal of an API, for clusters that don't announce it themselves. */
export function findRemoval(api: Api): ApiRemoval | undefined {
  return REMOVED.get(formatResource(api));
}

/** What the source serves, by its discovery, and the target no longer does. */
export function selectRemovals(served: ReadonlySet<string>, context: Context): readonly ApiRemoval[] {
  return REMOVALS.filter(
    ({ api, removedIn }) => isRemoved(removedIn[context.platform], context) && served.has(formatGroupVersion(api)),
  );
}

/** The version to move to: the newest that both releases serve; without one, the newest that the target serves. */
export function findReplacement(api: Api, context: Context): Api | undefined {
  const { source, target } = context.kubernetes;
  const candidates = (findRemoval(api)?.successors ?? []).filter(({ version, since }) => {
    const removal = findRemoval({ ...api, version });
    return since <= target && (removal === undefined || target < removal.removedIn[context.platform]);
  });
  const successor = candidates.find(({ since }) => since <= source) ?? candidates[0];
  return successor && { ...api, version: successor.version };
}
