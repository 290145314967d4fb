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

/**
 * Longer than a runner takes to start again, and as long as it takes until its absence is told: in between a risk must not look as if it
 * were gone.
 */
export const ALERT_DELAY = "10m";

/** What makes the cluster-version operator, and `oc adm upgrade recommend`, show an alert before an update. */
export const PRECHECK_LABELS = { openShiftUpdatePrecheck: "true" };

/** Platform alerts name their namespace, whatever the expression leaves of it. */
export function buildLabels(severity: "info" | "warning", more: Readonly<Record<string, string>> = {}) {
  return { namespace: NAMESPACE, ...more, severity };
}

/** A metric of the runner and of nobody else's. */
export function formatMetric(name: string, labelled: Readonly<Record<string, string>> = {}): string {
  const matchers = Object.entries({ namespace: NAMESPACE, ...labelled }).map(([key, value]) => `${key}="${value}"`);
  return `${name}{${matchers.join(",")}}`;
}
