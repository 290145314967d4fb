// Adds to package-lock.json the optional packages of other platforms that npm left out: `node tools/complete-lockfile.mjs`
//
// If a registry lacks the package of a platform, npm silently drops it from the lockfile, and `npm ci` then refuses that lockfile
// everywhere. The packages that need them name exact versions; without the package there is no integrity hash.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const SYSTEMS = new Set(["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "win32"]);
const PROCESSORS = new Set(["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"]);

/** The packages of other platforms that the lockfile lacks, as lockfile entries. */
function missing(packages, [path, { dev, optionalDependencies = {} }]) {
  return Object.entries(optionalDependencies)
    .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
    .map(([name, version]) => [`node_modules/${name}`, entry(name, version, dev)]);
}

/** "@oxlint/binding-linux-arm64-gnu" is for linux on arm64. The keys are in npm's own order, so that it leaves the file as it is. */
function entry(name, version, dev) {
  const words = name.split(/[/-]/);
  const [os, cpu] = [SYSTEMS, PROCESSORS].map((known) => words.find((word) => known.has(word)));
  if (!os || !cpu) throw new Error(`${name} has no platform in its name: install it from a registry that has it`);
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), optional: true, os: [os] };
}

function byName([a], [b]) {
  return a.localeCompare(b, "en");
}

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const added = Object.entries(lock.packages).flatMap((one) => missing(lock.packages, one));
lock.packages = Object.fromEntries([...Object.entries(lock.packages), ...added].toSorted(byName));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages added to ${FILE}\n`);
