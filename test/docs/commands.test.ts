import assert from "node:assert/strict";
import { test } from "node:test";
import { findCommandFaults, type KnownCommands } from "../support/docs/command-faults.ts";
import { listFiles, readFile, readPages } from "../support/docs/pages.ts";
import { splitCommands } from "../support/docs/shell-words.ts";
import { listToolFlags } from "../support/docs/tool-flags.ts";

const { scripts }: { readonly scripts: object } = JSON.parse(readFile("package.json"));
const makefiles = listFiles("*Makefile", "*.mk").map(readFile);

const known: KnownCommands = {
  scripts: new Set(Object.keys(scripts)),
  makeTargets: new Set(
    makefiles.flatMap((text) => [...text.matchAll(/^([\w-]+):/gm)].map(([, target = ""]) => target)),
  ),
  toolFlags: new Set(listToolFlags()),
};

test("every command in the pages is one that runs", async () => {
  const pages = readPages().filter(({ path }) => path !== "CHANGELOG.md");
  const faults = await Promise.all(pages.map((page) => findCommandFaults(page, known)));
  assert.deepEqual(
    faults.flat().map(({ place, command, message }) => `${place}: ${command}: ${message}`),
    [],
  );
});

const PLANTED: Readonly<Record<string, RegExp>> = {
  "`npm run no-such-script`": /no script/,
  "    npm run bench -- --no-such-flag": /no flag --no-such-flag/,
  "    make no-such-target": /no target/,
  "`preflight no-such-command`": /unknown command/,
  "`preflight check --share 0/2`": /unknown option --share/,
  "`preflight check --fail-on nothing`": /--fail-on "nothing" is not known: choose one of/,
  "    preflight compare before.json": /compare needs OLD and NEW/,
  "    preflight check --to 4.20 more": /unexpected argument "more"/,
  "    oc whoami && preflight check --check-timeout soon": /check-timeout/,
  "```console\n$ preflight check --no-such-flag -o json\n```": /--no-such-flag/,
  "```sh\npreflight check \\\n  --no-such-flag\n```": /--no-such-flag/,
  "1. First:\n\n       preflight check --no-such-flag": /--no-such-flag/,
  "    npm start -- check --no-such-flag": /--no-such-flag/,
  "    kubectl preflight-update check --no-such-flag": /--no-such-flag/,
};

for (const [text, message] of Object.entries(PLANTED))
  test(`a command that fails is found in ${JSON.stringify(text)}`, async () => {
    const faults = await findCommandFaults({ path: "docs/planted.md", text: `\n${text}` }, known);
    assert.equal(faults.length, 1, JSON.stringify(faults));
    assert.match(faults[0]?.message ?? "", message);
  });

test("names of commands, placeholders and other programs are left alone", async () => {
  const text = [
    "`preflight compare`, `preflight checks`, `preflight help`, `preflight check --to VERSION --no-unknown-risks`,",
    "`preflight check --fail-on never|risk|incomplete --check-timeout DURATION`, `preflight plan ...`,",
    "`oc adm upgrade --anything`, `npm run bench -- --compare`, `npm test -- test/format`, `npm ci --anything`",
    "",
    "    A=b preflight check --to 4.20 -o json | preflight compare before.json - > after.txt  # --anything",
    "    preflight check --kubeconfig <(command --anything) --target DIR",
  ].join("\n");
  assert.deepEqual(await findCommandFaults({ path: "docs/planted.md", text }, known), []);
});

test("a line for a shell is split into words as a shell does", () => {
  const line = `$ A=b c 'd e'"f\\"" g\\ h 2>i | j <k && run: l <(m n) # o`;
  assert.deepEqual(splitCommands(line), [["c", 'd ef"', "g h"], ["j"], ["l", "<(m n)"]]);
});
