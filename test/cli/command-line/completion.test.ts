import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { before, test } from "node:test";
import { complete } from "../../../src/cli/command-line/completion.ts";
import { listChecks, listRisks, listCaseNames } from "../../../src/cli/command-line/completion-names.ts";
import { EXECUTABLE, START_ENV, runPreflight } from "../../../verify/shared/preflight.ts";
import { sampleEach } from "../../support/cases/sample.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const CONTEXT = "default/api-lab:6443/admin";
const CONFIG = {
  contexts: [CONTEXT, "prod", "my lab"].map((name) => ({ name, context: { cluster: "none", user: "none" } })),
};

const folder = createTemporaryFolder();
let env: Readonly<Record<string, string>> = {};
before(async () => {
  await writeFile(join(folder, "config"), JSON.stringify(CONFIG));
  await symlink(EXECUTABLE, join(folder, "preflight"));
  await mkdir(join(folder, "given"));
  await writeFile(join(folder, "given", "file.yaml"), "");
  const path = [folder, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  env = { PATH: path, KUBECONFIG: join(folder, "config"), HOME: folder };
});

/** The words that can stand at the end of the line. */
async function candidates(line: string): Promise<readonly string[]> {
  const found = await complete(line.split(" "), {
    contexts: async (kubeconfig) => [{ word: kubeconfig ?? "current" }],
    checks: async () => listChecks(),
    risks: async () => listRisks(),
    cases: listCaseNames,
  });
  return found.map(({ word }) => word);
}

const lines: readonly (readonly [string, readonly string[]])[] = [
  ["che", ["check", "checks"]],
  ["ver", ["version"]],
  ["help run", ["runner"]],
  ["help runner ", []],
  ["check --fail", ["--fail-on"]],
  ["check --fail-on ", ["never", "risk", "incomplete"]],
  ["check --fail-on=r", ["--fail-on=risk"]],
  ["check -o j", ["json", "junit"]],
  ["check --output=j", ["--output=json", "--output=junit"]],
  ["check -o table -o html=", [":files"]],
  ["check --output=html=", [":files"]],
  ["check --only cg", ["cgroup-v1"]],
  ["check --only cgroup-v1,cg", []],
  ["check --skip=nodes,cg", ["--skip=nodes,cgroup-v1"]],
  ["check --accept CgroupV1R", ["CgroupV1Removed", "CgroupV1RemovedUnknown"]],
  ["check --context ", ["current"]],
  ["check --kubeconfig other --context ", ["other"]],
  ["check --kubeconfig=other --context=", ["--context=other"]],
  ["check --target ", [":folders"]],
  ["check --config ", [":files"]],
  ["check --no-un", ["--no-unknown-risks"]],
  ["check --quiet --qu", []],
  ["check now", []],
  ["checks n", ["new"]],
  ["help checks n", ["new"]],
  ["checks new x ", [":folders"]],
  ["checks lint ", [":files"]],
  ["checks lint a.yaml ", [":files"]],
  ["checks test ", [":folders"]],
  ["checks test src/checks/cgroup-v1 --only risk-v1-from", ["risk-v1-from-4-17"]],
  ["checks test absent --only ", []],
  ["checks explain --case ", [":files"]],
  ["explain cgroup-v", ["cgroup-v1"]],
  ["validate doc", [":files"]],
  ["compare old.json new", [":files"]],
  ["completion ", ["bash", "zsh", "fish"]],
  ["--form", ["--format"]],
  ["nothing ", []],
];
for (const [line, expected] of sampleEach(lines, 3))
  test(`'preflight ${line}' completes to ${expected.join(", ") || "nothing"}`, async () => {
    assert.deepEqual(await candidates(line), expected);
  });

test("completion reads the kubeconfig, and never the cluster that it names", async () => {
  const { code, out, err } = await runPreflight(["__complete", "--", "check", "--context", ""], env);
  assert.deepEqual([code, out, err], [0, `${CONTEXT}\nmy lab\nprod\n`, ""]);
  const broken = await runPreflight(
    ["__complete", "--", "check", "--kubeconfig", "/nonexistent", "--context", ""],
    env,
  );
  assert.deepEqual([broken.code, broken.out, broken.err], [0, "", ""]);
});

test("bash completes words with colons, equals signs and commas", (t) => {
  const script = `source <(preflight completion bash)
    try() { COMP_LINE=$1 COMP_POINT=\${#1} COMPREPLY=(); _preflight; echo "\${COMPREPLY[*]}"; }
    try "preflight chec"; try "preflight check --context default/api-lab:64"; try "preflight check --context=p"
    try "preflight check --only nodes,cgr"; try "preflight check --context my"`;
  const { stdout, error } = spawnSync("bash", ["-c", script], { env: { ...env, ...START_ENV }, encoding: "utf8" });
  if (error) return t.skip("bash is not installed");
  assert.deepEqual(stdout.trim().split("\n"), ["check checks", "6443/admin", "prod", "nodes,cgroup-v1", "my\\ lab"]);
});

test("fish completes words with their descriptions", (t) => {
  const script = `preflight completion fish | source; complete -C "preflight chec"; complete -C "preflight check --only nodes,cgr"`;
  const { stdout, error } = spawnSync("fish", ["-c", script], { env: { ...env, ...START_ENV }, encoding: "utf8" });
  if (error) return t.skip("fish is not installed");
  assert.match(stdout, /^check\tRun the checks once.*\nchecks\t.*\nnodes,cgroup-v1\t/);
});

/** Lines that have one completion each: contexts, risks, files and folders, and whatever else a shell may split or escape. */
const COMPLETED: readonly (readonly [string, string])[] = [
  ["check --context d", CONTEXT],
  ["check --context=p", "--context=prod"],
  ["check --context my", "my lab"],
  ["check --kubeconfig ~/config --context p", "prod"],
  ["check --accept CgroupV1RemovedU", "CgroupV1RemovedUnknown"],
  ["check --accept=Other,CgroupV1RemovedU", "--accept=Other,CgroupV1RemovedUnknown"],
  ["explain CgroupV1RemovedU", "CgroupV1RemovedUnknown"],
  ["check --config given/fi", "given/file.yaml"],
  ["check --config=given/fi", "--config=given/file.yaml"],
  ["check -o html=given/fi", "html=given/file.yaml"],
  ["check --output=html=given/fi", "--output=html=given/file.yaml"],
  ["compare given/fi", "given/file.yaml"],
  ["check --target giv", "given/"],
  ["check --target=giv", "--target=given/"],
];
const completed = sampleEach(COMPLETED, 3);

test("fish completes contexts, risks and files", (t) => {
  const tries = completed.map(([line]) => `complete -C "preflight ${line}"`);
  const script = ["preflight completion fish | source", ...tries].join("\n");
  const { stdout, error } = spawnSync("fish", ["-c", script], {
    env: { ...env, ...START_ENV },
    cwd: folder,
    encoding: "utf8",
  });
  if (error) return t.skip("fish is not installed");
  const words = stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/\t.*/, ""));
  assert.deepEqual(
    words,
    completed.map(([, word]) => word),
  );
});

