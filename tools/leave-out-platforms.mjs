// Leaves out the platforms whose packages the registry lacks: `node tools/leave-out-platforms.mjs`, then `npm install`.
//
// npm silently drops such a package from the lockfile, and `npm ci` then refuses that lockfile everywhere; an entry without the
// integrity that nobody here can compute would install whatever has the name. So an override puts in its place the package of a platform
// that npm installs nowhere else.
import { readFileSync, writeFileSync } from "node:fs";

const PROJECT = "package.json";
const NOWHERE = "@esbuild/aix-ppc64";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const project = JSON.parse(readFileSync(PROJECT, "utf8"));
const alias = `npm:${NOWHERE}@${packages[`node_modules/${NOWHERE}`].version}`;

/** The packages of other platforms that a package names and the lockfile lacks. */
function listMissing([path, { optionalDependencies = {} }]) {
  return Object.keys(optionalDependencies).filter(
    (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
  );
}

const known = Object.keys(project.overrides ?? {});
const names = [...new Set([...known, ...Object.entries(packages).flatMap(listMissing)])].toSorted();
project.overrides = Object.fromEntries(names.map((name) => [name, alias]));
writeFileSync(PROJECT, `${JSON.stringify(project, null, 2)}\n`);
process.stdout.write(`${names.length - known.length} packages left out in ${PROJECT}\n`);
