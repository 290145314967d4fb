// Peak memory of one cycle over many PodDisruptionBudgets: `node tools/bench/many-objects.ts [COUNT [free|blocked [last|endless [TIMEOUT]]]]`.
// The list is paged as an API server pages it; "endless" always names a next page; a read then lasts until the timeout. Needs a built dist/ and Linux.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isList, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { createRecordedApi } from "../../test/support/recorded-api.ts";
import { readMemory } from "./process-memory.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const [count = "400000", kind = "free", pages = "last", timeout = "30m"] = process.argv.slice(2);
const LIST = "/apis/policy/v1/poddisruptionbudgets";

function buildBudget(index: number): string {
  const [namespace, name] = [`team-${String(Math.floor(index / 20)).padStart(7, "0")}`, `service-${index % 20}`];
  const allowed = kind === "blocked" ? 0 : 1;
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${index}","generation":1,"labels":{"app":"${name}"}},"spec":{"minAvailable":${3 - allowed},"selector":{"matchLabels":{"app":"${name}"}}},"status":{"observedGeneration":1,"disruptionsAllowed":${allowed},"currentHealthy":3,"desiredHealthy":${3 - allowed},"expectedPods":3,"conditions":[{"type":"DisruptionAllowed","status":"True","reason":"SufficientPods","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`;
}

function buildPage(url: URL): string {
  const start = Number(url.searchParams.get("continue") ?? "0");
  const limit = Number(url.searchParams.get("limit") ?? "500");
  const end = pages === "endless" ? start + limit : Math.min(Number(count), start + limit);
  const items = Array.from({ length: end - start }, (_, i) => buildBudget(start + i));
  const next = pages === "endless" || end < Number(count) ? `,"continue":"${end}"` : "";
  return `{"kind":"PodDisruptionBudgetList","apiVersion":"policy/v1","metadata":{"resourceVersion":"1"${next}},"items":[${items.join(",")}]}`;
}

const answer = createRecordedApi({ "/version": { gitVersion: "v1.35.2" }, [LIST]: { items: [] } });

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const { code, body } = url.pathname === LIST ? { code: 200, body: buildPage(url) } : answer(url.pathname);
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
    "--check-timeout",
    timeout,
    "--cycle-timeout",
    timeout,
  ];
  const start = performance.now();
  const executable = join(ROOT, "dist", "preflight");
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
    const [check] = listAt(document, "checks");
    const verdict = isList(document["checks"]) ? `${textAt(check, "outcome")} ${textAt(check, "message") ?? ""}` : out;
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(`${count} ${kind} (${pages}): exit ${code ?? signal}, ${seconds} s, peak ${peak.toFixed(0)} MiB`);
    console.log(`${textAt(document, "executionStatus")}: ${verdict}`);
  });
});
