import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../../../verify/shared/eventually.ts";
import { findFreePort } from "../../../../verify/shared/free-port.ts";
import { runPreflight, startPreflight } from "../../../../verify/shared/preflight.ts";
import { readReadiness } from "../../../support/format/readiness-validator.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const DEMO = ["--format=preflight-v1-json", "--recorded", "demo", "--target", "demo/release"];

const folder = createTemporaryFolder();

async function readDocumentAt(path: string) {
  return JSON.parse(await readFile(path, "utf8"));
}

test("loops until SIGTERM, serves its state, and keeps the last document", async () => {
  const output = join(folder, ".preflight", "v1.json");
  const port = await findFreePort();
  const running = startPreflight([...DEMO, "--interval", "1s", "--document", output, "--listen", `127.0.0.1:${port}`]);
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => assert.equal((await fetch(`${url}/readyz`)).status, 200));
  const first = await readDocumentAt(output);
  await eventually(async () => assert.notEqual((await readDocumentAt(output)).observedAt, first.observedAt));
  const later = await readDocumentAt(output);
  assert.equal(later.preflightID, first.preflightID);
  assert.deepEqual(later.risks, first.risks, "first-seen times stay");
  assert.equal(Date.parse(later.validUntil) - Date.parse(later.observedAt), 3_000);
  const statuses = await Promise.all(["/healthz", "/nowhere"].map(async (path) => (await fetch(url + path)).status));
  assert.deepEqual(statuses, [200, 404]);
  assert.equal((await fetch(`${url}/healthz`, { method: "POST" })).status, 405);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(
    metrics,
    /^preflight_risk\{name="CustomResourceFieldsFrozen",check="crd-skew",source="4.17.20",target="4.18.6"\} 1$/m,
  );
  assert.doesNotMatch(metrics, /message|billing/, "no metric names an object by default");
  assert.match(metrics, /^preflight_check_outcome\{check="crd-skew",outcome="unknown"\} 1$/m);
  assert.match(metrics, /^preflight_document_age_seconds [0-9.]+$/m);
  assert.match(metrics, /^preflight_complete 0$/m);
  assert.match(metrics, /^preflight_document_written 1$/m);
  assert.match(metrics, /^preflight_interval_seconds 1$/m);
  running.kill("SIGTERM");
  const ended = await running.result;
  assert.deepEqual([ended.code, ended.signal, ended.out], [0, null, ""]);
  const levels = ended.err
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).level);
  assert.ok(levels.length >= 3 && levels.every((level) => level === "info"), ended.err);
  assert.equal((await runPreflight(["validate", output])).code, 0);
});

test("--risk-messages puts each risk's message on a metric of its own", async () => {
  const output = join(folder, "messages.json");
  const port = await findFreePort();
  const listen = ["--listen", `127.0.0.1:${port}`, "--risk-messages"];
  const running = startPreflight([...DEMO, "--interval", "1s", "--document", output, ...listen]);
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => assert.equal((await fetch(`${url}/readyz`)).status, 200));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const { risks }: { readonly risks: readonly { readonly name: string; readonly message: string }[] } =
    await readDocumentAt(output);
  assert.ok(risks.length > 0);
  for (const { name, message } of risks) {
    const label = message.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    const line = metrics.split("\n").find((one) => one.startsWith(`preflight_risk_message{name="${name}",`));
    assert.ok(line?.endsWith(`,message="${label}"} 1`), line);
  }
  running.kill("SIGTERM");
  assert.equal((await running.result).code, 0);
});

