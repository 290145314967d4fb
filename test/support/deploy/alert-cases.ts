/** One series of a scenario: its name with labels, and its values, one a minute, in promtool's notation. */
export type Series = readonly [name: string, values: string];

/** The alerts that fire a number of minutes after the start: the labels and annotations of each alert with that name. */
export type Expected = {
  readonly minute: number;
  readonly alert: string;
  readonly fires?: readonly Firing[];
};

export type Firing = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type Scenario = { readonly series: readonly Series[]; readonly expected: readonly Expected[] };

const OURS = 'namespace="openshift-cluster-version"';

export const DEPLOYMENT: Series = [
  `kube_deployment_spec_replicas{${OURS},deployment="cluster-version-operator-preflight"}`,
  "1x60",
];

export function ours(name: string, values: string, ...labels: readonly string[]): Series {
  return [`${name}{${[OURS, ...labels].join(",")}}`, values];
}

export function risk(name: string, values: string, target = "5.2.0"): Series {
  return ours("preflight_risk", values, `name="${name}"`, 'source="5.0.3"', `target="${target}"`);
}

/** A healthy runner. */
export const WELL: readonly Series[] = [
  DEPLOYMENT,
  ours("preflight_document_age_seconds", "10x60"),
  ours("preflight_interval_seconds", "300x60"),
  ours("preflight_document_written", "1x60"),
  ours("preflight_complete", "1x60"),
];

/** The scenarios in promtool's format, as JSON, which is valid YAML. */
export function testFile(rules: string, scenarios: readonly Scenario[]): string {
  const tests = scenarios.map(({ series, expected }) => ({
    interval: "1m",
    input_series: series.map(([name, values]) => ({ series: name, values })),
    alert_rule_test: expected.map(({ minute, alert, fires = [] }) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: fires.map(({ labels = {}, annotations = {} }) => ({
        exp_labels: labels,
        exp_annotations: annotations,
      })),
    })),
  }));
  return JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests });
}
