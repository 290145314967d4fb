import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Prometheus, noPrometheus, runPrometheus } from "../../verify/shared/prometheus.ts";
import { noPromtool, runPromtool } from "./promtool.ts";

/** Why Prometheus can't be given series here, or false: for node:test's `skip`. */
export const noStoredSeries: string | false = noPromtool || noPrometheus;

/** Runs a Prometheus on loopback that has these series, one sample each, in the text format of metrics; it scrapes nothing. */
export async function startPrometheus(folder: string, metrics: readonly string[]): Promise<Prometheus> {
  const input = join(folder, "metrics");
  const data = join(folder, "data");
  const at = Math.floor(Date.now() / 1_000) - 30;
  writeFileSync(input, `${metrics.map((series) => `${series} ${at}`).join("\n")}\n# EOF\n`);
  mkdirSync(data);
  await runPromtool("tsdb", "create-blocks-from", "openmetrics", input, data);
  return runPrometheus(folder, {});
}
