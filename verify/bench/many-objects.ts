// Peak memory of one cycle over many PodDisruptionBudgets, each with a pod:
// `node verify/bench/many-objects.ts [COUNT [free|blocked [last|endless [BUDGETS_OF_A_NAMESPACE]]]]`. PREFLIGHT_EXECUTABLE names another build.
// Lists are paged as an API server pages them; "endless" always names a next page of budgets. Needs a built dist/ and Linux.
import { listAt, parseObject, textAt } from "../../src/model/json.ts";
import { writeServerKubeconfig } from "../api-server/kubeconfig.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { runAndMeasure } from "../reliability/run.ts";
import { startMockCluster } from "./mock-cluster.ts";

const [count = "250000", kind = "free", pages = "last", size = "20"] = process.argv.slice(2);

function getNames(index: number): readonly [namespace: string, name: string] {
  return [`team-${String(Math.floor(index / Number(size))).padStart(7, "0")}`, `service-${index % Number(size)}`];
}

function formatPod(index: number): string {
  const [namespace, name] = getNames(index);
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","labels":{"app":"${name}","team":"${namespace}"},"annotations":{"meta.helm.sh/release-name":"${namespace}"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"${name}","uid":"${String(index).padStart(36, "0")}","controller":true}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`;
}

function formatBudget(index: number): string {
  const [namespace, name] = getNames(index);
  const allowed = kind === "blocked" ? 0 : 1;
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","generation":1,"labels":{"app":"${name}","team":"${namespace}"},"annotations":{"meta.helm.sh/release-name":"${namespace}"}},"spec":{"minAvailable":${1 - allowed},"selector":{"matchLabels":{"app":"${name}"}}},"status":{"observedGeneration":1,"disruptionsAllowed":${allowed},"currentHealthy":1,"desiredHealthy":${1 - allowed},"expectedPods":1,"conditions":[{"type":"DisruptionAllowed","status":"True","reason":"SufficientPods","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`;
}

const cluster = await startMockCluster([
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    path: "/apis/policy/v1/poddisruptionbudgets",
    count: pages === "endless" ? Infinity : Number(count),
    format: formatBudget,
  },
  { apiVersion: "v1", kind: "Pod", path: "/api/v1/pods", count: Number(count), format: formatPod },
]);
const which = ["--only", "drain-blocked", "--target-version", "v1.36"];
const run = ["--format=preflight-v1-json", "--interval", "0", "--check-timeout=30m", "--cycle-timeout=30m"];
const { code, seconds, peak, out } = await withTemporaryFolder("many", (folder) =>
  runAndMeasure([...run, ...which, "--kubeconfig", writeServerKubeconfig(folder, cluster.url)]),
);
cluster.close();
const document = parseObject(out) ?? {};
const check = listAt(document, "checks").find((one) => textAt(one, "id") === "drain-blocked");
console.log(`${count} ${kind} (${pages}), ${size} in a namespace: exit ${code}, ${seconds} s, peak ${peak} MiB`);
console.log(`${textAt(document, "executionStatus")}: ${textAt(check, "outcome")} ${textAt(check, "message") ?? ""}`);
