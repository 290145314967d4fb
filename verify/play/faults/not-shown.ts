/** A check whose risks an API server can't show, or one risk of it, and why. */
export type NotShown = { readonly check: string; readonly risk?: string; readonly reason: string };

const NODES = "It needs nodes with a kubelet";
const OPERATOR = "An operator decides it, and no operator runs here";
const HYPERSHIFT = "It needs the HyperShift operator, which doesn't run here, and hosted control planes.";

/** Every check that no fault plays, and the other risks of those that one does. */
export const NOT_SHOWN: readonly NotShown[] = [
  { check: "admin-acks", reason: `${OPERATOR}: the cluster-version operator refuses the update.` },
  { check: "boot-image-skew", reason: `${NODES}: new machines would start from the old boot image.` },
  {
    check: "certificates-expiring",
    risk: "PlatformCertificatesEnding",
    reason: "The certificate is valid until after the played update.",
  },
  { check: "cloud-credentials", reason: `${OPERATOR}: it needs a cloud that takes or refuses credentials.` },
  { check: "cluster-operators", reason: `${OPERATOR}: the finding repeats what an operator reports.` },
  { check: "cluster-version", reason: `${OPERATOR}: the finding repeats what the cluster-version operator reports.` },
  { check: "conditional-updates", reason: "The update service publishes these risks, with queries to Prometheus." },
  { check: "control-plane-nodes", reason: "It needs several control-plane machines with members of etcd." },
  { check: "dual-stack", reason: "It needs a network plugin on nodes." },
  { check: "etcd-health", reason: "It needs several members of etcd." },
  { check: "feature-set", reason: `${OPERATOR}: the config operator refuses updates to a later minor.` },
  {
    check: "gateway-api-crds",
    risk: "GatewayAPICRDsDegradeIngress",
    reason: `${OPERATOR}: the ingress operator reports itself as Degraded.`,
  },
  {
    check: "gateway-api-crds",
    risk: "GatewayAPICRDsTakenOver",
    reason: `${OPERATOR}: the ingress operator writes its own definitions.`,
  },
  {
    check: "hosted-cluster",
    reason: HYPERSHIFT,
  },
  {
    check: "hosted-control-planes",
    reason: HYPERSHIFT,
  },
  { check: "in-tree-volumes", reason: `${NODES}, which mounts volumes.` },
  { check: "ingress-controllers", reason: `${OPERATOR}: it needs routers, and the operator that starts them.` },
  { check: "known-bugs", reason: "Each bug is one of a component that doesn't run here." },
  { check: "kubelet-skew", reason: `${NODES}: the API server itself takes kubelets of every version.` },
  { check: "machine-config-pools", reason: `${OPERATOR}: it needs the machine-config operator and its nodes.` },
  { check: "monitoring-config", reason: `${OPERATOR}: the monitoring operator parses the configuration.` },
  {
    check: "node-pools",
    reason: HYPERSHIFT,
  },
  { check: "node-requirements", reason: `${NODES} and a container runtime.` },
  { check: "nodes", reason: "It needs the operator that drains nodes one after another." },
  { check: "operator-conditions", reason: "Operator Lifecycle Manager decides it, which doesn't run here." },
  { check: "operator-max-version", reason: "Operator Lifecycle Manager decides it, which doesn't run here." },
  { check: "overrides", reason: `${OPERATOR}: the cluster-version operator refuses the update.` },
  { check: "platform", reason: "It reports no risk, only what preflight doesn't cover." },
  { check: "release-signature", reason: "It needs a signed release image." },
  { check: "rhel-workers", reason: `${NODES} of Red Hat Enterprise Linux.` },
  { check: "runc-default", reason: `${NODES} and a container runtime.` },
  { check: "security-context-constraints", reason: "OpenShift's own admission of pods decides it." },
  { check: "selinux-mount", reason: `${NODES}, which mounts volumes.` },
  { check: "sigstore-mirrors", reason: `${NODES}, which pulls release images from a mirror.` },
  {
    check: "statefulset-budgets",
    reason: "It runs on plain Kubernetes, where updates are not played, and only gives a notice.",
  },
  { check: "unsupported-overrides", reason: `${OPERATOR}: each operator refuses updates to a later minor.` },
  { check: "virtual-machines", reason: "KubeVirt answers evictions of virtual machines, and it doesn't run here." },
];

/** The same of the checks that components would ship (`examples/component-checks`). */
export const COMPONENTS_NOT_SHOWN: readonly NotShown[] = [
  { check: "payload-git-volumes", reason: `${NODES}, which mounts volumes.` },
  { check: "payload-ingress-ciphers", reason: "It needs a router, and clients that offer only these ciphers." },
  { check: "payload-network-migration", reason: `${OPERATOR}: the network operator rejects its configuration.` },
  { check: "payload-prometheus-functions", reason: "Prometheus 3 parses the rules, and it doesn't run here." },
];
