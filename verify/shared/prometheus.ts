import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { findFreePort } from "./free-port.ts";

/** Why Prometheus can't be run here, or false: for node:test's `skip`. */
export const noPrometheus: string | false =
  spawnSync("prometheus", ["--version"]).status === 0
    ? false
    : "there is no prometheus (Debian's package prometheus has it)";

export type Prometheus = { readonly url: string; readonly close: () => Promise<void> };

/** Runs a Prometheus on loopback by this configuration, whose blocks are in `data` of the folder. */
export async function runPrometheus(folder: string, config: object): Promise<Prometheus> {
  const file = join(folder, "prometheus.yml");
  writeFileSync(file, JSON.stringify(config));
  const port = await findFreePort();
  const data = join(folder, "data");
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`];
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