/** Types each line into a zsh of its own terminal, with a tab at the end, and prints what then stands there. */
const ZSH = `
zmodload zsh/zpty
zpty -b shell 'TERM=dumb zsh -f -i'
zpty -w shell 'PROMPT=; unsetopt zle_bracketed_paste prompt_cr; autoload -Uz compinit; compinit -u -D; source <(preflight completion zsh); show() { print -r -- "$BUFFER" >> typed; BUFFER=; }; zle -N show; bindkey "^X" show; bindkey "^I" complete-word; : >> typed'
wait_for() { for i in {1..200}; do eval "$1" && return; sleep 0.1; done; }
wait_for '[[ -e typed ]]'
n=0
for line in "$@"; do
  zpty -w -n shell "preflight $line"$'\\t\\x18'
  (( n += 1 ))
  wait_for '(( $(wc -l < typed) >= n ))'
done
zpty -d shell
cat typed
`;

test("zsh completes contexts, risks and files", (t) => {
  const words = completed.map(([line]) => line);
  const { stdout, error } = spawnSync("zsh", ["-fc", ZSH, "zsh", ...words], {
    env: { ...env, ...START_ENV },
    cwd: folder,
    encoding: "utf8",
  });
  if (error) return t.skip("zsh is not installed");
  const typed = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  const expected = completed.map(([line, word]) => `preflight ${line.replace(/\S+$/, "")}${word.replace(" ", "\\ ")}`);
  assert.deepEqual(typed, expected);
});
