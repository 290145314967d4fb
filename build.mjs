// Bundles the executable: HELP says how. The same sources give the same bytes, wherever they are built.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { embedProgram, ESCAPED_END, PLACE } from "./tools/embedding.ts";
import { listPackageFolders } from "./tools/package-folders.ts";

const HELP = `Usage: node build.mjs [OUTPUT_FOLDER]

Bundles the sources into the executable OUTPUT_FOLDER/preflight (by default dist/preflight), with its source map, the licences of the
packages in it, and meta.json, which says what it consists of. Existing files are replaced.
`;
const LIMIT_BYTES = 2_850_000;
const folder = readFolder(process.argv.slice(2));
// Loading these takes a second, which arguments need not wait for.
const { DEFINITIONS } = await import("./src/checks/definitions.ts");
const { TEXTS } = await import("./src/checks/shared/texts.ts");
const { EMBEDDED_LIST } = await import("./src/checks/known-bugs/bug-data.ts");
const { COMMANDS } = await import("./src/cli/commands/index.ts");
const url = readFileSync("PROJECT_URL", "utf8").trim();
const { name, version, engines } = JSON.parse(readFileSync("package.json", "utf8"));

/** Ends the process for --help and for what is no folder. */
function readFolder(args) {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const unexpected = args.find((arg, i) => arg.startsWith("-") || i > 0);
  if (unexpected === undefined) return args[0] ?? "dist";
  process.stderr.write(`build: unexpected argument ${unexpected}: node build.mjs [OUTPUT_FOLDER]\n`);
  process.exit(2);
}

/**
 * V8 sized on purpose: by itself the young generation grows to 128 MiB, far more than reading objects one by one needs. It takes these at
 * its start only: the first line, for a shell, gives them (JavaScript takes it for a string and a comment), so do the Dockerfile and the
 * single executables; started otherwise, the launcher sees to it.
 */
const V8_FLAGS = JSON.parse(readFileSync("tools/v8-flags.json", "utf8"));

/**
 * What runs before anything else, on whatever Node there is: so it is ES5, and the bundle behind it, the launcher, is lowered to syntax
 * that Node 10 can parse, since a syntax error would come before the first statement. A Node that is too old starts the one that is
 * installed with the bundle: the packages node-OS-ARCH, in node_modules beside or above it, if its owner is the bundle's.
 * Node opens /dev/null where stdout is closed, and a result would be lost without a word: the shell opens it for reading only, so that the
 * first write fails.
 */
function prologue() {
  const [major, minor] = engines.node.replace(/^>=/, "").split(".").map(Number);
  return `#!/bin/sh
":" //; true 2>/dev/null 3>&1 || exec 1</dev/null; export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-1}"; exec node ${V8_FLAGS.join(" ")} "$0" "$@"
"use strict";
var tooOld = (function (node, flags) {
  var found = node.split("."), major = Number(found[0]), minor = Number(found[1]);
  if (major > ${major} || (major === ${major} && minor >= ${minor})) return false;
  var fs = require("fs"), path = require("path"), folder = __dirname, installed;
  for (;;) {
    installed = path.join(folder, "node_modules", "node-" + process.platform + "-" + process.arch, "bin", "node");
    if (fs.existsSync(installed) && fs.statSync(installed).uid === fs.statSync(__filename).uid && fs.realpathSync(installed) !== fs.realpathSync(process.execPath)) break;
    if (path.dirname(folder) === folder) {
      process.stderr.write("preflight: needs Node ${major}.${minor} or newer, and this is Node " + node + ": run it with a newer one\\n");
      process.exit(1);
    }
    folder = path.dirname(folder);
  }
  var child = require("child_process").spawn(installed, flags.concat(process.argv.slice(1)), { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (name) { process.on(name, function () { child.kill(name); }); });
  child.on("error", function (error) { process.stderr.write("preflight: " + error.message + "\\n"); process.exitCode = 1; });
  child.on("exit", function (code, signal) { process.exitCode = signal ? 128 + require("os").constants.signals[signal] : code; });
  return true;
})(process.versions.node, ${JSON.stringify(V8_FLAGS)});
if (tooOld) return;`;
}

const GONE = "function () { throw new Error('left out of the bundle'); }";
/**
 * Half of the bundle would be code that never runs, yet is parsed at every start: of client-node we use KubeConfig and its authentication
 * alone, never its typed clients and the HTTP library behind them. Whoever imports more of it gets an error from the build.
 */
