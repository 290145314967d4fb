import { dirname, join } from "node:path/posix";
import { COMPUTED, type SourceFile, parseImports } from "../../verify/shared/imports.ts";

/** Which folders of src/ a folder may import, apart from itself: the arrows of the architecture. */
const ALLOWED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  checks: ["model", "schema", "encoding", "data-checks", "schemas"],
  "data-checks": ["model", "schema", "encoding", "schemas"],
  schema: ["model"],
  manifests: ["model", "schema", "encoding", "files", "data-checks", "schemas"],
  encoding: ["model"],
  files: ["model"],
  "release/payload": ["model", "encoding", "files"],
  format: ["model", "encoding", "schemas"],
  "controller/insight": ["model"],
  lift: ["model", "conformance"],
  publish: ["model", "files"],
  runner: ["model"],
  "release/graph": ["model"],
  network: ["model"],
  cases: ["model", "encoding", "release/payload", "runner", "cluster"],
  "release/image": ["model", "encoding", "files", "network"],
  cluster: ["model", "encoding", "files", "network"],
  controller: ["model", "encoding", "controller/insight", "lift", "cluster"],
  cli: [
    "model",
    "checks",
    "cases",
    "data-checks",
    "schema",
    "encoding",
    "release/payload",
    "release/image",
    "release/graph",
    "files",
    "format",
    "lift",
    "manifests",
    "publish",
    "runner",
    "network",
    "cluster",
    "controller",
    "schemas",
  ],
};

/** What `schema` takes from the rest of src/: with these files it stands alone. */
export const SCHEMA_KNOWS = ["src/model/crd.ts", "src/model/errors.ts", "src/model/json.ts", "src/model/version.ts"];

/** Which folders may import a package. One that isn't listed may be imported nowhere. */
const ALLOWED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@kubernetes/client-node": ["cluster"],
  "@modelcontextprotocol/server": ["cli"],
  ajv: ["format", "data-checks"],
  diff: ["cli"],
  "js-yaml": ["encoding"],
  "p-limit": ["runner"],
  "prom-client": ["cli"],
  re2js: ["checks", "schema"],
  "modern-tar": ["encoding"],
  socks: ["network"],
  yargs: ["cli"],
  "node:": [
    "cli",
    "cluster",
    "controller",
    "encoding",
    "files",
    "manifests",
    "network",
    "publish",
    "release/payload",
    "release/image",
    "cases",
  ],
};

/** Paths that only the listed importers may import: code that can write to a cluster, and the parts of `cluster`. */
const RESTRICTED_PATHS: readonly RestrictedPath[] = [
  { path: "src/cluster/access/send.ts", importers: ["src/cluster/access/request.ts"] },
  { path: "src/cluster/access/request.ts", importers: ["src/cluster/access/", "src/cluster/writer/"] },
  { path: "src/cluster/writer/", importers: ["src/cluster/writer/", "src/controller/", "src/cli/client/"] },
  {
    path: "src/cli/client/api-client.ts",
    importers: ["src/cli/client/cluster-client.ts", "src/cli/client/service.ts"],
  },
  { path: "src/cli/client/service.ts", importers: commands("controller") },
  {
    path: "src/cli/client/cluster-client.ts",
    importers: ["src/cli/client/", ...commands("request")],
  },
  {
    path: "src/encoding/data-folder.ts",
    importers: ["src/checks/definitions.ts", "src/checks/known-bugs/bug-data.ts", "src/checks/shared/texts.ts"],
  },
  { path: "src/cluster/live/", importers: ["src/cluster/live/", "src/cli/"] },
  { path: "src/cluster/recorded/", importers: ["src/cluster/recorded/", "src/cli/", "src/cases/"] },
  { path: "src/cluster/must-gather/", importers: ["src/cluster/must-gather/", "src/cli/"] },
];

type RestrictedPath = { readonly path: string; readonly importers: readonly string[] };

function commands(...names: readonly string[]): readonly string[] {
  return names.map((name) => `src/cli/commands/${name}/`);
}

/** Every import that breaks an arrow, as a sentence. */
export function findForbiddenImports(sources: readonly SourceFile[]): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    parseImports(text).flatMap((specifier) => {
      const fault = findFault(path, specifier);
      return fault === undefined ? [] : [`${path} imports ${specifier}: ${fault}`];
    }),
  );
}

/** What proves the product may know it; what builds and generates may know both. Only tests know `test`. */
const ALLOWED_TOP_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  // What is shipped is a part of the product, though a tool makes it: the alerts, and the files of a release with their flags of V8.
  verify: ["src/", "schemas/", "verify/", "tools/alerts/", "tools/release/", "tools/v8-flags.json"],
  tools: ["src/", "schemas/", "conformance/", "verify/", "tools/"],
};

/** Every import of `verify` and `tools` that leaves the folders that they may know, as a sentence. */
export function findForbiddenToolImports(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const [top = ""] = path.split("/");
    const allowed = ALLOWED_TOP_FOLDERS[top] ?? [];
    return parseImports(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => join(dirname(path), specifier))
      .flatMap((imported) => {
        const isAllowed = !imported.includes("/") || allowed.some((folder) => imported.startsWith(folder));
        const fault = isAllowed ? findEntryFault(path, imported) : `${top} may import ${allowed.join(", ")}`;
        return fault === undefined ? [] : [`${path} imports ${imported}: ${fault}`];
      });
  });
}

function findFault(path: string, specifier: string): string | undefined {
  if (specifier === COMPUTED) return "nobody can tell what a computed import is";
  return specifier.startsWith(".")
    ? findFolderFault(path, join(dirname(path), specifier))
    : findPackageFault(path, specifier);
}

