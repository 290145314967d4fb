import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { textsAt } from "../../src/model/json.ts";
import {
  createPipeline,
  DEMO_RISKS,
  type Pipeline,
  type Ran,
  REVIEWED,
  runStep,
} from "../support/examples/pipeline-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TEXT = readFileSync(join(ROOT, "examples/gitlab-ci/.gitlab-ci.yml"), "utf8");
const LOCAL = join(ROOT, "node_modules/gitlab-ci-local/dist/index.js");

/** Calls gitlab-ci-local, which first has GitLab's own schema accept the file, in a git repository. */
function call(pipeline: Pipeline, text: string): Ran {
  const { folder, env } = pipeline;
  const git = (...words: readonly string[]) => spawnSync("git", words, { cwd: folder, env });
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "git@gitlab.example.com:group/project.git");
  writeFileSync(join(folder, ".gitlab-ci.yml"), text);
  git("add", ".gitlab-ci.yml");
  git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "x");
  const words = [LOCAL, "--home", folder, "--list-csv"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: "utf8" });
  return { code: status, out: `${stdout}${stderr}` };
}

/** A project whose main branch has the reviewed file, and a clone of it for the job. */
function checkOut({ folder, env, read }: Pipeline): void {
  const origin = join(folder, ".origin");
  const git = (cwd: string, ...words: readonly string[]) => spawnSync("git", words, { cwd, env });
  mkdirSync(origin);
  writeFileSync(join(origin, ".preflight.yaml"), read(REVIEWED));
  rmSync(join(folder, REVIEWED));
  git(origin, "init", "-q", "-b", "main");
  git(origin, "add", ".");
  git(origin, "-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "x");
  git(folder, "init", "-q", "-b", "change");
  git(folder, "remote", "add", "origin", origin);
}

/** Runs the scripts as GitLab's runner does: the update needs the check, and gets the variables of its dotenv report. */
function play(pipeline: Pipeline): Ran {
  checkOut(pipeline);
  const accepted = runStep(pipeline, getScript("accepted"), { CI_DEFAULT_BRANCH: "main" });
  if (accepted.code !== 0) return accepted;
  const ran = runStep(pipeline, getScript("preflight"));
  if (ran.code !== 0) return ran;
  const [, name = "", value = ""] = /^(\w+)=(.*)\n$/.exec(pipeline.read("preflight.env")) ?? [];
  runStep(pipeline, getScript("update"), { [name]: value, UPDATE_KUBECONFIG: join(pipeline.folder, "admin") });
  return ran;
}

function getScript(job: string): string {
  return textsAt(JSON.parse(JSON.stringify(load(TEXT))), job, "script").join("\n");
}

test("GitLab's schema accepts the file", (t) => {
  const { code, out } = call(createPipeline(t, "nothing"), TEXT);
  assert.equal(code, 0, out);
  assert.match(out, /^preflight;check;on_success;/m);
  assert.match(out, /^update;update;manual;.*preflight/m);
});

test("GitLab's schema refuses a pipeline with a fault", (t) => {
  const { code, out } = call(createPipeline(t, "nothing"), TEXT.replace("when: always", "when: ever"));
  assert.equal(code, 1);
  assert.match(out, /when/);
});

test("a risk fails the job, its reports stay, and the update can't be started", (t) => {
  const pipeline = createPipeline(t, "nothing");
  const { code, out } = play(pipeline);
  assert.equal(code, 3);
  assert.match(out, /CrdServedVersionRemoved/);
  assert.match(pipeline.read("preflight.xml"), /<testsuites [^>]*failures="[1-9]/);
  assert.match(pipeline.read("preflight.html"), /^<!doctype html>/);
  assert.equal(pipeline.updates(), "");
});

test("a change that accepts its own risks changes nothing", (t) => {
  const pipeline = createPipeline(t, "nothing");
  const accept = DEMO_RISKS.map((risk) => ({ risk, reason: "r" }));
  writeFileSync(join(pipeline.folder, ".preflight.yaml"), JSON.stringify({ accept }));
  assert.equal(play(pipeline).code, 3);
});

test("a clear cluster is updated to the release that was checked", (t) => {
  const pipeline = createPipeline(t, "everything");
  const { code, out } = play(pipeline);
  assert.equal(code, 0, out);
  assert.equal(pipeline.updates(), `--kubeconfig ${pipeline.folder}/admin adm upgrade --to 4.18.6\n`);
});