const LEFT_OUT = [
  [/client-node\/dist\/index\.js$/, 'export { KubeConfig } from "./config.js";'],
  [
    /client-node\/dist\/gen\/index\.js$/,
    `export const createConfiguration = ${GONE}, ServerConfiguration = createConfiguration;`,
  ],
  // Two copies, for yargs to lay out a help that is never shown: they compile expressions of all emojis at every start.
  [/node_modules\/string-width\/index\.js$/, "export default (text) => text.length;"],
  // Preflight completes words by itself.
  [/node_modules\/yargs\/build\/lib\/completion\.js$/, "export const completion = () => ({ setParsed() {} });"],
  // Validates answers to questions that the MCP server never asks; 150 KB.
  [
    /@modelcontextprotocol\/server\/dist\/ajvProvider-[^/]+\.mjs$/,
    `export const n = ${GONE}, r = ${GONE}, t = ${GONE};`,
  ],
  // Its own metrics of the process, which nobody collects, come with the API of OpenTelemetry.
  [
    /prom-client\/index\.js$/,
    `exports.Counter = require("./lib/counter"); exports.Gauge = require("./lib/gauge");
exports.Histogram = require("./lib/histogram"); exports.Registry = require("./lib/registry");`,
  ],
  // Ajv resolves addresses of schemas by it; ours refer to their own definitions only.
  [
    /node_modules\/fast-uri\/index\.js$/,
    `module.exports = { parse: (uri) => ({ uri, fragment: uri.split("#")[1] }), serialize: ({ uri }) => uri,
  resolve: (base, uri) => (uri.startsWith("#") ? base.replace(/#.*/, "") + uri : uri) };`,
  ],
  [/node_modules\/undici\/index\.js$/, `export const Agent = ${GONE}, ProxyAgent = Agent;`],
];

/** The strings of JSON, those of keys with their colon. */
const STRINGS = /"(?:[^"\\]|\\.)*":?/g;

/** The source of a value in which each long text stands once: many risks have the same page. */
function exportData(name, value) {
  const json = JSON.stringify(value);
  const groups = Map.groupBy(json.match(STRINGS), (text) => text);
  const isRepeated = (text) => text.length > 20 && !text.endsWith(":") && groups.get(text).length > 1;
  const names = new Map([...groups.keys()].filter(isRepeated).map((text, i) => [text, `text${i}`]));
  const declarations = [...names].map(([text, own]) => `const ${own} = ${text};`);
  const code = json.replace(STRINGS, (text) => names.get(text) ?? text);
  return [...declarations, `export const ${name} = ${code};`].join("\n");
}

/** Data that are files beside the source code are in the bundle as the values that they decode to. */
const DATA = [
  [/checks\/definitions\.ts$/, exportData("DEFINITIONS", DEFINITIONS)],
  [/checks\/shared\/texts\.ts$/, `${exportData("TEXTS", TEXTS)}\nexport const judgeTexts = () => {};`],
  [/known-bugs\/bug-data\.ts$/, exportData("EMBEDDED_LIST", EMBEDDED_LIST)],
];

/** A schema without what only people and editors read. */
function loadSchema({ path }) {
  const isProse = (key, value) => ["title", "description"].includes(key) && typeof value === "string";
  const schema = JSON.parse(readFileSync(path, "utf8"), (key, value) => (isProse(key, value) ? undefined : value));
  return { contents: JSON.stringify(schema), loader: "json" };
}

/** What Node has not loaded by itself when a program starts. */
const SLOW_MODULES =
  /^(?:node:)?(?:assert|child_process|crypto|dns|fs\/promises|https?|module|net|perf_hooks|stream(?:\/promises)?|timers\/promises|tls|tty|zlib)$/;

/** What yargs takes at its load: to assert what holds, and to load configurations by itself, which it never does here. */
const OF_YARGS = {
  assert: "exports.strictEqual = exports.notStrictEqual = () => {};",
  module: "exports.createRequire = () => {};",
};

/** A module of Node that is loaded once something of it is used: loading all that are imported takes longer than most commands do. */
function deferModule({ path }) {
  const load = `(_, key) => (loaded ??= require(${JSON.stringify(path)}))[key]`;
  const deferred = `let loaded; module.exports = Object.create(new Proxy({}, { get: ${load} }));`;
  return { contents: OF_YARGS[path] ?? deferred };
}

