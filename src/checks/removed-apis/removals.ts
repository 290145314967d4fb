import { type Api, formatApi } from "./api.ts";

/** APIs of one group and version that one minor of Kubernetes 1 removes. */
type RemovalRow = {
  readonly minor: number;
  /** The minor that removes it in OpenShift, if that is another one. */
  readonly openShift?: number;
  /** Does an API server serve it by default? Betas since 1.24 are not, except those of flow control. */
  readonly byDefault: boolean;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
};

const POLICIES = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"];
const FLOWS = ["flowschemas", "prioritylevelconfigurations"];
const DEVICES = ["deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices"];

/**
 * The beta APIs removed since 1.25, which is OpenShift 4.12. Sources: Kubernetes' deprecation guide; for removals in 1.36 and later, the
 * life cycles in k8s.io/api v0.36; for OpenShift's own dates, its API server's table of removed APIs.
 */
const ROWS: readonly RemovalRow[] = [
  buildServedRow(25, "autoscaling", "v2beta1", ["horizontalpodautoscalers"]),
  buildServedRow(25, "batch", "v1beta1", ["cronjobs"]),
  buildServedRow(25, "discovery.k8s.io", "v1beta1", ["endpointslices"]),
  buildServedRow(25, "events.k8s.io", "v1beta1", ["events"]),
  buildServedRow(25, "node.k8s.io", "v1beta1", ["runtimeclasses"]),
  buildServedRow(25, "policy", "v1beta1", ["poddisruptionbudgets", "podsecuritypolicies"]),
  buildServedRow(26, "autoscaling", "v2beta2", ["horizontalpodautoscalers"]),
  buildServedRow(26, "flowcontrol.apiserver.k8s.io", "v1beta1", FLOWS),
  buildServedRow(27, "storage.k8s.io", "v1beta1", ["csistoragecapacities"]),
  buildServedRow(29, "flowcontrol.apiserver.k8s.io", "v1beta2", FLOWS),
  buildServedRow(32, "flowcontrol.apiserver.k8s.io", "v1beta3", FLOWS),
  buildUnservedRow(33, "authentication.k8s.io", "v1beta1", ["selfsubjectreviews"]),
  { ...buildUnservedRow(34, "admissionregistration.k8s.io", "v1beta1", POLICIES), openShift: 33 },
  buildUnservedRow(37, "networking.k8s.io", "v1beta1", ["ipaddresses", "servicecidrs"]),
  buildUnservedRow(37, "storage.k8s.io", "v1beta1", ["volumeattributesclasses"]),
  buildUnservedRow(38, "resource.k8s.io", "v1beta1", DEVICES),
  buildUnservedRow(39, "coordination.k8s.io", "v1beta1", ["leasecandidates"]),
  buildUnservedRow(39, "resource.k8s.io", "v1beta2", DEVICES),
];

/** Removals are announced up to here; later minors may remove younger beta APIs as well. */
export const LAST_KNOWN_MINOR = 36;

function buildServedRow(minor: number, group: string, version: string, resources: readonly string[]): RemovalRow {
  return { minor, byDefault: true, group, version, resources };
}

function buildUnservedRow(minor: number, group: string, version: string, resources: readonly string[]): RemovalRow {
  return { ...buildServedRow(minor, group, version, resources), byDefault: false };
}

export type ApiRemoval = { readonly api: Api; readonly kubernetes: number; readonly openshift: number };

/** The removed APIs that are served by default. OpenShift serves the beta of its admission policies since 4.17. */
export const SERVED_BY_DEFAULT: readonly ApiRemoval[] = ROWS.filter(
  ({ byDefault, openShift }) => byDefault || openShift !== undefined,
).flatMap(buildRemovals);

const REMOVED: ReadonlyMap<string, ApiRemoval> = new Map(
  ROWS.flatMap(buildRemovals).map((removal) => [formatApi(removal.api), removal] as const),
);

function buildRemovals({ minor, openShift, group, version, resources }: RemovalRow): readonly ApiRemoval[] {
  return resources.map((resource) => ({
    api: { group, version, resource },
    kubernetes: minor,
    openshift: openShift ?? minor,
  }));
}

/** The removal of an API, for clusters that don't announce it themselves. */
export function findRemoval(api: Api): ApiRemoval | undefined {
  return REMOVED.get(formatApi(api));
}
