// Peak memory of one cycle over many PodDisruptionBudgets, each with a pod:
// `node tools/bench/many-objects.ts [COUNT [free|blocked [last|endless [BUDGETS_OF_A_NAMESPACE [EXECUTABLE]]]]]`.
// Lists are paged as an API server pages them; "endless" always names a next page of budgets. Needs a built dist/ and Linux.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isList, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { createRecordedApi } from "../../test/support/recorded-api.ts";
import { readMemory } from "./process-memory.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const [count = "250000", kind = "free", pages = "last", size = "20", file] = process.argv.slice(2);
const LISTS: ReadonlyMap<string, readonly [type: string, build: (index: number) => string]> = new Map([
  ["/apis/policy/v1/poddisruptionbudgets", [`"kind":"PodDisruptionBudgetList","apiVersion":"policy/v1"`, buildBudget]],
  ["/api/v1/pods", [`"kind":"PodList","apiVersion":"v1"`, buildPod]],
]);

function getNames(index: number): readonly [namespace: string, name: string] {
  return [`team-${String(Math.floor(index / Number(size))).padStart(7, "0")}`, `service-${index % Number(size)}`];
}

function buildPod(index: number): string {
  const [namespace, name] = getNames(index);
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","labels":{"app":"${name}"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"${name}","uid":"${String(index).padStart(36, "0")}","controller":true}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`;
}

function buildBudget(index: number): string {
  const [namespace, name] = getNames(index);
  const allowed = kind === "blocked" ? 0 : 1;
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","generation":1,"labels":{"app":"${name}"}},"spec":{"minAvailable":${1 - allowed},"selector":{"matchLabels":{"app":"${name}"}}},"status":{"observedGeneration":1,"disruptionsAllowed":${allowed},"currentHealthy":1,"desiredHealthy":${1 - allowed},"expectedPods":1,"conditions":[{"type":"DisruptionAllowed","status":"True","reason":"SufficientPods","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`;
}

function buildPage(url: URL, type: string, build: (index: number) => string): string {
  const start = Number(url.searchParams.get("continue") ?? "0");
  const limit = Number(url.searchParams.get("limit") ?? "500");
  const isEndless = pages === "endless" && build === buildBudget;
  const end = isEndless ? start + limit : Math.min(Number(count), start + limit);
  const items = Array.from({ length: end - start }, (_, i) => build(start + i));
  const next = isEndless || end < Number(count) ? `,"continue":"${end}"` : "";
  return `{${type},"metadata":{"resourceVersion":"1"${next}},"items":[${items.join(",")}]}`;
}

const answer = createRecordedApi({
  "/version": { gitVersion: "v1.35.2" },
  ...Object.fromEntries([...LISTS.keys()].map((path) => [path, { items: [] }])),
});

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const list = LISTS.get(url.pathname);
  const { code, body } = list ? { code: 200, body: buildPage(url, ...list) } : answer(url.pathname);
  response.writeHead(code, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
});

const folder = mkdtempSync(join(tmpdir(), "preflight-many-"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const kubeconfig = join(folder, "kubeconfig");
  const entry = { name: "bench" };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ ...entry, cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ ...entry, context: { cluster: "bench", user: "bench" } }],
    users: [{ ...entry, user: { token: "bench" } }],
    "current-context": "bench",
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const args = [
    "--format=preflight-v1-json",
    "--interval",
    "0",
    "--only",
    "drain-blocked",
    "--target-version",
    "v1.36",
    "--check-timeout=30m",
    "--cycle-timeout=30m",
  ];
  const start = performance.now();
  const executable = file ?? join(ROOT, "dist", "preflight");
  const child = spawn(process.execPath, [executable, ...args, "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [peak, out] = [0, ""];
  const watch = setInterval(() => (peak = Math.max(peak, readMemory(child.pid))), 50);
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    server.close();
    rmSync(folder, { recursive: true });
    const document = parseObject(out) ?? {};
    const check = listAt(document, "checks").find((one) => textAt(one, "id") === "drain-blocked");
    const verdict = isList(document["checks"]) ? `${textAt(check, "outcome")} ${textAt(check, "message") ?? ""}` : out;
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(
      `${count} ${kind} (${pages}), ${size} in a namespace: exit ${code ?? signal}, ${seconds} s, peak ${peak.toFixed(0)} MiB`,
    );
    console.log(`${textAt(document, "executionStatus")}: ${verdict}`);
  });
});
