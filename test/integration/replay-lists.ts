/** Cases that no API server can hold, each with the reason. */
export const IMPOSSIBLE_CASES: Readonly<Record<string, string>> = {
  "capability-enums/clear-forward-installed-crd-absent":
    "a cluster that doesn't serve the definition of ClusterVersion is no OpenShift cluster",
};

/** Cases whose objects the API server keeps and lets nobody change, each with the reason. */
export const UNMENDABLE_CASES: Readonly<Record<string, string>> = {
  "pending-csrs/risk-request-names-no-node": "the API server approves no malformed request",
  ...Object.fromEntries(
    ["risk-untrusted", "risk-untrusted-patch-update", "risk-untrusted-rollback"].map((name) => [
      `release-signature/${name}`,
      "the command that shows it asks a registry",
    ]),
  ),
};

/** Checks that report something on every seeded cluster, so they are never clear after a case; a case without the risk shows the fix. */
export const NEVER_CLEAR: Readonly<Record<string, string>> = {
  "admin-acks": "the seeded gate of each release is not acknowledged",
  "capability-enums": "a seeded cluster has all capabilities of its release, and its risks are those of rollbacks",
  "certificates-expiring": "no seeded cluster has Secrets with certificates, so the check doesn't apply",
  "drain-blocked": "the seeded budget demo-a/tight allows no pod to go",
  "operator-max-version": "the seeded operator declares its own release as the last one",
  "removed-apis": "a seeded client requests APIs that the next Kubernetes minor removes",
};

/** Checks of which no risk can be planted here, and why. */
export const NEVER_PLANTED: Readonly<Record<string, string>> = {
  "node-requirements": "the API server answers /version itself, and the cases need another version",
  platform: "it has no risk: MicroShift is unknown",
  "release-signature": "the image decides, and no object of the cluster",
  "statefulset-budgets": "the API server answers /version itself, and the cases need another version",
  "virtual-machines": "the seeded clusters have no CRDs of KubeVirt",
};

/** The ten scenarios of the catalogue: first the cases with the risks, then the case that shows the fix. */
export const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "1, a removed Kubernetes API in use": [
    "removed-apis/risk-deployer",
    "removed-apis/risk-skipping-a-release",
    "removed-apis/risk-only-in-the-current-hour",
    "removed-apis/clear-not-used-in-a-day",
  ],
  "2, kubelets too old": [
    "kubelet-skew/risk-paused-worker-before-5.0",
    "kubelet-skew/risk-four-behind-5.2",
    "kubelet-skew/clear-three-behind-5.2",
  ],
  "3, operators that end before the target": [
    "operator-max-version/risk-next-minor",
    "operator-max-version/risk-from-4.23-to-5.1",
    "operator-max-version/clear-copies-and-operators-without-declaration",
  ],
  "4, boot images too old": [
    "boot-image-skew/risk-automatic-install-version-unknown",
    "boot-image-skew/risk-manual-rhcos-version",
    "boot-image-skew/clear-automatic-rhcos-version",
    "boot-image-skew/clear-mode-none",
  ],
  "5, admin acks missing for a skip": ["admin-acks/risk-skipping-a-release", "admin-acks/clear-all-acknowledged"],
  "6, a budget that never allows a drain": [
    "drain-blocked/risk-never-allows",
    "drain-blocked/risk-selector-takes-part-of-a-controller",
    "drain-blocked/risk-ended-pods-count-as-expected",
    "drain-blocked/risk-pods-without-a-controller",
    "drain-blocked/risk-no-disruption-for-two-hours",
    "drain-blocked/risk-daemon-set-beside-other-pods",
    "drain-blocked/risk-pods-share-two-budgets",
    "drain-blocked/clear-pods-not-healthy-now",
    "drain-blocked/clear-without-pods",
    "drain-blocked/clear-replica-is-missing",
    "drain-blocked/clear-unhealthy-pods-can-go",
  ],
  "7, webhooks without a backend": [
    "webhooks/risk-down-for-long",
    "webhooks/risk-conversion-of-stored-version",
    "webhooks/clear-ignored",
    "webhooks/clear-answers",
  ],
  "8, dual-stack with additional networks": [
    "dual-stack/risk-dual-stack-with-definitions",
    "dual-stack/clear-dual-stack-without-networks",
    "dual-stack/clear-after-range",
  ],
  "9, cgroup v1 and nodes of RHEL": [
    "cgroup-v1/risk-v1-from-4-17",
    "cgroup-v1/clear-v2",
    "rhel-workers/risk-next-minor",
    "rhel-workers/risk-skipping-a-release",
    "rhel-workers/clear-coreos-that-calls-itself-rhel",
  ],
  "10, a space in an identity provider's name": [
    "known-bugs/risk-provider-names-with-spaces",
    "known-bugs/clear-provider-name-without-kubeadmin",
  ],
};
