/** One alert of a PrometheusRule. */
export type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
};

export const NAMESPACE = "openshift-cluster-version";

/** Longer than a runner's restart, and equal to the delay of the alert for an absent runner, so that no risk seems to end in between. */
export const ALERT_DELAY = "10m";

/** Makes the cluster-version operator and `oc adm upgrade recommend` show an alert before an update. */
export const PRECHECK_LABEL = "openShiftUpdatePrecheck";
export const PRECHECK_LABELS = { [PRECHECK_LABEL]: "true" };

/** Platform alerts name their namespace, even if the expression drops that label. */
export function buildLabels(severity: "info" | "warning", more: Readonly<Record<string, string>> = {}) {
  return { namespace: NAMESPACE, ...more, severity };
}

/** Selects a metric from the runner only. */
export function formatMetric(name: string, labelled: Readonly<Record<string, string>> = {}): string {
  const matchers = Object.entries({ namespace: NAMESPACE, ...labelled }).map(([key, value]) => `${key}="${value}"`);
  return `${name}{${matchers.join(",")}}`;
}

/** Where docs/ is published. Like the images of deploy/, it is replaced before use. */
export const DOCS_URL = "https://example.com/replace/target-release-preflight/docs";

/** `page` is the name of a file of docs/runbooks, without its suffix. */
export function formatRunbookUrl(page: string): string {
  return `${DOCS_URL}/runbooks/${page}.md`;
}
