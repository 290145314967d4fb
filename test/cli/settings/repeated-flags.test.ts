import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../src/cli/command-line/parser.ts";
import { check } from "../../../src/cli/commands/check/definition.ts";
import { plan, playbook } from "../../../src/cli/commands/plan/definition.ts";
import type { ConfigFile, Setting, Settings, SettingValueOf } from "../../../src/cli/settings/command.ts";
import { formatRepeatedFlags } from "../../../src/cli/settings/repeated-flags.ts";
import { parseValues } from "../../../src/cli/settings/values.ts";

const COMMANDS: readonly { readonly name: string; readonly settings: Settings }[] = [check, plan, playbook];

const CONFIG: ConfigFile = { accept: [], acceptChecks: [], checks: [], settings: {}, path: "a.yaml", origin: "named" };

/** A value that is not the default. */
function buildValue(setting: Setting): SettingValueOf {
  switch (setting.type) {
    case "config":
      return CONFIG;
    case "outputs":
      return { stdout: "json", files: [] };
    case "boolean":
      return !setting.default;
    case "number":
      return setting.default + 1;
    case "duration":
      return 5_400_000;
    case "list":
      return setting.choices ?? ["one", "two words"];
    case undefined:
      return setting.choices?.at(-1) ?? "it's";
  }
}

/** The values of a command that a shell starts with these flags. */
async function parse({ name, settings }: (typeof COMMANDS)[number], flags: string): Promise<object> {
  const words = [...flags.matchAll(/'[^']*'(?:\\''[^']*')*|\S+/g)].map(([word]) =>
    word.startsWith("'")
      ? word
          .replaceAll(String.raw`'\''`, "\0")
          .replaceAll("'", "")
          .replaceAll("\0", "'")
      : word,
  );
  const line = await parseCommandLine([name, ...words], {}, 100);
  assert.ok(line.kind === "command", flags);
  return parseValues(settings, [], line.parsed, line.parsed["config"] === "a.yaml" ? CONFIG : undefined);
}

for (const command of COMMANDS) {
  const flags = Object.entries(command.settings);
  const values = Object.fromEntries(flags.map(([flag, setting]) => [flag, buildValue(setting)]));

  test(`every flag of ${command.name} says whether a command that is to be run again repeats it`, () => {
    assert.deepEqual(
      flags.filter(([, { isRepeated }]) => isRepeated === undefined).map(([flag]) => flag),
      [],
    );
  });

  test(`what ${command.name} repeats is read as it was given, and its defaults are left out`, async () => {
    const text = formatRepeatedFlags(command.settings, values);
    const read = new Map(Object.entries(await parse(command, text)));
    for (const [flag, { isRepeated }] of flags)
      if (isRepeated === true) assert.deepEqual(read.get(flag), values[flag], flag);
      else assert.ok(!text.includes(`--${flag} `) && !text.endsWith(`--${flag}`), flag);
    const required = flags.some(([, setting]) => setting.type === undefined && setting.isRequired) ? "--to 4.20" : "";
    const defaults = parseValues(command.settings, [], (await parseLine(command.name, required)) ?? {}, undefined);
    assert.equal(formatRepeatedFlags(command.settings, defaults), required);
  });
}

async function parseLine(name: string, flags: string) {
  const line = await parseCommandLine([name, ...flags.split(" ").filter((word) => word !== "")], {}, 100);
  return line.kind === "command" ? line.parsed : undefined;
}

test("a check repeats what a plan or a playbook has, but for the releases on the way", () => {
  const repeated = (settings: Settings) =>
    Object.entries(settings).flatMap(([flag, { isRepeated }]) => (isRepeated === true ? [flag] : []));
  const ofCheck = repeated(check.settings);
  for (const { settings } of [plan, playbook])
    assert.deepEqual(
      repeated(settings).filter((flag) => !ofCheck.includes(flag)),
      ["release"],
    );
});

test("a login in an address and a file that was only found are not repeated", () => {
  const values = {
    graph: "https://user:password@updates.example/graph",
    config: { ...CONFIG, origin: "found" },
  } as const;
  assert.equal(formatRepeatedFlags(plan.settings, values), "--graph https://REDACTED@updates.example/graph");
});
