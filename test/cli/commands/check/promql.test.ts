import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { at, type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { sendJson } from "../../../../verify/api-server/api-responses.ts";
import { createAuthority, noOpenssl } from "../../../../verify/api-server/certificates.ts";
import { type MockServer, serve, writeKubeconfig } from "../../../support/cluster/mock-server.ts";
import {
  buildMonitoringObjects,
  guardWithToken,
  ROUTE_HOST,
  ROUTE_PATH,
  SERVER_NAME,
  TOKEN,
} from "../../../support/cluster/monitoring.ts";
import { startConnectProxy } from "../../../support/cluster/proxies.ts";
import { startFaultServer } from "../../../../verify/reliability/fault-server.ts";
import { type ProcessResult, runPreflight } from "../../../../verify/shared/preflight.ts";
import type { Prometheus } from "../../../../verify/shared/prometheus.ts";
import { noStoredSeries, startPrometheus } from "../../../support/prometheus.ts";
import { buildGraphJson } from "../../../../verify/fuzz/graph-sample.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

/** What a cluster on one platform, installed a while ago, has. */
const METRICS = [
  'cluster_infrastructure_provider{type="AWS"} 1',
  'cluster_version{type="initial",version="4.11.9"} 1',
  'cluster_version{type="current",version="4.17.20"} 1',
  'kube_node_info{node="a"} 1',
  'kube_node_info{node="b"} 1',
  "zero 0",
  "two 2",
];

const promql = (expression: string): JsonObject => ({ type: "PromQL", promql: { promql: expression } });
const onPlatform = (type: string): string =>
  `max(cluster_infrastructure_provider{type=~"${type}"} or 0 * cluster_infrastructure_provider)`;
const bornIn = (version: string): string =>
  `group(cluster_version{type="initial",version=~"${version}[.].*"}) or 0 * group(cluster_version)`;
const ALWAYS = { type: "Always" };

type Outcome = "risk" | "clear" | "unknown";

/** The rules of each published risk, and what the check says of it. */
const RULES: Readonly<Record<string, readonly [Outcome, ...JsonObject[]]>> = {
  OnThisPlatform: ["risk", promql(onPlatform("AWS|GCP"))],
  OnAnotherPlatform: ["clear", promql(onPlatform("VSphere"))],
  BornLongAgo: ["risk", promql(`(${onPlatform("AWS")})\n* (${bornIn("4[.]11")})`)],
  BornLater: ["clear", promql(`(${onPlatform("AWS")}) * (${bornIn("4[.]14")})`)],
  NoData: ["unknown", promql('cluster_operator_conditions{name="absent"}')],
  SeveralSeries: ["unknown", promql("kube_node_info")],
  OneOfSeveral: ["risk", promql("topk(1, group by (node) (kube_node_info))")],
  NotANumber: ["unknown", promql("zero / zero")],
  NeitherOneNorZero: ["unknown", promql("two")],
  Scalar: ["unknown", promql("scalar(two)")],
  NotPromql: ["unknown", promql("max(")],
  UnknownType: ["unknown", { type: "CEL", cel: { expression: "true" } }],
  Everyone: ["risk", ALWAYS],
  EveryoneWithoutData: ["risk", promql("absent_metric"), ALWAYS],
  NotEveryone: ["clear", promql("zero"), ALWAYS],
  SecondRule: ["clear", promql("absent_metric"), promql("vector(0)")],
  TypeOfLater: ["risk", { type: "CEL" }, promql("vector(1)")],
};

/** The operator's rules, from Prometheus' own answers: pkg/clusterconditions of the cluster-version operator. */
async function evaluateAsOperator(rules: readonly Json[], { url }: Prometheus): Promise<Outcome> {
  for (const rule of rules) {
    const type = textAt(rule, "type");
    if (type === "Always") return "risk";
    if (type !== "PromQL") continue;
    const query = encodeURIComponent(textAt(rule, "promql", "promql") ?? "");
    const { status, data }: JsonObject = JSON.parse(await (await fetch(`${url}/api/v1/query?query=${query}`)).text());
    const samples = listAt(data, "result");
    if (status !== "success" || textAt(data, "resultType") !== "vector" || samples.length !== 1) continue;
    const value = Number(textAt(samples[0], "value", 1));
    if (value === 0 || value === 1) return value === 1 ? "risk" : "clear";
  }
  return "unknown";
}

function buildRisk(name: string, matchingRules: readonly JsonObject[]): JsonObject {
  return { name, message: `${name} stops pods.`, url: `https://example.com/${name}`, matchingRules };
}

/** A graph that offers the demo's target with risks, one for each of these rules. */
function writeGraph(path: string, rules: Readonly<Record<string, readonly [Outcome, ...JsonObject[]]>>): void {
  const risks = Object.entries(rules).map(([name, [, ...matchingRules]]) => buildRisk(name, matchingRules));
  const { nodes } = buildGraphJson([["4.17.20", "4.18.6"]]);
  const conditionalEdges = [{ edges: [{ from: "4.17.20", to: "4.18.6" }], risks }];
  writeFileSync(path, JSON.stringify({ version: 1, nodes, edges: [], conditionalEdges }));
}

/** Passes queries on to Prometheus, if they have the token. */
async function startQuerier(t: TestContext, folder: string, url: string) {
  const { ca, issue } = createAuthority(folder);
  const pass = guardWithToken((request, response) => {
    fetch(`${url}${request.url}`).then(
      async (answer) => sendJson(response, JSON.parse(await answer.text()), answer.status),
      () => sendJson(response, {}, 502),
    );
  });
  const mock = await serve(t, pass, issue("thanos", `DNS:${SERVER_NAME},DNS:${ROUTE_HOST}`));
  return { mock, objects: buildMonitoringObjects(mock.port, ca.cert) };
}

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";

function readDemo(): JsonObject {
  return parseObject(readFileSync("demo/cluster.json", "utf8")) ?? {};
}

/** A kubeconfig for the demo's cluster with these objects. */
async function startCluster(t: TestContext, objects: JsonObject, user: JsonObject): Promise<string> {
  const server = await startFaultServer(
    { ...readDemo(), ...objects },
    { isStruck: () => false, fault: () => {}, times: 0 },
  );
  t.after(() => server.close());
  return writeKubeconfig(t, { cluster: { server: server.url }, user });
}

type CheckJson = {
  readonly outcome: string;
  readonly findings?: readonly { readonly name: string }[];
  readonly notices?: readonly string[];
  readonly unknowns?: readonly { readonly where: string; readonly message: string }[];
};

function findCheck(out: string): CheckJson {
  const { checks }: { readonly checks: readonly (CheckJson & { readonly id: string })[] } = JSON.parse(out);
  const check = checks.find(({ id }) => id === "conditional-updates");
  assert.ok(check);
  return check;
}

/** What the check says of a risk, by its name. */
function outcomeOf(name: string, { findings = [], notices = [], unknowns = [] }: CheckJson): Outcome {
  if (findings.some((finding) => finding.name === name)) return "risk";
  if (unknowns.some(({ where }) => where === `risk ${name} of 4.18.6`)) return "unknown";
  assert.ok(
    notices.some((notice) => notice.includes(`the risk ${name} `) && notice.includes("evaluates it as not applying")),
    name,
  );
  return "clear";
}

test(
  "PromQL is evaluated by the cluster's own Prometheus, as the operator would",
  { skip: noStoredSeries || noOpenssl },
  async (t) => {
    const folder = createTemporaryFolder("promql");
    const prometheus = await startPrometheus(folder, METRICS);
    t.after(prometheus.close);
    const { mock, objects } = await startQuerier(t, folder, prometheus.url);
    const graph = join(folder, "graph.json");
    writeGraph(graph, RULES);
    const args = ["check", "--target", "demo/release", "--graph", graph, "--only", "conditional-updates", "-o", "json"];
    const kubeconfig = await startCluster(t, objects, { token: TOKEN });
    const run = (...more: readonly string[]) => runPreflight([...args, "--kubeconfig", kubeconfig, ...more]);
    const judgeAll = (out: string): Readonly<Record<string, Outcome>> => {
      const check = findCheck(out);
      return Object.fromEntries(Object.keys(RULES).map((name) => [name, outcomeOf(name, check)]));
    };
    const expected = Object.fromEntries(Object.entries(RULES).map(([name, [outcome]]) => [name, outcome]));

    await t.test("over the Service: affected, not affected, no data, several series", async () => {
      for (const [name, [outcome, ...rules]] of Object.entries(RULES))
        assert.equal(await evaluateAsOperator(rules, prometheus), outcome, name);
      const { out, err } = await run("--promql", "service");
      assert.deepEqual(judgeAll(out), expected, err);
      const messages = (findCheck(out).unknowns ?? []).map(({ where, message }) => `${where}: ${message}`).join("\n");
      assert.match(messages, /NoData of .*monitoring has no data for its rule: "NoData stops pods" \(https:\/\/exam/);
      assert.match(messages, /SeveralSeries of .*has 2 series for its rule instead of one: /);
      assert.match(messages, /NotPromql of .*can't evaluate its rule \(bad_data: .*parse error/);
      assert.match(messages, /UnknownType of .*of the type "CEL", which preflight does not know: /);
      assertNoToken({ out, err });
    });

    await t.test("over the Route: the same, with one query for each rule", async (s) => {
      const proxy = await startConnectProxy(s, undefined, undefined, mock.port);
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      const count = mock.requests.length;
      const given = [...args, "--kubeconfig", kubeconfig, "--promql", "route", "--verbose"];
      const { out, err } = await runPreflight(given, env);
      assert.deepEqual(judgeAll(out), expected, err);
      assert.match(err, /^a query of the cluster's monitoring: found, /m);
      const asked = mock.requests.slice(count).map(({ url }) => url);
      assert.equal(new Set(asked).size, asked.length);
      assertNoToken({ out, err });
    });

    await t.test("a runner asks about what ClusterVersion lists and the operator has not evaluated", async (s) => {
      const listed = Object.entries(RULES)
        .slice(0, 2)
        .map(([name, [, ...matchingRules]]) => buildRisk(name, matchingRules));
      const version = at(readDemo(), CLUSTER_VERSION);
      const release = { version: "4.18.6", image: "registry.example.com/release@sha256:b" };
      const status = { ...objectAt(version, "status"), conditionalUpdates: [{ release, risks: listed }] };
      const cluster = { ...objects, [CLUSTER_VERSION]: { ...objectAt(version), status } };
      const config = await startCluster(s, cluster, { token: TOKEN });
      const runner = ["--format=preflight-v1-json", "--interval", "0", "--target", "demo/release"];
      const only = ["--only", "conditional-updates", "--kubeconfig", config];
      const { out, err } = await runPreflight([...runner, ...only], { PREFLIGHT_PROMQL: "service" });
      const risks = listAt(parseObject(out), "risks").map((risk) => textAt(risk, "message") ?? "");
      assert.ok(
        risks.some((message) => message.includes("OnThisPlatform") && !message.includes("OnAnother")),
        err,
      );
      assert.ok(!out.includes("RuleNotEvaluated"));
      assertNoToken({ out, err });
    });

    await t.test("a playbook repeats how the monitoring is asked", async () => {
      const given = ["playbook", "--target", "demo/release", "--graph", graph, "--kubeconfig", kubeconfig];
      const { out, err } = await runPreflight([...given, "--promql", "service"]);
      assert.match(out, /monitoring evaluates OnThisPlatform as applying/, err);
      assert.match(out, /check --graph \S+ --target demo\/release --promql service --only conditional-updates/);
    });

    await t.test("nobody is asked without --promql, and each risk is unknown by its name", async () => {
      const count = mock.requests.length;
      const { code, out } = await run();
      assert.equal(mock.requests.length, count);
      assert.deepEqual(
        Object.entries(judgeAll(out)).filter(([, outcome]) => outcome !== "unknown"),
        [["Everyone", "risk"]],
      );
      assert.equal(code, 3);
      assert.match(out, /OnThisPlatform of 4\.18\.6",\s*"message": "[^"]*monitoring was not asked \(--promql\): /);
    });

    await t.test("no right and no Prometheus: unknown by name, with the reason", async () => {
      await assertUnknown(t, objects, { token: "another" }, `${SERVER_NAME} does not accept the token (401)`, mock);
      await assertUnknown(t, objects, { username: "u", password: "p" }, "the context here has no token", mock);
      const { [ROUTE_PATH]: _, ...noRoute } = objects;
      const why = "the cluster has no Route openshift-monitoring/thanos-querier";
      await assertUnknown(t, noRoute, { token: TOKEN }, why, mock, "route");
    });

    await t.test("a Prometheus that is gone is unknown, and asked once", async () => {
      await prometheus.close();
      const count = mock.requests.length;
      const { out } = await run("--promql", "service");
      for (const name of ["OnThisPlatform", "EveryoneWithoutData"]) assert.equal(judgeAll(out)[name], "unknown");
      assert.equal(mock.requests.length - count, 1);
      assert.match(out, /could not be asked \(thanos-querier\.openshift-monitoring\.svc answers with 502\)/);
    });

    async function assertUnknown(
      s: TestContext,
      cluster: JsonObject,
      user: JsonObject,
      why: string,
      { requests }: MockServer,
      access = "service",
    ): Promise<void> {
      const count = requests.length;
      const config = await startCluster(s, cluster, user);
      const { out, err } = await runPreflight([...args, "--kubeconfig", config, "--promql", access]);
      assert.ok(requests.length - count <= 1, "more than one query was refused");
      for (const name of ["OnThisPlatform", "OnAnotherPlatform", "NotEveryone"])
        assert.equal(judgeAll(out)[name], "unknown", err);
      assert.ok(out.includes(`monitoring could not be asked (${why}`), out);
    }
  },
);

function assertNoToken({ out, err }: Pick<ProcessResult, "out" | "err">): void {
  assert.ok(!`${out}${err}`.includes(TOKEN));
}

test("a recorded cluster has no monitoring that --promql could ask", async () => {
  const args = ["check", "--recorded", "demo", "--target", "demo/release", "--promql", "route"];
  const { code, err } = await runPreflight(args);
  assert.deepEqual([code, /--promql asks the monitoring of a live cluster/.test(err)], [2, true], err);
});
