// Peak memory of one cycle over many PodDisruptionBudgets: `node tools/bench/many-objects.ts [COUNT [free|blocked [last|endless [TIMEOUT]]]]`.
// The list is paged as an API server pages it; "endless" always names a next page; a read then lasts until the timeout. Needs a built dist/ and Linux.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAndMeasure, writeKubeconfig } from "../reliability/run.ts";
import { startMockCluster } from "./mock-cluster.ts";

const [count = "400000", kind = "free", pages = "last", timeout = "30m"] = process.argv.slice(2);

function formatBudget(index: number): string {
  const [namespace, name] = [`team-${String(Math.floor(index / 20)).padStart(7, "0")}`, `service-${index % 20}`];
  const allowed = kind === "blocked" ? 0 : 1;
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","generation":1,"labels":{"app":"${name}"}},"spec":{"minAvailable":${3 - allowed},"selector":{"matchLabels":{"app":"${name}"}}},"status":{"observedGeneration":1,"disruptionsAllowed":${allowed},"currentHealthy":3,"desiredHealthy":${3 - allowed},"expectedPods":3,"conditions":[{"type":"DisruptionAllowed","status":"True","reason":"SufficientPods","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`;
}

const cluster = await startMockCluster([
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    path: "/apis/policy/v1/poddisruptionbudgets",
    count: pages === "endless" ? Infinity : Number(count),
    format: formatBudget,
  },
]);
const folder = mkdtempSync(join(tmpdir(), "preflight-many-"));
const limits = ["--check-timeout", timeout, "--cycle-timeout", timeout];
const which = ["--only", "drain-blocked", "--target-version", "v1.36"];
const kubeconfig = await writeKubeconfig(folder, cluster.url);
const run = ["--format=preflight-v1-json", "--interval", "0", "--kubeconfig", kubeconfig];
const { outcome, code, seconds, peak } = await runAndMeasure([...run, ...which, ...limits]);
console.log(`${count} ${kind} (${pages}): exit ${code}, ${seconds} s, peak ${peak} MiB, ${outcome}`);
cluster.close();
rmSync(folder, { recursive: true });
