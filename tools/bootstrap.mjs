// Runs an npm script on the project's own Node, after installing what is missing. `node tools/bootstrap.mjs SCRIPT [ARGS]`
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { dirname, join, resolve as resolvePath } from "node:path";
import { fileURLToPath } from "node:url";
import { findNode, install, say } from "./set-up.mjs";

const EXECUTABLE = "dist/preflight";
const CODE = ["build.mjs", "src", "test", "tools", "verify"];
const DEMO = ["check", "--recorded", "demo", "--target", "demo/release", "--fail-on", "never"];
const NODE_TEST = [
  "--disable-warning=ExperimentalWarning",
  "--test",
  "--test-timeout=600000",
  `--test-concurrency=${availableParallelism() + 1}`,
];
/** What holds a check's folder, one after the other, since UPDATE=1 rewrites the cases; they need no executable. */
const CHECK_TESTS = ["cases", "registry", "recordings", "fixes", "undecided"].map(
  (name) => `test/checks/${name}.test.ts`,
);
const COVERAGE = [
  "--experimental-test-coverage",
  "--test-coverage-include=src/**",
  "--test-coverage-exclude=src/**/cases/**",
];

/** The commands of each script, as arguments for Node. */
const SCRIPTS = {
  start: (args) => [["build.mjs"], [EXECUTABLE, ...(args.length > 0 ? args : DEMO)]],
  release: (args) => [["tools/release/release.ts", ...args]],
  "release:bases": (args) => [["tools/release/renew-bases.ts", ...args]],
  "release:try": () => [["verify/release/try.ts"]],
  bench: (args) => [["build.mjs"], ["verify/bench.ts", ...args]],
  reliability: (args) => [["build.mjs"], ["verify/reliability.ts", ...args]],
  pairs: (args) => [["verify/pairs.ts", ...args]],
  peers: (args) => [["build.mjs"], ["verify/peers.ts", ...args]],
  fleet: (args) => [["build.mjs"], ["verify/fleet.ts", ...args]],
  churn: (args) => [["build.mjs"], ["verify/churn.ts", ...args]],
  outages: (args) => [["build.mjs"], ["verify/outages.ts", ...args]],
  day: (args) => [["verify/day.ts", ...args]],
  soak: (args) => [["build.mjs"], ["verify/soak.ts", ...args]],
  play: (args) => [["build.mjs"], ["verify/play.ts", ...args]],
  differential: (args) => [["verify/differential.ts", ...args]],
  mutants: (args) => [["verify/mutants.ts", ...args]],
  kit: (args) => [["verify/kit.ts", ...args]],
  readers: (args) => [["verify/readers.ts", ...args]],
  fuzz: (args) => [["verify/fuzz.ts", ...args]],
  build: (args) => [["build.mjs", ...args]],
  test: (args) =>
    args.includes("--check")
      ? [[...NODE_TEST.slice(0, -1), "--test-concurrency=1", ...CHECK_TESTS]]
      : [...buildUnlessBuilt(), ["verify/tests/run.ts", ...args]],
  coverage: (args) => [["build.mjs"], [...NODE_TEST, ...COVERAGE, ...tests(args)]],
  typecheck: (args) => [tool("typescript", "tsc", ...args)],
  lint: () => [
    tool("oxlint", "oxlint", "--type-aware", ...CODE),
    tool("oxfmt", "oxfmt", "--check", ...CODE),
    tool("knip", "knip"),
  ],
  format: () => [tool("oxfmt", "oxfmt", "--write", ...CODE)],
  generate: () => [["build.mjs"], ["tools/generate.ts"]],
  pictures: (args) => [["tools/pictures.ts", ...args]],
  "new-check": (args) => [["tools/new-check.ts", ...args]],
  "generate:check": () => [...buildUnlessBuilt(), ["tools/generate.ts", "--check"]],
  "known-bugs:compare": (args) => [["tools/compare-known-bugs.ts", ...args]],
  "known-bugs:update": (args) => [["tools/update-known-bugs.ts", ...args]],
  "known-bugs:ended": (args) => [["tools/list-ended-bugs.ts", ...args]],
  "capabilities:update": (args) => [["tools/update-capabilities.ts", ...args]],
};
const CHECK = ["typecheck", "lint", "test", "generate:check"];

/** What the executable is built from, and what builds it. */
const SOURCES = [
  "build.mjs",
  "PROJECT_URL",
  "package.json",
  "package-lock.json",
  "schemas",
  "src",
  "tools/embedding.ts",
  "tools/v8-flags.json",
];

