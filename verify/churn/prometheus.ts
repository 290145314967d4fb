import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseObject, objectsAt, textAt } from "../../src/model/json.ts";
import { NAMESPACE } from "../../tools/alerts/alert.ts";
import { type FiringAlert, RULES } from "../operator/operator-model.ts";
import { runPrometheus } from "../shared/prometheus.ts";
import { createTemporaryFolder } from "../shared/temporary-folder.ts";
import type { AlertStore, AlertTimes } from "./alerts.ts";

/** A Prometheus that scrapes the runner and evaluates the shipped rules, only faster than they say. */
export async function startPrometheusStore(
  metricsUrl: string,
  { intervalMs, keepFiringMs }: AlertTimes,
): Promise<AlertStore> {
  const folder = createTemporaryFolder();
  const rules = RULES.map((rule) => ({ ...rule, keep_firing_for: `${keepFiringMs}ms` }));
  const interval = `${intervalMs}ms`;
  writeFileSync(join(folder, "rules.yml"), JSON.stringify({ groups: [{ name: "risks", interval, rules }] }));
  const { host, pathname } = new URL(metricsUrl);
  const prometheus = await runPrometheus(folder, {
    rule_files: ["rules.yml"],
    scrape_configs: [
      {
        job_name: "runner",
        scrape_interval: interval,
        scrape_timeout: interval,
        metrics_path: pathname,
        static_configs: [{ targets: [host], labels: { namespace: NAMESPACE } }],
      },
    ],
  });
  const stopping = new AbortController();
  let firing: readonly FiringAlert[] = [];
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      firing = (await readFiring(prometheus.url)) ?? firing;
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    firing: () => firing,
    stop: async () => {
      stopping.abort();
      await looping;
      await prometheus.close();
    },
  };
}

/** Undefined without an answer: the operator then knows nothing new. */
async function readFiring(url: string): Promise<readonly FiringAlert[] | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(2_000) });
    const alerts = objectsAt(parseObject(await response.text()), "data", "alerts");
    return alerts
      .filter((alert) => textAt(alert, "state") === "firing")
      .map((alert) => {
        const name = textAt(alert, "labels", "alertname") ?? "";
        return { name, summary: textAt(alert, "annotations", "summary") ?? "", about: `${name} alert firing` };
      });
  } catch {
    return undefined;
  }
}
