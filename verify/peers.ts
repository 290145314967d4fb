/** Compares what `preflight manifests` and programs like it find in manifests with planted faults: `npm run peers -- --help`. */
import { join } from "node:path";
import { textAt } from "../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "./api-server/admin-api.ts";
import { CRDS, NAMESPACES } from "./api-server/api-path.ts";
import { noControlPlane, startKubernetes } from "./api-server/control-plane.ts";
import { type PeerScore, describe, score } from "./peers/comparison.ts";
import { readObjects } from "./peers/data.ts";
import { compareFolder } from "./peers/folders.ts";
import { makeObjects } from "./peers/make-objects.ts";
import { type PeerColumn, formatScores, writeScores } from "./peers/page.ts";
import {
  type PeerInputs,
  type PeerProgram,
  PROGRAMS,
  VERSION_TABLES,
  buildProgram,
  findAtBest,
  runProgram,
} from "./peers/programs.ts";
import { writeSchemas } from "./peers/schemas.ts";
import { askServer, readKinds } from "./peers/server.ts";
import { type MadeFile, arrange, formatObject, writeDocuments, writeFiles } from "./peers/write-files.ts";
import { createRandom } from "./schema/random/random.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { withTemporaryFolder } from "./shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..");
const OWN_NAMESPACES = ["shop", "team-a"];

const { values } = requireFlags({
  command: "npm run peers --",
  about: "Plants faults in manifests, and counts what preflight and its peers find of them.",
  flags: {
    seed: COMMON.seed,
    write: { ...COMMON.write, help: "write the table into docs/design/peers.md" },
    objects: { type: "string", default: "500", help: "how many objects are made" },
    programs: { type: "string", default: join(ROOT, "dist/peers"), help: "a folder for the programs, which Go builds" },
    minor: { type: "string", default: "36", help: "of Kubernetes 1, up to 36" },
    folder: { type: "string", multiple: true, default: [], help: "compare the manifests of a folder instead" },
    keep: { type: "string", help: "a folder for the manifests, which stays" },
  },
});

/** The CRDs and namespaces of the cluster that the manifests are for. */
async function prepare(api: AdminApi): Promise<void> {
  const namespaces = OWN_NAMESPACES.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
  for (const namespace of namespaces) await api.call("POST", NAMESPACES, namespace);
  for (const crd of readObjects("definitions.yaml")) {
    const { code, body } = await api.call("POST", CRDS, crd);
    if (code !== 201) throw new Error(`definitions.yaml: ${textAt(body, "message")}`);
  }
}

/** Where the API server doesn't say what was planted, the generator is wrong. */
async function findFaultsOfFiles(api: AdminApi, files: readonly MadeFile[]): Promise<readonly string[]> {
  const kinds = await readKinds(api);
  const faults: string[] = [];
  for (const made of files.flatMap(({ objects }) => objects)) {
    const { fate, reason } = await askServer(api, kinds, made);
    const wanted = made.planted?.truth ?? "accepted";
    if (fate !== wanted) faults.push(`${describe(made)}: the API server: ${fate} ${reason}`);
  }
  return faults;
}

function compare(inputs: PeerInputs, files: readonly MadeFile[]): readonly PeerColumn[] {
  const columns = PROGRAMS.flatMap((program) => {
    const file = buildProgram(program, values.programs);
    if (file === undefined) console.error(`${program.name} is skipped: it could not be built`);
    return file === undefined ? [] : [runOne(program, file, inputs, files)];
  });
  return [...columns, { name: VERSION_TABLES, asks: ["version"], score: score(files, findAtBest(files)) }];
}

function runOne(program: PeerProgram, file: string, inputs: PeerInputs, files: readonly MadeFile[]): PeerColumn {
  const { findings, ...time } = runProgram(program, file, inputs, files);
  return { name: program.name, asks: program.asks, score: score(files, findings), time };
}

function tell(name: string, { missed, wrong }: PeerScore): void {
  for (const one of missed) console.error(`${name} misses ${one}`);
  for (const one of wrong) console.error(`${name} is wrong about ${one}`);
}

async function runAll(folder: string): Promise<number> {
  const minor = Number(values.minor);
  const random = createRandom(Number(values.seed));
  const objects = makeObjects(random, Number(values.objects));
  const files = arrange(objects, random);
  const inputs = {
    manifests: values.keep ?? join(folder, "manifests"),
    documents: join(folder, "documents"),
    definitions: join(folder, "definitions"),
    schemas: join(folder, "schemas"),
    minor,
  };
  writeFiles(inputs.manifests, files);
  writeDocuments(inputs.documents, files);
  const crds = readObjects("definitions.yaml").map((object) => ({ object }));
  writeFiles(inputs.definitions, [{ name: "crds.yaml", text: crds.map(formatObject).join("---\n") }]);
  const groups = crds.map(({ object }) => textAt(object, "spec", "group") ?? "");
  const faults = await withServer(async (api) => {
    await prepare(api);
    await writeSchemas(api, groups, inputs.schemas);
    return findFaultsOfFiles(api, files);
  });
  for (const fault of faults) console.error(`wrong in the table of faults: ${fault}`);
  if (faults.length > 0) return 1;
  const columns = compare(inputs, files);
  const [own, ...peers] = columns;
  if (own !== undefined) tell(own.name, own.score);
  for (const { name, score: one } of peers) for (const wrong of one.wrong) console.error(`${name} is wrong: ${wrong}`);
  console.log(formatScores(columns));
  const input = { seed: Number(values.seed), objects: objects.length, files: files.length, minor };
  if (values.write) writeScores(columns, input);
  return own === undefined || own.score.missed.length + own.score.wrong.length > 0 ? 1 : 0;
}

async function withServer<T>(use: (api: AdminApi) => Promise<T>): Promise<T> {
  const plane = await startKubernetes("--emulate", `1.${values.minor}`);
  const api = await connectAdminApi(plane);
  try {
    return await use(api);
  } finally {
    api.close();
    await plane.discard();
  }
}

async function runFolders(): Promise<number> {
  let found = 0;
  for (const folder of values.folder) {
    const { both, wrong, missed, ...counts } = await withServer((api) =>
      compareFolder(api, folder, Number(values.minor)),
    );
    for (const one of both) console.log(`both: ${one}`);
    for (const one of wrong) console.log(`only preflight: ${one}`);
    for (const one of missed) console.log(`only the API server: ${one}`);
    const summary = { ...counts, both: both.length, wrong: wrong.length, missed: missed.length };
    console.log(`${folder}: ${JSON.stringify(summary)}`);
    found += wrong.length;
  }
  return found > 0 ? 1 : 0;
}

if (noControlPlane !== false) endWithout(`npm run peers: ${noControlPlane}`);
process.exitCode = values.folder.length > 0 ? await runFolders() : await withTemporaryFolder("peers", runAll);