const replaced = {
  name: "replaced",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: SLOW_MODULES }, ({ path, kind }) =>
      kind === "import-statement" ? { path: path.replace("node:", ""), namespace: "deferred" } : undefined,
    );
    onLoad({ filter: /./, namespace: "deferred" }, deferModule);
    onLoad({ filter: /schemas\/[\w-]+\.schema\.json$/ }, loadSchema);
    for (const [filter, contents] of [...LEFT_OUT, ...DATA]) onLoad({ filter }, () => ({ contents }));
  },
};

/** The licence texts of every package whose code is in the bundle. */
function licences({ outputs }) {
  const packages = listPackageFolders(Object.keys(outputs["dist/preflight"].inputs));
  if (packages.length === 0)
    throw new Error("build: esbuild names no package in the bundle, so licenses.txt would be empty");
  return packages.map(licence).join("\n");
}

function licence(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const texts = readdirSync(path)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .toSorted();
  if (texts.length === 0) throw new Error(`build: ${name} ${version} has no licence text`);
  return [
    `== ${name} ${version} (${license})`,
    "",
    ...texts.map((file) => readFileSync(join(path, file), "utf8")),
  ].join("\n");
}

/** Never leaves half a file to a test or a build that runs at the same time. */
function write(file, contents, mode = 0o644) {
  const path = join(folder, file);
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, contents);
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}

/** A CommonJS file: what stands behind a dynamic import() is then evaluated at its first use, its `node:*` modules included. */
async function bundle(options) {
  const { outputFiles, metafile } = await build({
    outfile: "dist/preflight",
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "cjs",
    legalComments: "none",
    logLevel: "warning",
    ...options,
  }).catch(() => process.exit(1)); // esbuild has said why
  const read = (suffix) => outputFiles.find(({ path }) => path.endsWith(suffix))?.text;
  return { text: read("preflight"), map: read("preflight.map"), metafile };
}

/** The lines of the program in the file. */
function moveMap(map, lines) {
  const parsed = JSON.parse(map);
  return JSON.stringify({ ...parsed, mappings: ";".repeat(lines) + parsed.mappings });
}

const program = await bundle({
  entryPoints: ["src/cli/main.ts"],
  sourcemap: "external",
  sourcesContent: false,
  target: `node${engines.node.replace(/^>=/, "")}`,
  banner: { js: 'var __importMetaUrl = require("url").pathToFileURL(__filename).href;' },
  define: {
    PREFLIGHT_VERSION: JSON.stringify(version),
    PREFLIGHT_URL: JSON.stringify(url),
    "import.meta.url": "__importMetaUrl",
  },
  plugins: [replaced],
});
const namesOf = (kind) => COMMANDS.filter((command) => command.process === kind).map(({ name }) => name);
const launcher = await bundle({
  entryPoints: ["src/cli/launcher/main.ts"],
  target: "node10.4",
  banner: { js: prologue() },
  define: {
    PREFLIGHT_VERSION: JSON.stringify(version),
    PREFLIGHT_COMMANDS: JSON.stringify({ supervised: namesOf("supervised"), short: namesOf("short") }),
    PREFLIGHT_PROGRAM_ID: JSON.stringify(createHash("sha256").update(program.text).digest("hex").slice(0, 16)),
    PREFLIGHT_PROGRAM_PLACE: JSON.stringify(PLACE),
    PREFLIGHT_ESCAPED_END: JSON.stringify(ESCAPED_END),
    PREFLIGHT_V8_FLAGS: JSON.stringify(V8_FLAGS),
  },
});
const { text, linesBefore } = embedProgram(launcher.text, program.text);
const executable = Buffer.from(text);
if (executable.length > LIMIT_BYTES) {
  process.stderr.write(
    `build: dist/preflight has ${executable.length} bytes, more than ${LIMIT_BYTES}: dist/meta.json says what is in it\n`,
  );
  process.exitCode = 1;
}
mkdirSync(folder, { recursive: true });
write("package.json", `${JSON.stringify({ name, version, type: "commonjs" })}\n`);
write("licenses.txt", licences(program.metafile));
write("meta.json", JSON.stringify(program.metafile));
write("preflight.map", moveMap(program.map, linesBefore));
write("preflight", executable, 0o755);
