import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { buildOpenShiftDefaults } from "../../../../src/cases/cluster.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import { type CommandResult, runWords } from "../../../support/cli/run-words.ts";
import { buildRecordedSource } from "../../../support/must-gather/sources.ts";
import { writeMustGather } from "../../../support/must-gather/writer.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const check = join(folder, "check");
const clusters = join(folder, "clusters");
const PATH = "/apis/example.com/v1/widgets";

function widget(name: string, driver: string): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { namespace: "shop", name }, spec: { driver } };
}

function record(name: string, entries: JsonObject): void {
  mkdirSync(join(clusters, name), { recursive: true });
  const text = JSON.stringify({ ...buildOpenShiftDefaults("4.20.3"), ...entries });
  writeFileSync(join(clusters, name, "cluster.json"), text);
}

before(async () => {
  await runWords("checks", "new", "widget-drivers", check);
  record("a", { [PATH]: { items: [widget("a", "legacy"), widget("b", "legacy"), widget("c", "block")] } });
  record("b", { [PATH]: { items: [widget("a", "block")] } });
  record("c", { [PATH]: { error: "403 forbidden" } });
  record("d", {});
});

function backtest(...words: readonly string[]): Promise<CommandResult> {
  return runWords("checks", "backtest", check, ...words);
}

test("counts what a check says of recorded clusters and of cases, and says it twice in the same way", async () => {
  const { code, out } = await backtest(clusters, join(check, "cases"));
  assert.equal(code, 4);
  assert.deepEqual(out.split("\n"), [
    "8 clusters",
    "",
    "widget-drivers: No widget uses the legacy driver",
    "  risk            2 (28.6%)",
    "      3 x WidgetDriversFault: The driver is legacy.",
    "  unknown         3 (1 of them by what was not recorded)",
    "      2 x widgets.example.com: 403 forbidden",
    "      1 x widgets.example.com: /apis/example.com/v1/widgets was not recorded: record the cluster again",
    "  clear           2",
    "  not applicable  1",
    "      1 x The API server does not serve widgets.example.com.",
    "  8 objects, 3 findings",
    "",
  ]);
  assert.equal((await backtest(clusters, join(check, "cases"))).out, out);
});

test("fails over --max-risk, of the clusters to which the check applies", async () => {
  assert.equal((await backtest(clusters, "--max-risk", "25%", "--max-unknown", "50%")).code, 0);
  assert.equal((await backtest(clusters, "--max-risk", "24.9")).code, 3);
  const wrong = await backtest(clusters, "--max-risk", "many");
  assert.deepEqual([wrong.code, wrong.err], [2, 'preflight: --max-risk "many" is not a share such as 5%\n']);
});

test("what is unknown on too many clusters is no success", async () => {
  assert.equal((await backtest(clusters)).code, 4);
  assert.equal((await backtest(clusters, "--max-unknown", "49")).code, 4);
  assert.equal((await backtest(clusters, "--max-unknown", "50")).code, 0);
});

test("checks the update that --target-version names", async () => {
  const { out } = await backtest(join(clusters, "a"), "--target-version", "4.19.1", "-o", "json");
  const { checks } = JSON.parse(out);
  assert.equal(checks[0].outcomes.notApplicable.clusters, 1, "a rollback is no update of this check");
});

test("names clusters that can't be judged, and fails if none can", async () => {
  const bad = join(folder, "bad");
  mkdirSync(bad);
  writeFileSync(join(bad, "cluster.json"), "[]");
  const some = await backtest(join(clusters, "b"), bad);
  assert.equal(some.code, 4);
  assert.match(
    some.out,
    /^1 cluster\nnot judged: .*bad: .*bad\/cluster\.json is not a recorded cluster: it holds no JSON object\n/,
  );
  const none = await backtest(bad);
  assert.equal(none.code, 1);
  assert.match(none.err, /no cluster could be judged/);
});

const TAKEN = new Date("2026-11-20T00:00:00Z");

test("judges must-gathers beside recordings", async () => {
  const cluster: JsonObject = {
    ...buildOpenShiftDefaults("4.20.3"),
    "/api/v1/namespaces": { items: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "openshift-config" } }] },
  };
  const archives = join(folder, "archives");
  const source = buildRecordedSource(cluster);
  await writeMustGather(source, join(archives, "a"), { startedAt: TAKEN, endedAt: TAKEN });
  const { code, out } = await backtest(archives);
  assert.equal(code, 0);
  assert.match(out, /^1 cluster\n/);
});
