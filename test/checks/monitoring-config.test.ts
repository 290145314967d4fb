import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type MonitoringConfig, keepClusterConfig } from "../../src/checks/monitoring-config/monitoring-config.ts";
import { isStricter, judgeConfigs } from "../../src/checks/monitoring-config/check.ts";
import { type Version, parseVersion } from "../../src/model/version.ts";

function version(text: string): Version {
  const found = parseVersion(text);
  assert.ok(found);
  return found;
}

function config(text: string): MonitoringConfig {
  return keepClusterConfig({ data: { "config.yaml": text } });
}

const FAULTS = "grafana: {}\nPrometheusK8s:\n  additionalAlertmanagerConfigs: []\n";
const V1 = "prometheusK8s:\n  additionalAlertmanagerConfigs:\n  - apiVersion: v1\n";

/** The invalid paths for an update. */
function faults(text: string, source: string, target: string): readonly (string | undefined)[] {
  const versions = { source: version(source), target: version(target) };
  const { findings = [] } = judgeConfigs({ kind: "found", value: config(text) }, undefined, versions);
  return findings.map(({ path }) => path);
}

const UPDATES: readonly [source: string, target: string, keys: readonly string[], v1: boolean][] = [
  ["4.16.0", "4.17.0", [], false],
  ["4.17.0", "4.18.0", ["grafana"], false],
  ["4.17.0", "4.19.0", ["grafana", "PrometheusK8s"], true],
  ["4.18.0", "4.19.0", ["PrometheusK8s"], true],
  ["4.18.0", "4.20.0", ["PrometheusK8s"], true],
  ["4.19.0", "4.20.0", [], false],
  ["4.22.0", "4.23.0", [], false],
  ["4.22.0", "5.0.0", [], false],
];

describe("the monitoring configuration", () => {
  for (const [source, target, keys, v1] of UPDATES) {
    test(`is evaluated from ${source} to ${target}`, () => {
      assert.deepEqual(
        faults(FAULTS, source, target),
        keys.map((key) => `config.yaml ${key}`),
      );
      assert.equal(faults(V1, source, target).length, v1 ? 1 : 0);
    });
  }

  test("is read if a release in between is stricter", () => {
    const stricter = (source: string, target: string): boolean =>
      isStricter({ source: version(source), target: version(target) });
    assert.ok(!stricter("4.16.0", "4.17.0"));
    assert.ok(stricter("4.17.0", "4.18.0"));
    assert.ok(stricter("4.21.0", "5.0.0"));
    assert.ok(!stricter("4.22.0", "5.0.0"));
    assert.ok(!stricter("4.18.1", "4.18.9"));
  });

  test("may contain aliases that expand endlessly", () => {
    const bomb = [
      "a: &a [x,x]",
      ...Array.from(
        { length: 60 },
        (_, i) => `k${i}: &k${i} [*${i === 0 ? "a" : `k${i - 1}`},*${i === 0 ? "a" : `k${i - 1}`}]`,
      ),
    ];
    assert.equal(config(bomb.join("\n")).kind, "unparsable");
  });

  test("is parsed despite a repeated key", () => {
    const settings = config("grafana: {}\ngrafana: {}\netcd: {}\n");
    assert.ok(settings.kind === "settings");
    assert.equal(settings.repeatedAt, 2);
    assert.deepEqual(
      settings.oddKeys.map(({ path }) => path),
      ["grafana", "etcd"],
    );
  });
});
