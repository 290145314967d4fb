import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../verify/shared/eventually.ts";
import { findFreePort } from "../../verify/shared/free-port.ts";
import { noPromtool, runPromtool } from "./promtool.ts";

/** Why Prometheus can't be run here, or false: for node:test's `skip`. */
export const noPrometheus: string | false =
  noPromtool || spawnSync("prometheus", ["--version"]).status === 0
    ? noPromtool
    : "there is no prometheus (Debian's package prometheus has it)";

export type Prometheus = { readonly url: string; readonly close: () => Promise<void> };

/** Runs a Prometheus on loopback that has these series, one sample each, in the text format of metrics; it scrapes nothing. */
export async function startPrometheus(folder: string, metrics: readonly string[]): Promise<Prometheus> {
  const [input, data, config] = ["metrics", "data", "prometheus.yml"].map((name) => join(folder, name));
  const at = Math.floor(Date.now() / 1_000) - 30;
  writeFileSync(input ?? "", `${metrics.map((series) => `${series} ${at}`).join("\n")}\n# EOF\n`);
  writeFileSync(config ?? "", "{}");
  mkdirSync(data ?? "");
  await runPromtool("tsdb", "create-blocks-from", "openmetrics", input ?? "", data ?? "");
  const port = await findFreePort();
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn("prometheus", flags, { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (!(await fetch(`${url}/-/ready`)).ok) throw new Error("Prometheus is not ready");
  });
  return { url, close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  child.kill();
  await ended;
}
