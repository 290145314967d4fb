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
  "7, webhooks without a backend": ["webhooks/risk-down-for-long", "webhooks/clear-ignored", "webhooks/clear-answers"],
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
