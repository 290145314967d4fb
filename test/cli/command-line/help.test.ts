import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../src/cli/command-line/parser.ts";
import { COMMANDS, DEFAULT_COMMAND } from "../../../src/cli/commands/index.ts";
import { formatHelp } from "../../../src/cli/command-line/help-topic.ts";
import { buildHelpPage } from "../../../src/cli/command-line/help-page.ts";
import { runPreflight, spawnPreflight } from "../../../verify/shared/preflight.ts";

async function help(...words: readonly string[]): Promise<string> {
  const parsed = await parseCommandLine(words, {}, 80);
  return parsed.kind === "print" ? parsed.text : assert.fail("printed no help");
}

test("help is short, goes to stdout and names every command", async () => {
  const { code, out, err } = await runPreflight(["--help"]);
  assert.deepEqual([code, err], [0, ""]);
  for (const { name } of COMMANDS.filter((command) => command !== DEFAULT_COMMAND))
    assert.match(out, new RegExp(`^  ${name.replace(/ .*/, "")} `, "m"));
  assert.ok(out.split("\n").length < 43, "fits a screen");
  assert.ok(!out.includes("--interval"), "the runner's settings have a page of their own");
});

test("help of a command can be asked for in three ways", async () => {
  const text = await help("help", "check");
  assert.equal(await help("check", "--help"), text);
  assert.equal(await help("check", "-h"), text);
  assert.match(text, /^Usage: preflight check \[OPTIONS\]$/m);
  assert.match(await help("help", "runner"), /^ +--interval DURATION +Interval between cycles/m);
  assert.equal(await help("help"), await help("--help"));
});

test("help of a group names its commands, and each has help of its own", async () => {
  const text = await help("help", "checks");
  assert.equal(await help("checks", "--help"), text);
  const commands = COMMANDS.filter(({ name }) => name.startsWith("checks "));
  assert.ok(commands.length > 0);
  for (const { name } of commands) {
    assert.match(text, new RegExp(`^  ${name} `, "m"));
    assert.match(await help(...name.split(" "), "-h"), new RegExp(`^Usage: preflight ${name} `, "m"));
    assert.equal(await help("help", ...name.split(" ")), await help(...name.split(" "), "-h"));
  }
});

const WRONG_WORDS: readonly (readonly [words: string, message: RegExp])[] = [
  ["chekc", /^unknown command "chekc": did you mean check\?; see 'preflight --help'$/],
  ["checks", /^name what to do: .*new.*; see 'preflight help checks'$/],
  ["checks --strict", /^name what to do: /],
  ["checks neww", /^unknown command "checks neww": did you mean new\?; see 'preflight help checks'$/],
  ["checks-new a", /^unknown command "checks-new"/],
  ["checks new", /; see 'preflight help checks new'$/],
  ["checks new a b c", /^unexpected argument "c"; see 'preflight help checks new'$/],
  ["checks new a --strictt", /^unknown option --strictt; see 'preflight help checks new'$/],
];
for (const [words, message] of WRONG_WORDS)
  test(`'preflight ${words}' says what is wrong`, async () => {
    await assert.rejects(parseCommandLine(words.split(" "), {}, 80), { name: "UsageError", message });
  });

test("help groups the options under headings, in one order", async () => {
  const headings = [...(await help("help", "check")).matchAll(/^([A-Z][A-Za-z ]+):$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings, [
    "Target",
    "Registries",
    "Cluster",
    "Checks",
    "Output",
    "Limits",
    "Other options",
    "Examples",
  ]);
});

test("every command's help has each of its flags and an example", () => {
  for (const command of COMMANDS) {
    const text = formatHelp(buildHelpPage(command), 80);
    for (const flag of Object.keys(command.settings)) assert.match(text, new RegExp(`--(\\[no-\\])?${flag}\\b`));
    assert.ok(command.examples.length > 0, command.name);
    for (const example of command.examples) assert.ok(text.includes(`\n  ${example.command}\n`), example.command);
  }
});

test("help keeps to the width, apart from words and commands that are longer", () => {
  for (const width of [60, 80, 100])
    for (const command of COMMANDS) {
      const commands = command.examples.map((example) => `  ${example.command}`);
      const lines = formatHelp(buildHelpPage(command), width).split("\n");
      const long = lines.filter((line) => line.length > width && !commands.includes(line));
      assert.deepEqual(
        long.filter((line) => line.trim().includes(" ")),
        [],
      );
    }
});

test("version can be asked for in three ways", async () => {
  const { code, out, err } = await spawnPreflight(["--version"]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^preflight \d+\.\d+\.\d+\n$/);
  assert.equal((await spawnPreflight(["version"])).out, out);
  assert.equal((await spawnPreflight(["-v"])).out, out);
});

test("former names of settings still work, and the present one wins", async () => {
  const read = async (argv: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> => {
    const parsed = await parseCommandLine(argv, env, 80);
    return parsed.kind === "command" ? parsed.parsed["document"] : assert.fail("is not a command");
  };
  assert.equal(await read(["--format=x", "--output", "a"], {}), "a");
  assert.equal(await read(["--format=x"], { PREFLIGHT_OUTPUT: "b" }), "b");
  assert.equal(await read(["--format=x"], { PREFLIGHT_OUTPUT: "b", PREFLIGHT_DOCUMENT: "c" }), "c");
  assert.ok(!(await help("help", "runner")).includes("--output"));
});
