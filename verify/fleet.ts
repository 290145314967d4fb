import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMemory, samplePeak } from "./bench/processes.ts";
import { requireFlags } from "./shared/flags.ts";
import { startFleet } from "./fleet/clusters.ts";
import { readRecording } from "./fleet/recorded-cluster.ts";

/** Checks a simulated fleet with the built executable. */
const ROOT = join(import.meta.dirname, "..");
const { positionals: flags, values } = requireFlags({
  command: "npm run fleet --",
  about:
    "Checks as many simulated clusters as are asked for, some of them broken. FLAGS of `preflight fleet` stand after --.",
  operands: "[-- FLAGS]",
  flags: {
    clusters: { type: "string", default: "1000", help: "how many clusters" },
  },
});
const { clusters: number } = values;
const folder = mkdtempSync(join(tmpdir(), "preflight-fleet-"));
const fleet = await startFleet(folder, Number(number), readRecording(join(ROOT, "demo/cluster.json")));
const start = performance.now();
const args = ["fleet", "--kubeconfig", fleet.kubeconfigs, "--target", join(ROOT, "demo/release")];
const limits = ["--results", join(folder, "results"), "--check-timeout", "10s"];
const measured = ["-c", 'TIMEFORMAT="%R s wall, %U s user, %S s system"; time "$@"', "bash"];
const command = [process.execPath, join(ROOT, "dist/preflight"), ...args, ...limits, ...flags];
const child = spawn("bash", [...measured, ...command], { stdio: "inherit" });
const takeMost = samplePeak(() => readMemory(child.pid ?? 0), 250);
child.on("close", (code) => {
  fleet.close();
  if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.error(`exit code ${code}, ${seconds} s, at most ${takeMost().toFixed(0)} MiB (all processes together)`);
});