/** Builds once for all that run beside each other: not again while nothing that goes into the executable is newer than it. */
function buildUnlessBuilt() {
  const built = statSync(EXECUTABLE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((path) => findNewest(path) < built) ? [] : [["build.mjs"]];
}

/** A folder changes when something in it goes. */
function findNewest(path) {
  const { mtimeMs } = statSync(path);
  return isFolder(path) ? Math.max(mtimeMs, ...readdirSync(path).map((name) => findNewest(join(path, name)))) : mtimeMs;
}

/** Finds a package's command without node_modules/.bin, which npm does not create with every configuration. */
function tool(name, command, ...args) {
  const { bin } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return [join("node_modules", name, typeof bin === "string" ? bin : bin[command]), ...args];
}

/** Replaces folders by the tests in them; keeps files, patterns and flags. */
function tests(args) {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const places = args.filter((arg) => !arg.startsWith("-"));
  return [
    ...flags,
    ...(places.length > 0 ? places : ["test"]).map((place) => (isFolder(place) ? join(place, "**/*.test.ts") : place)),
  ];
}

/** Why `npm test -- --check ID` is wrong, in one line; undefined for other arguments and for the id of a check. */
function refuseCheck(args) {
  const [flag, id, ...more] = args;
  if (!args.includes("--check")) return undefined;
  if (flag !== "--check" || id === undefined || more.length > 0)
    return "name one id and nothing else: npm test -- --check ID";
  const files = /^[a-z0-9-]+$/.test(id)
    ? ["check.ts", "check.yaml"].map((file) => join("src", "checks", id, file))
    : [];
  if (files.some((file) => existsSync(file))) return undefined;
  return `no check has the id ${id}: src/checks has a folder for each`;
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Paths in `npm start -- check --target DIR` are relative to the caller's folder. */
function folderOf([file], args) {
  return file === EXECUTABLE && args.length > 0 ? process.env.INIT_CWD : undefined;
}

/** Runs one command with this process's streams and signals; resolves with its exit code. */
function run(node, [file, ...args], cwd) {
  return new Promise((resolve) => {
    const path = file.startsWith("-") ? file : resolvePath(file);
    const child = spawn(node, [path, ...args], { stdio: "inherit", cwd });
    const forward = (signal) => child.kill(signal);
    // A terminal sends SIGINT to the whole process group, so the child receives it anyway.
    const interrupt = process.stdin.isTTY ? () => {} : forward;
    process.on("SIGINT", interrupt).on("SIGTERM", forward).on("SIGHUP", forward);
    child.on("error", (error) => {
      say(error.message);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      process.off("SIGINT", interrupt).off("SIGTERM", forward).off("SIGHUP", forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Stops at the first command that fails. */
async function runScript(node, script, args) {
  for (const command of SCRIPTS[script](args)) {
    const code = await run(node, command, folderOf(command, args));
    if (code !== 0) return code;
  }
  return 0;
}

/** Runs everything that CI checks, and continues after failures. */
async function runCheck(node) {
  const failed = [];
  for (const script of CHECK) {
    const begun = performance.now();
    const code = await runScript(node, script, []);
    if (code !== 0) failed.push(script);
    say(
      `${script} ${code === 0 ? "passed" : `FAILED (exit code ${code})`} after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );
  }
  if (failed.length > 0) say(`failed: ${failed.join(", ")}`);
  return failed.length > 0 ? 1 : 0;
}

async function main([script, ...args]) {
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  if (script !== "check" && !Object.hasOwn(SCRIPTS, script ?? "")) {
    say(`unknown script: ${script ?? ""} (check, ${Object.keys(SCRIPTS).join(", ")})`);
    return 2;
  }
  const refused = script === "test" ? refuseCheck(args) : undefined;
  if (refused !== undefined) {
    say(refused);
    return 2;
  }
  if (!install()) return 1;
  const node = findNode();
  if (!node) return 1;
  if (args[0] === "--check") process.env.PREFLIGHT_CHECK = args[1];
  // Go programs that end soon: their collector takes a fifth of their CPU time, and saves little memory.
  if (["typecheck", "lint"].includes(script)) process.env.GOGC ??= "off";
  // A process of tests compiles what it imports.
  if (script === "test") process.env.NODE_COMPILE_CACHE ??= resolvePath("node_modules/.cache/node");
  return script === "check" ? runCheck(node) : runScript(node, script, args);
}

process.exitCode = await main(process.argv.slice(2));
