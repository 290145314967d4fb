import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type JsonObject, isList, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
import { EXECUTABLE } from "../shared/preflight.ts";
import { QUESTIONS, type Question } from "./data.ts";
import { type MadeFile, toDocuments } from "./write-files.ts";

/** What a program finds fault with: an object of a file, or the file where it doesn't say which. */
export type PeerFinding = { readonly file: string; readonly name?: string };

/** Where a run has put things. */
export type PeerInputs = {
  readonly manifests: string;
  /** The same without lists: their items are documents. */
  readonly documents: string;
  /** The CRDs that are in the cluster. */
  readonly definitions: string;
  /** What writeSchemas wrote. */
  readonly schemas: string;
  readonly minor: number;
};

export type PeerProgram = {
  readonly name: string;
  /** What it looks at by its design. */
  readonly asks: readonly Question[];
  /** Of a program in Go: what builds it. */
  readonly module?: string;
  readonly buildArguments: (inputs: PeerInputs) => readonly string[];
  readonly parse: (out: string, files: readonly MadeFile[]) => readonly PeerFinding[];
};

/** The time of all its threads, in seconds. */
export type PeerRun = { readonly findings: readonly PeerFinding[]; readonly cpu: number; readonly wall: number };

const PREFLIGHT: PeerProgram = {
  name: "preflight",
  asks: QUESTIONS,
  buildArguments: ({ manifests, definitions, minor }) => [
    "manifests",
    manifests,
    "--to",
    `v1.${minor}`,
    "--crds",
    definitions,
    "-o",
    "json",
  ],
  parse: (out) =>
    // What is unknown lets no pipeline pass, as a missing schema is an error of its peers.
    ["findings", "unknowns"]
      .flatMap((list) => objectsAt(parseObject(out), list))
      .map((finding) => ({
        file: basename(textAt(finding, "place", "file") ?? ""),
        name: textAt(finding, "object", "name") ?? "",
      })),
};

const KUBECONFORM: PeerProgram = {
  name: "kubeconform",
  module: "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
  asks: ["version", "kind", "schema", "text"],
  buildArguments: ({ manifests, schemas }) => [
    "-strict",
    "-output",
    "json",
    "-schema-location",
    `${schemas}/json/{{.Group}}/{{.ResourceKind}}-{{.ResourceAPIVersion}}.json`,
    manifests,
  ],
  parse: (out) =>
    objectsAt(parseObject(out), "resources").flatMap((resource) => {
      const name = textAt(resource, "name") ?? "";
      const file = basename(textAt(resource, "filename") ?? "");
      const isWrong = ["statusInvalid", "statusError"].includes(textAt(resource, "status") ?? "");
      return isWrong ? [{ file, ...(name === "" ? {} : { name }) }] : [];
    }),
};

const KUBECTL_VALIDATE: PeerProgram = {
  name: "kubectl-validate",
  module: "sigs.k8s.io/kubectl-validate@v0.0.4",
  asks: ["version", "kind", "schema", "keys", "rule", "text", "name", "definition"],
  // It takes a list for an object of a kind that it doesn't know.
  buildArguments: ({ documents, definitions, schemas }) => [
    "--local-schemas",
    `${schemas}/openapi`,
    "--local-crds",
    definitions,
    "-o",
    "json",
    documents,
  ],
  parse: (out, files) => {
    const report = parseObject(out.slice(out.indexOf("{")));
    return files.flatMap(({ name: file, objects }) => {
      const [, answers = []] =
        Object.entries(report ?? {}).find(([path]) => basename(path) === toDocuments(file)) ?? [];
      const statuses = isList(answers) ? objectsAt({ answers }, "answers") : [];
      return statuses.flatMap((status, i) => {
        if (status["status"] === "Success") return [];
        const name = statuses.length === objects.length ? nameOf(objects[i]?.object) : undefined;
        return [{ file, ...(name === undefined ? {} : { name }) }];
      });
    });
  },
};

export const PROGRAMS: readonly PeerProgram[] = [PREFLIGHT, KUBECONFORM, KUBECTL_VALIDATE];

function nameOf(object: JsonObject | undefined): string | undefined {
  return object && (textAt(object, "metadata", "name") ?? "");
}

/** The program's file, built if need be by "go install" into a folder; undefined if it can't be had. */
export function buildProgram({ name, module }: PeerProgram, folder: string): string | undefined {
  if (module === undefined) return EXECUTABLE;
  const file = join(folder, name);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder, GOWORK: "off", CGO_ENABLED: "0" };
  spawnSync("go", ["install", module], { env, stdio: ["ignore", "ignore", "inherit"] });
  return existsSync(file) ? file : undefined;
}

/** Runs it once over all files. It may end with any code, since findings are most often a failure. */
export function runProgram(
  program: PeerProgram,
  file: string,
  inputs: PeerInputs,
  files: readonly MadeFile[],
): PeerRun {
  const times = join(inputs.schemas, `${program.name}.time`);
  const command = ["-f", "%e %U %S", "-o", times, file, ...program.buildArguments(inputs)];
  const { stdout, stderr } = spawnSync("/usr/bin/time", command, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const [wall = NaN, user = NaN, system = NaN] = (readFileSync(times, "utf8").trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  if (!stdout.includes("{")) throw new Error(`${program.name} printed nothing: ${stderr.slice(0, 500)}`);
  return { findings: program.parse(stdout, files), cpu: user + system, wall };
}

/** Programs that know tables of versions, and can't be built here: they find no more than this. */
export const VERSION_TABLES = "pluto or kubent, at best";

/** The versions of Kubernetes' own kinds that are gone, as if a table had each of them. */
export function findAtBest(files: readonly MadeFile[]): readonly PeerFinding[] {
  return files.flatMap(({ name: file, objects }) =>
    objects
      .filter(({ planted, object }) => planted?.asks === "version" && !getGroup(object).endsWith(".example.com"))
      .map(({ object }) => ({ file, name: nameOf(object) ?? "" })),
  );
}

function getGroup(object: JsonObject): string {
  return (textAt(object, "apiVersion") ?? "").replace(/\/.*/, "");
}