function findFolderFault(path: string, imported: string): string | undefined {
  const from = getFolder(path);
  const to = getFolder(imported);
  const restriction = findRestriction(path, imported) ?? findEntryFault(path, imported);
  if (restriction !== undefined) return restriction;
  if (from === to) return findRoomFault(path, imported) ?? findSiblingFault(path, imported);
  const allowed = ALLOWED_FOLDERS[from] ?? [];
  if (!allowed.includes(to)) return `${from} may import ${formatFolders(allowed)}`;
  return from === "schema" && !SCHEMA_KNOWS.includes(imported)
    ? `${from} may import ${formatFolders(SCHEMA_KNOWS)}`
    : undefined;
}

function findRestriction(path: string, imported: string): string | undefined {
  const broken = RESTRICTED_PATHS.find(
    (one) => imported.startsWith(one.path) && !one.importers.some((importer) => path.startsWith(importer)),
  );
  return broken && `only ${broken.importers.join(", ")} may import ${broken.path}`;
}

/** What several checks or commands share. */
const SHARED = ["src/checks/shared/", "src/cli/commands/plan/", "src/cli/commands/definitions.ts"];

/** Neither checks nor commands import each other, only what they share; only their lists import all of them. */
function findSiblingFault(path: string, imported: string): string | undefined {
  // A command without a folder is a file of its name, and those that begin with it.
  const own = /^src\/(?:(?:checks|cli\/commands)\/[^/]+\/|cli\/commands\/(?!index)[a-z]+)/.exec(path)?.[0];
  if (own === undefined || imported.startsWith(own) || !imported.startsWith(`${dirname(own)}/`)) return undefined;
  return SHARED.some((one) => imported.startsWith(one))
    ? undefined
    : "a check or a command imports no other one, nor their list";
}

/** The rooms of a folder, from the top: what stands in one imports nothing of those above it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/cli/": [
    "main.ts",
    "command-line",
    "commands",
    "session",
    "target-release",
    "client",
    "checks",
    "settings",
    "launcher",
    "io",
    "process",
  ],
  "src/runner/": [
    "plan-cycles.ts",
    "cycle.ts",
    "isolation.ts",
    "report",
    "judge",
    "gather",
    "plan",
    "updates",
    "facts",
  ],
  "src/format/": [
    "index.ts",
    "comparison",
    "crds.ts",
    "fleet",
    "manifests",
    "plan",
    "targets",
    "programs",
    "result",
    "view",
    "document",
    "text",
  ],
  "src/schema/": ["crd", "cel", "openapi"],
  "src/schema/crd/": ["index.ts", "definition", "writes", "objects", "rules"],
  "src/schema/cel/": ["index.ts", "expression.ts", "cost", "library", "runtime", "check", "syntax", "types", "values"],
  "src/schema/openapi/": [
    "index.ts",
    "validation.ts",
    "structure.ts",
    "equality.ts",
    "numbers.ts",
    "field-errors.ts",
    "object-meta.ts",
    "formats.ts",
    "structural-schema.ts",
    "schema-props.ts",
    "report.ts",
    "addresses.ts",
    "pattern-work.ts",
    "pattern-inclusion.ts",
    "pattern-alphabet.ts",
    "pattern-program.ts",
    "go-pattern.ts",
    "server-features.ts",
  ],
  "src/data-checks/": [
    "load.ts",
    "found-risks.ts",
    "build-check.ts",
    "run",
    "compile",
    "kinds",
    "format",
    "functions",
    "sentences.ts",
  ],
};

function findRoomFault(path: string, imported: string): string | undefined {
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    if (!path.startsWith(folder) || !imported.startsWith(folder)) continue;
    const room = getRoom(imported, folder);
    if (rooms.indexOf(getRoom(path, folder)) > rooms.indexOf(room)) return `it is below ${room}`;
  }
  return undefined;
}

function getRoom(path: string, folder: string): string {
  return path.slice(folder.length).split("/", 1)[0] ?? "";
}

/** The files of a folder with rooms that stand in none. */
export function findHomeless(paths: readonly string[]): readonly string[] {
  return paths.filter((path) =>
    Object.entries(ROOMS).some(([folder, rooms]) => path.startsWith(folder) && !rooms.includes(getRoom(path, folder))),
  );
}

/** What is imported by its entry alone: it could be a package of its own. */
const LIBRARIES = ["src/schema/crd/", "src/schema/cel/", "src/schema/openapi/"];
/** What makes input for the parts of a library, and compares them, may know the parts. */
const KNOWS_PARTS = ["verify/schema/", "verify/fuzz/targets/"];

function findEntryFault(path: string, imported: string): string | undefined {
  const library = LIBRARIES.find((folder) => imported.startsWith(folder));
  if (library === undefined || imported === `${library}index.ts`) return undefined;
  return [library, ...KNOWS_PARTS].some((folder) => path.startsWith(folder))
    ? undefined
    : `others import ${library}index.ts alone`;
}

function findPackageFault(path: string, specifier: string): string | undefined {
  const allowed = ALLOWED_PACKAGES[getPackage(specifier)];
  if (allowed === undefined) return "no folder may import this package";
  return allowed.includes(getFolder(path)) ? undefined : `only ${formatFolders(allowed)} may`;
}

/** "src" itself is not a layer, nor is a folder whose parts are listed; anything outside it uses its own name. */
function getFolder(path: string): string {
  const [top = "", folder = "", part = ""] = path.split("/");
  if (top !== "src") return top;
  const room = `${folder}/${part}`;
  return Object.hasOwn(ALLOWED_FOLDERS, room) ? room : folder;
}

function getPackage(specifier: string): string {
  if (specifier.startsWith("node:")) return "node:";
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function formatFolders(folders: readonly string[]): string {
  return folders.length === 0 ? "nothing" : folders.join(", ");
}