test("keeps the last risks in a failed document, and is not ready, if the target disappears", async () => {
  const output = join(folder, "gone.json");
  assert.equal((await runPreflight([...DEMO, "--interval", "0", "--document", output])).code, 0);
  const last = await readDocumentAt(output);
  const port = await findFreePort();
  const gone = ["--format=preflight-v1-json", "--recorded", "demo", "--target", join(folder, "none")];
  const running = startPreflight([...gone, "--interval", "1h", "--document", output, "--listen", `127.0.0.1:${port}`]);
  await eventually(async () => assert.equal((await readDocumentAt(output)).executionStatus, "failed"));
  const failed = await readDocumentAt(output);
  assert.deepEqual(failed.risks, last.risks);
  assert.deepEqual([failed.complete, failed.failure.reason, failed.checks], [false, "PayloadUnreadable", undefined]);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  assert.deepEqual([ready.status, await ready.text()], [503, "the last cycle failed: PayloadUnreadable\n"]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(metrics, /^preflight_cycle_failed\{reason="PayloadUnreadable"\} 1$/m);
  running.kill("SIGTERM");
  assert.equal((await running.result).code, 0);
});

test("ignores and replaces a broken last document", async () => {
  const output = join(folder, "broken.json");
  await writeFile(output, '{"format":"preflight-v1-json","risks":"none"');
  const ended = await runPreflight([...DEMO, "--interval", "0", "--document", output]);
  assert.equal(ended.code, 0);
  assert.match(ended.err, /the last document is not valid and is not used/);
  assert.equal((await readDocumentAt(output)).executionStatus, "completed");
});

test("an output path that is a folder is a usage error", async () => {
  const ended = await runPreflight([...DEMO, "--interval", "0", "--document", folder]);
  assert.equal(ended.code, 2);
  assert.match(ended.err, /is a directory/);
});

test("the document is still marked incomplete with --no-unknown-risks", async () => {
  const { out } = await runPreflight([...DEMO, "--interval", "0", "--no-unknown-risks"]);
  const document = JSON.parse(out);
  assert.equal(document.complete, false);
  assert.ok(document.risks.every((risk: { readonly name: string }) => !risk.name.endsWith("Unknown")));
});

test("reports a folder that replaces the document during a run, and retries", async () => {
  const output = join(folder, "replaced.json");
  const running = startPreflight([...DEMO, "--interval", "1s", "--document", output]);
  await eventually(async () => assert.equal((await readDocumentAt(output)).executionStatus, "completed"));
  await rm(output);
  // The runner may rewrite the file before the folder exists.
  await eventually(async () => {
    await rm(output, { force: true });
    await mkdir(output);
  });
  await eventually(async () => assert.match(running.err(), /the document could not be written.*is a directory/));
  await rm(output, { recursive: true });
  await eventually(async () => assert.equal((await readDocumentAt(output)).executionStatus, "completed"));
  running.kill("SIGTERM");
  assert.equal((await running.result).code, 0);
});

test("does not follow a symbolic link at the output path, and logs nothing from its target", async () => {
  const output = join(folder, "link.json");
  const secret = join(folder, "secret");
  await writeFile(secret, "hunter2-and-more");
  await symlink(secret, output);
  const ended = await runPreflight([...DEMO, "--interval", "0", "--document", output]);
  assert.equal(ended.code, 0);
  assert.match(ended.err, /the last document could not be read.*it is a symbolic link/);
  assert.doesNotMatch(ended.err + ended.out, /hunter2/);
  assert.equal(await readFile(secret, "utf8"), "hunter2-and-more");
});

test("rejects devices, and pipes that nobody writes to, in one line instead of reading them forever", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const attempts = [pipe, "/dev/zero"].flatMap((path) => [
    { path, args: ["validate", path] },
    { path, args: ["check", "--recorded", path, "--target", "demo/release"] },
  ]);
  await Promise.all(
    attempts.map(async ({ path, args }) => {
      const { code, err } = await runPreflight(args);
      assert.deepEqual([code, err.trim().split("\n").length], [1, 1], `${args.join(" ")}: ${err}`);
      assert.match(err, path === pipe ? /nothing was written to the pipe in time/ : /is not a regular file/);
    }),
  );
});

test("validates a document that comes through a pipe", async () => {
  const pipe = join(folder, "document-pipe");
  execFileSync("mkfifo", [pipe]);
  const document = await runPreflight([...DEMO, "--interval", "0", "--document", join(folder, "piped.json")]);
  assert.equal(document.code, 0);
  const validating = runPreflight(["validate", pipe]);
  await writeFile(pipe, await readFile(join(folder, "piped.json")));
  const { code, out } = await validating;
  assert.equal(code, 0, out);
  assert.match(out, /is a valid preflight-v1-json document/);
});

test("--also readiness=FILE is written with each document, also while nothing is known and when the target disappears", async () => {
  const output = join(folder, "also.json");
  const file = join(folder, "also-readiness.json");
  const also = ["--document", output, "--also", `readiness=${file}`];
  assert.equal((await runPreflight([...DEMO, "--interval", "0", ...also])).code, 0);
  const found = readReadiness(await readFile(file, "utf8"));
  assert.equal(found.decision, "block");
  const gone = ["--format=preflight-v1-json", "--recorded", "demo", "--target", join(folder, "none")];
  assert.equal((await runPreflight([...gone, "--interval", "0", ...also])).code, 1);
  const failed = readReadiness(await readFile(file, "utf8"));
  assert.equal(failed.decision, "escalate");
  const { risks } = await readDocumentAt(output);
  assert.equal(failed.findings.length, 1 + risks.length);
});

test("standard output gets one document if the readiness beside it can't be written, and the run fails", async () => {
  const file = join(folder, "no-readiness");
  await mkdir(file);
  const refused = await runPreflight([...DEMO, "--interval", "0", "--also", `readiness=${file}`]);
  assert.deepEqual([refused.code, refused.out], [2, ""]);
  assert.match(refused.err, /no-readiness is a directory/);
  const unwritable = await runPreflight([...DEMO, "--interval", "0", "--also", "readiness=/proc/none/readiness.json"]);
  assert.equal(unwritable.code, 1);
  assert.equal(JSON.parse(unwritable.out).executionStatus, "completed");
  assert.match(unwritable.err, /the readiness could not be written/);
  assert.equal((await runPreflight([...DEMO, "--interval", "0", "--also", "json=result.json"])).code, 2);
});
