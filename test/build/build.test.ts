import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { chown, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { promisify } from "node:util";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { sampleEach } from "../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MAX_BYTES = 2_850_000;
const execute = promisify(execFile);

suite("the build", () => {
  const folder = createTemporaryFolder("build");
  before(async () => {
    for (const name of ["one", "two"])
      await execute(process.execPath, ["build.mjs", join(folder, name)], { cwd: ROOT });
  });

  /** Runs the executable with a script preloaded. */
  async function runAfter(script: string, ...args: readonly string[]) {
    const preload = join(folder, "preload.cjs");
    await writeFile(preload, script);
    return spawnSync(process.execPath, ["--require", preload, join(folder, "one", "preflight"), ...args], {
      encoding: "utf8",
    });
  }

  test("is reproducible byte for byte", async () => {
    const names = await readdir(join(folder, "one"));
    assert.deepEqual(names, await readdir(join(folder, "two")));
    assert.deepEqual(names, ["licenses.txt", "meta.json", "package.json", "preflight", "preflight.map"]);
    for (const name of names)
      assert.ok((await readFile(join(folder, "one", name))).equals(await readFile(join(folder, "two", name))), name);
  });

  test("contains no path from the build machine", async () => {
    for (const name of ["preflight", "preflight.map", "meta.json"]) {
      const text = await readFile(join(folder, "one", name), "utf8");
      for (const path of [ROOT, folder]) assert.ok(!text.includes(path), `${name} holds ${path}`);
    }
    const { sources }: { readonly sources: readonly string[] } = JSON.parse(
      await readFile(join(folder, "one", "preflight.map"), "utf8"),
    );
    assert.deepEqual(
      sources.filter((source) => !/^(?:\.\.\/(?:src|schemas|node_modules|package\.json)|deferred:)/.test(source)),
      [],
    );
  });

  test("produces one executable file of bounded size", async () => {
    const { mode, size } = await stat(join(folder, "one", "preflight"));
    assert.equal(mode & 0o777, 0o755);
    assert.ok(size < MAX_BYTES, `${size} bytes`);
  });

  test("evaluates the protocol of assistants for their command only", async () => {
    type Inputs = Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>;
    const { inputs }: { readonly inputs: Inputs } = JSON.parse(
      await readFile(join(folder, "one", "meta.json"), "utf8"),
    );
    const importers = (path: RegExp): readonly string[] =>
      Object.entries(inputs).flatMap(([file, { imports }]) =>
        imports.filter((one) => path.test(one.path)).map(({ kind }) => `${file} ${kind}`),
      );
    const sdk = importers(/^node_modules\/(?:@modelcontextprotocol|zod)\//).filter((one) => one.startsWith("src/"));
    assert.deepEqual([...new Set(sdk)], ["src/cli/commands/mcp/server.ts import-statement"]);
    assert.deepEqual(importers(/^src\/cli\/commands\/mcp\/server\.ts$/), [
      "src/cli/commands/mcp/run.ts import-statement",
    ]);
    assert.deepEqual(importers(/^src\/cli\/commands\/mcp\/run\.ts$/), ["src/cli/commands/index.ts dynamic-import"]);
  });

  test("tells the launcher in what process each command runs", async () => {
    const text = await readFile(join(folder, "one", "preflight"), "utf8");
    for (const kind of ["supervised", "short"]) {
      const names = COMMANDS.filter((command) => command.process === kind).map(({ name }) => name);
      assert.ok(names.length > 3 && text.includes(JSON.stringify(names)), `${kind}: ${names.join(", ")}`);
    }
  });

  test("lists the licence of every bundled package", async () => {
    const text = await readFile(join(folder, "one", "licenses.txt"), "utf8");
    for (const section of text.split(/^== /m).slice(1)) {
      const [title = "", ...lines] = section.split("\n");
      assert.match(title, /^\S+ \d+\.\d+\.\d+\S* \(.+\)$/);
      assert.ok(lines.join("").length > 200, `${title} has no licence text`);
    }
    assert.match(text, /^== @kubernetes\/client-node /m);
  });

  for (const version of ["10.24.1", "20.20.2", "22.18.0"]) {
    test(`reports in one line that Node ${version} is too old`, async () => {
      const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
      const { status, stdout, stderr } = await runAfter(pretend, "--version");
      assert.equal(status, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /^preflight: needs Node 22\.19 or newer, and this is Node [\d.]+: .*\n$/);
    });
  }

  /** Runs the executable on a Node that is too old, with another one in node_modules above it. */
  async function runOnOldNode(prepare: (node: string) => Promise<void>, ...args: readonly string[]) {
    const bin = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "node"), `#!/bin/sh\necho "$@"\nexit 3\n`, { mode: 0o755 });
    await prepare(join(bin, "node"));
    const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;
    const result = await runAfter(pretend, ...args);
    await rm(join(folder, "node_modules"), { recursive: true });
    return result;
  }

  test("starts the Node that is installed with it if its own is too old", async () => {
    const { status, stdout } = await runOnOldNode(async () => {}, "check", "--nope");
    assert.equal(status, 3);
    assert.equal(
      stdout,
      `--max-semi-space-size=4 --max-old-space-size=192 ${join(folder, "one", "preflight")} check --nope\n`,
    );
  });

  const noRoot = process.getuid?.() === 0 ? false : "only root can give a file to another user";
  test("starts no Node that another user has put there", { skip: noRoot }, async () => {
    const { status, stdout } = await runOnOldNode((node) => chown(node, 12345, 12345), "list");
    assert.equal(status, 1);
    assert.equal(stdout, "");
  });

  test("starts Node with flags by which it can use its own compiled code", async () => {
    const [, start = ""] = (await readFile(join(folder, "one", "preflight"), "utf8")).split("\n");
    const flags = /exec node (.*) "\$0"/.exec(start)?.[1]?.split(" ") ?? [];
    assert.ok(flags.length > 0);
    const usage = `require("internal/test/binding").internalBinding("builtins").getCacheUsage()`;
    const print = `require("tls"); process.stdout.write(JSON.stringify([...${usage}.compiledWithoutCache]))`;
    const { stdout } = spawnSync(process.execPath, [...flags, "--expose-internals", "-e", print], { encoding: "utf8" });
    assert.deepEqual(JSON.parse(stdout), []);
  });

  test("threads share one arena of malloc, in every process, unless a person has set another number", async () => {
    const print = join(folder, "print-arenas.cjs");
    await writeFile(print, `process.stderr.write("arenas " + process.env.MALLOC_ARENA_MAX + "\\n");`);
    const PATH = `${join(process.execPath, "..")}:${process.env["PATH"]}`;
    const listArenas = (command: string, words: readonly string[], env: NodeJS.ProcessEnv) => {
      const { MALLOC_ARENA_MAX: _, ...rest } = process.env;
      const own = { ...rest, PATH, NODE_OPTIONS: `--require=${print}`, ...env };
      const { stderr } = spawnSync(command, words, { encoding: "utf8", env: own });
      return [...stderr.matchAll(/^arenas (\S+)$/gm)].map(([, count]) => count);
    };
    const executable = join(folder, "one", "preflight");
    const check = ["check", "--recorded", "demo", "--target", join(ROOT, "demo", "release")];
    assert.deepEqual(listArenas(executable, check, {}), ["1", "1"]);
    assert.deepEqual(listArenas(executable, check, { MALLOC_ARENA_MAX: "8" }), ["8", "8"]);
    // Started by Node itself: the process that waits for the other one has what it was given.
    assert.deepEqual(listArenas(process.execPath, [executable, ...check], {}), ["undefined", "1"]);
    assert.deepEqual(listArenas(process.execPath, [executable, "controller", "--nope"], {}), ["undefined", "1"]);
  });

  /** Of Node's modules, those that take long to load; a process needs `net` for an output that is a pipe. */
  const SLOW = ["assert", "child_process", "crypto", "fs/promises", "http", "https", "module", "perf_hooks", "tls"];
  const CRD = join(ROOT, "demo", "release", "0000_50_storage_01_backupplans.crd.yaml");
  const LOADS: readonly (readonly [words: readonly string[], loads: readonly string[]])[] = [
    [["--version"], []],
    [["list", "--help"], []],
    [["list"], []],
    [["explain", "CrdSkewUnknown"], []],
    [["completion", "bash"], []],
    [["crds", "--from", CRD, "--to", CRD], []],
    [
      ["checks", "lint", join(ROOT, "examples", "checks", "node-labels")],
      ["crypto", "fs/promises"],
    ],
  ];
  for (const [words, expected] of sampleEach(LOADS, 3))
    test(`loads of Node what ${words[0]} uses and nothing else`, async () => {
      const report = `process.on("exit", () => process.stderr.write(JSON.stringify(process.moduleLoadList)));`;
      const { status, stderr } = await runAfter(report, ...words);
      assert.equal(status, 0, stderr);
      const loaded: readonly string[] = JSON.parse(stderr.slice(stderr.lastIndexOf("[")));
      assert.deepEqual(
        SLOW.filter((name) => loaded.includes(`NativeModule ${name}`)),
        expected,
      );
    });
});
