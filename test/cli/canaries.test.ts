import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createJsonLogger } from "../../src/cli/io/monitoring-server.ts";
import { createRunnerMetrics } from "../../src/cli/commands/run/runner-metrics.ts";
import { createCrashReport } from "../../src/cli/process/child-end.ts";
import { formats } from "../../src/format/index.ts";
import { parseObject } from "../../src/model/json.ts";
import { addPlanted, PLANTED, REPORTED } from "../support/canaries/canaries.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { buildCanary, findLeaks } from "../support/canaries/leaks.ts";
import { SECRET_KINDS } from "../support/canaries/secret-kinds.ts";
import { type FaultServer, startFaultServer } from "../../verify/reliability/fault-server.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { runThrowingCycle } from "../support/canaries/throwing-cycle.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const DEMO = join(import.meta.dirname, "../../demo");
const TARGET = ["--target", join(DEMO, "release")];

/** Each kind, and each place; test/cluster/canaries.test.ts has each kind in each place redacted. */
const RECORDED = sampleEach(PLANTED, 3);

const folder = createTemporaryFolder("canaries");
const servers: FaultServer[] = [];
after(async () => {
  for (const server of servers) server.close();
});

/** Serves the demonstration's cluster with secrets in it, at an address that holds one too. Returns the settings for it. */
async function serve(planted: typeof PLANTED): Promise<readonly string[]> {
  const cluster = parseObject(await readFile(join(DEMO, "cluster.json"), "utf8")) ?? {};
  const server = await startFaultServer(addPlanted(cluster, planted), {
    isStruck: () => false,
    fault: () => {},
    times: 0,
  });
  servers.push(server);
  return ["--kubeconfig", await writeKubeconfig(server.url.replace("://", `://me:${buildCanary(98, 98)}@`))];
}

async function writeKubeconfig(server: string): Promise<string> {
  const file = join(folder, "kubeconfig");
  const named = {
    clusters: [{ name: "a", cluster: { server } }],
    users: [{ name: "a", user: { token: buildCanary(97, 97) } }],
  };
  const contexts = [{ name: "a", context: { cluster: "a", user: "a" } }];
  await writeFile(
    file,
    JSON.stringify({ apiVersion: "v1", kind: "Config", "current-context": "a", contexts, ...named }),
  );
  return file;
}

test("no canary is in a recording of a live cluster", async () => {
  const output = join(folder, "recording");
  const { code, err } = await runPreflight([
    "record",
    ...(await serve(RECORDED)),
    ...TARGET,
    "--dest-dir",
    output,
    "--verbose",
  ]);
  assert.equal(code, 0, err);
  const text = await readFile(join(output, "cluster.json"), "utf8");
  assert.ok(text.split('"planted-').length > 0.29 * RECORDED.length, "the recording has the planted objects");
  assert.deepEqual(findLeaks(text), []);
  assert.deepEqual(findLeaks(err), []);
});

test("no canary is in a report of any format, or in what --verbose writes", async () => {
  const names = Object.keys(formats);
  const files = names.flatMap((name) => ["-o", `${name}=${join(folder, `report.${name}`)}`]);
  const { out, err, code } = await runPreflight([
    "check",
    ...(await serve(REPORTED)),
    ...TARGET,
    "--verbose",
    ...files,
  ]);
  assert.equal(code, 3, err);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, `report.${name}`), "utf8")));
  assert.match(texts[names.indexOf("json")] ?? "", /planted-0-0[^]*REDACTED/);
  for (const [i, text] of [...texts, out, err].entries()) assert.deepEqual(findLeaks(text), [], names[i] ?? "output");
  assert.ok((await readdir(folder)).length > names.length);
});

test("no canary is in the error of a cluster that can't be reached", async () => {
  const kubeconfig = await writeKubeconfig(
    `http://me:${buildCanary(96, 96)}@127.0.0.1:1/x?token=${buildCanary(95, 95)}`,
  );
  const { out, err, code } = await runPreflight(["check", "--kubeconfig", kubeconfig, ...TARGET, "-o", "json"]);
  assert.equal(code, 1);
  assert.match(err, /127\.0\.0\.1:1/);
  assert.deepEqual(findLeaks(out + err), []);
});

const SENTENCES = SECRET_KINDS.map(({ write }, i) => `it failed: ${write(buildCanary(i, 90))}`);

test("no canary is in the text of a crash, in a log, or in what a child that crashed wrote", () => {
  const written: string[] = [];
  const log = createJsonLogger(
    (line) => void written.push(line),
    () => new Date(0),
  );
  const report = createCrashReport((text) => void written.push(text));
  for (const sentence of SENTENCES) {
    log.error(sentence, { why: sentence });
    report.push(`Error: ${sentence}\n    at x (file:1:1)\n`);
  }
  report.push(`FATAL ERROR: ${SENTENCES.join("\n")}`);
  assert.deepEqual(findLeaks(written.join("") + report.text()), []);
  for (const line of written.filter((text) => text.startsWith("{"))) assert.doesNotThrow(() => JSON.parse(line));
});

test("no canary is in the result of a check that throws, or in the metrics of it", async () => {
  for (const sentence of SENTENCES) {
    const result = await runThrowingCycle(sentence);
    const metrics = createRunnerMetrics({ clock: () => 0, interval: 0, showsMessages: true });
    metrics.onCycle(result, 1);
    const text = await metrics.text();
    assert.match(text, /it failed/);
    assert.deepEqual(findLeaks(text + JSON.stringify(result)), []);
  }
});
