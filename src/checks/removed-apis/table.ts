import { type Api, apiText } from "./api.ts";

/** APIs of one group and version that one minor of Kubernetes 1 removes. */
type Row = {
  readonly minor: number;
  /** Where OpenShift removes it with another one. */
  readonly openShift?: number;
  /** Does an API server serve it without being told to? Betas since 1.24 are not, but for flow control's. */
  readonly byDefault: boolean;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
};

const POLICIES = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"];
const FLOWS = ["flowschemas", "prioritylevelconfigurations"];
const DEVICES = ["deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices"];

/**
 * The betas that go since 1.25, which is OpenShift 4.12. Sources: Kubernetes' deprecation guide; for what 1.36 and later remove the life
 * cycles in k8s.io/api v0.36; for OpenShift's own dates its API server's table of removed APIs.
 */
const ROWS: readonly Row[] = [
  on(25, "autoscaling", "v2beta1", ["horizontalpodautoscalers"]),
  on(25, "batch", "v1beta1", ["cronjobs"]),
  on(25, "discovery.k8s.io", "v1beta1", ["endpointslices"]),
  on(25, "events.k8s.io", "v1beta1", ["events"]),
  on(25, "node.k8s.io", "v1beta1", ["runtimeclasses"]),
  on(25, "policy", "v1beta1", ["poddisruptionbudgets", "podsecuritypolicies"]),
  on(26, "autoscaling", "v2beta2", ["horizontalpodautoscalers"]),
  on(26, "flowcontrol.apiserver.k8s.io", "v1beta1", FLOWS),
  on(27, "storage.k8s.io", "v1beta1", ["csistoragecapacities"]),
  on(29, "flowcontrol.apiserver.k8s.io", "v1beta2", FLOWS),
  on(32, "flowcontrol.apiserver.k8s.io", "v1beta3", FLOWS),
  off(33, "authentication.k8s.io", "v1beta1", ["selfsubjectreviews"]),
  { ...off(34, "admissionregistration.k8s.io", "v1beta1", POLICIES), openShift: 33 },
  off(37, "networking.k8s.io", "v1beta1", ["ipaddresses", "servicecidrs"]),
  off(37, "storage.k8s.io", "v1beta1", ["volumeattributesclasses"]),
  off(38, "resource.k8s.io", "v1beta1", DEVICES),
  off(39, "coordination.k8s.io", "v1beta1", ["leasecandidates"]),
  off(39, "resource.k8s.io", "v1beta2", DEVICES),
];

/** Later removals can't be known: they are announced up to here, and betas that are younger may still go. */
export const KNOWN_UNTIL = 36;

function on(minor: number, group: string, version: string, resources: readonly string[]): Row {
  return { minor, byDefault: true, group, version, resources };
}

function off(minor: number, group: string, version: string, resources: readonly string[]): Row {
  return { ...on(minor, group, version, resources), byDefault: false };
}

export type Known = { readonly api: Api; readonly kubernetes: number; readonly openshift: number };

/** What is served by default and goes. OpenShift serves its admission policies so since 4.17. */
export const servedByDefault: readonly Known[] = ROWS.filter(
  ({ byDefault, openShift }) => byDefault || openShift !== undefined,
).flatMap(knownOf);

const REMOVED: ReadonlyMap<string, Known> = new Map(
  ROWS.flatMap(knownOf).map((known) => [apiText(known.api), known] as const),
);

function knownOf({ minor, openShift, group, version, resources }: Row): readonly Known[] {
  return resources.map((resource) => ({
    api: { group, version, resource },
    kubernetes: minor,
    openshift: openShift ?? minor,
  }));
}

/** The removal of an API whose cluster doesn't announce one itself. */
export function knownRemoval(api: Api): Known | undefined {
  return REMOVED.get(apiText(api));
}
