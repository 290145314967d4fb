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

/** Makes the cluster-version operator and `oc adm upgrade recommend` show an alert before an update. */
export const PRECHECK_LABEL = "openShiftUpdatePrecheck";

/** Where docs/ is published. Like the images of deploy/, it is replaced before use. */
export const DOCS_URL = "https://example.com/replace/target-release-preflight/docs";

/** `page` is the name of a file of docs/runbooks, without its suffix. */
export function formatRunbookUrl(page: string): string {
  return `${DOCS_URL}/runbooks/${page}.md`;
}
