import { dirname, join } from "node:path/posix";
import { COMPUTED, type Source, importsOf } from "./imports.ts";

/** Which folders of src/ a folder may import besides itself: the arrows of the architecture. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  checks: ["model", "schema"],
  schema: ["model"],
  release: ["model"],
  format: ["model", "schemas"],
  insight: ["model"],
  lift: ["model"],
  publish: ["model"],
  runner: ["model"],
  cluster: ["model"],
  controller: ["model", "insight", "lift", "cluster"],
  cli: ["model", "checks", "schema", "release", "format", "lift", "publish", "runner", "cluster", "controller"],
};

/** Which folders may import a package. One that isn't listed may be imported nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@kubernetes/client-node": ["cluster"],
  "@marcbachmann/cel-js": ["schema"],
  ajv: ["format"],
  "js-yaml": ["checks", "cli", "cluster", "controller", "release"],
  "p-limit": ["runner"],
  "prom-client": ["cli"],
  re2js: ["checks", "schema"],
  socks: ["cluster"],
  yargs: ["cli"],
  "node:": ["cli", "cluster", "controller", "publish", "release"],
};

/** Every import that breaks an arrow, as a sentence. */
export function brokenArrows(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      const fault = faultOf(path, specifier);
      return fault === undefined ? [] : [`${path} imports ${specifier}: ${fault}`];
    }),
  );
}

function faultOf(path: string, specifier: string): string | undefined {
  if (specifier === COMPUTED) return "nobody can tell what a computed import is";
  return specifier.startsWith(".") ? folderFault(path, join(dirname(path), specifier)) : packageFault(path, specifier);
}

function folderFault(path: string, imported: string): string | undefined {
  const [from, to] = [folderOf(path), folderOf(imported)];
  if (from === to) return siblingFault(path, imported);
  const allowed = ARROWS[from] ?? [];
  return allowed.includes(to) ? undefined : `${from} may import ${said(allowed)}`;
}

/** Checks don't know each other; only their list knows them all. */
function siblingFault(path: string, imported: string): string | undefined {
  const [check, other] = [checkOf(path), checkOf(imported)];
  return check === undefined || check === other ? undefined : "a check imports no other check, nor their list";
}

/** "dual-stack" of src/checks/dual-stack/check.ts. */
function checkOf(path: string): string | undefined {
  return /^src\/checks\/([^/]+)\//.exec(path)?.[1];
}

function packageFault(path: string, specifier: string): string | undefined {
  const allowed = PACKAGES[packageOf(specifier)];
  if (allowed === undefined) return "no folder may import this package";
  return allowed.includes(folderOf(path)) ? undefined : `only ${said(allowed)} may`;
}

/** "src" itself is no folder with arrows; what lies outside it goes by its own name. */
function folderOf(path: string): string {
  const [top = "", folder = ""] = path.split("/");
  return top === "src" ? folder : top;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return "node:";
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function said(folders: readonly string[]): string {
  return folders.length === 0 ? "nothing" : folders.join(", ");
}
