import assert from "node:assert/strict";
import { test } from "node:test";
import { listFirstWords } from "../../src/cli/commands/index.ts";
import { PLAIN_COMMANDS } from "../../src/cli/command-line/help-page.ts";
import { COMMAND_WORDS, replaceProgram, replaceProgramIn } from "../../src/model/program-name.ts";

const PLUGIN = "kubectl preflight-update";

test("knows the first words of all commands", () => {
  const words = [
    ...listFirstWords().map(({ name }) => name),
    ...PLAIN_COMMANDS.map(({ term }) => term.replace(/ .*/, "")),
  ];
  assert.deepEqual(COMMAND_WORDS, words.toSorted());
});

test("commands are called as the user calls the program", () => {
  const commands = [
    "preflight check --to 4.20 -o json | preflight compare old.json -",
    'Run "preflight rbac" and `preflight plan`.',
    "preflight COMMAND [OPTIONS]",
    "preflight --format=preflight-v1-json",
    "source <(preflight completion bash)",
    "preflight: see 'preflight help check'\npreflight: stopped",
  ];
  const expected = [
    `${PLUGIN} check --to 4.20 -o json | ${PLUGIN} compare old.json -`,
    `Run "${PLUGIN} rbac" and \`${PLUGIN} plan\`.`,
    `${PLUGIN} COMMAND [OPTIONS]`,
    `${PLUGIN} --format=preflight-v1-json`,
    `source <(${PLUGIN} completion bash)`,
    `${PLUGIN}: see '${PLUGIN} help check'\n${PLUGIN}: stopped`,
  ];
  assert.deepEqual(replaceProgramIn(commands, PLUGIN), expected);
  assert.equal(replaceProgramIn(commands, "preflight"), commands);
});

test("a run, its documents and its objects keep their names", () => {
  for (const text of [
    "No preflight controller runs.",
    "the preflight checks all of it",
    "a preflight of 4.20 found it",
    "the requested preflight has a result",
    "format preflight-v1-json",
    "ConfigMap preflight-result",
    "this preflight knows what releases up to 4.21 change",
    "my-preflight check",
    "it is a result of preflight: read it",
  ])
    assert.equal(replaceProgram(text, PLUGIN), text);
});
