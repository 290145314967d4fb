import { type LoadedDefinition, loadChecks } from "../../../data-checks/load.ts";
import { WORKLOADS, listRefusals } from "../../../data-checks/run/limits.ts";
import { parseDocuments, toYaml } from "../../../encoding/yaml.ts";
import { readTextFile } from "../../../files/named-file.ts";
import { CHECKS_ANNOTATION, listOwnedKinds } from "../../../model/cluster-service-version.ts";
import { FailedError, failWith } from "../../../model/errors.ts";
import { type JsonObject, isObject, textAt } from "../../../model/json.ts";
import { getDataDigest } from "../../../encoding/check-config-map.ts";
import { listCheckTexts } from "../../../release/payload/check-texts.ts";
import { listTakenNames } from "../../checks/risk-names.ts";
import type { Io } from "../../io/io.ts";
import { printErrors } from "./check-texts.ts";
import type { AnnotateChecksValues } from "./definition.ts";

/** Far above the megabyte that the API server accepts of a ConfigMap. */
const MAX_BYTES = 8 << 20;

/** Only of checks that can be loaded: a digest of others would have to be made again. */
export async function run({ files }: AnnotateChecksValues, io: Io): Promise<0> {
  const manifests = (await Promise.all(files.map(readManifests))).flat();
  const configMaps = manifests.filter(hasChecks);
  if (configMaps.length === 0) throw new FailedError(`${files.join(", ")}: no ConfigMap with data`);
  if (configMaps.some((one) => getName(one) === "")) throw new FailedError("a ConfigMap has no name");
  const texts = configMaps.flatMap((one) => listCheckTexts(one, `ConfigMap ${getName(one)}`));
  const shared = texts.map((text) => ({ ...text, isShared: true }));
  const { faults, definitions } = await loadChecks(shared, { kind: "site" }, listTakenNames());
  if (printErrors(faults, io))
    throw new FailedError("correct these checks first: the digest follows from what they are");
  for (const csv of manifests.filter(({ kind }) => kind === "ClusterServiceVersion"))
    for (const line of listForeignReads(csv, definitions)) io.err(`warning: ${line}\n`);
  const entries = configMaps.map((one) => `${getName(one)}@${getDataDigest(one)}`);
  io.out(toYaml({ [CHECKS_ANNOTATION]: entries.join(",") }));
  return 0;
}

function getName(configMap: JsonObject): string {
  return textAt(configMap, "metadata", "name") ?? "";
}

/** What the operator does not own, so that no cluster lets its checks read it. */
function listForeignReads(csv: JsonObject, definitions: readonly LoadedDefinition[]): readonly string[] {
  const scope = { kinds: [...listOwnedKinds(csv), ...WORKLOADS], namespaces: [] };
  return definitions.flatMap(({ file, definition }) => {
    const reads = Object.entries(definition.spec.reads ?? {}).map(([key, read]) => ({ key, definition: read }));
    return listRefusals(reads, scope, "openshift").map(({ message }) => `${file}: ${message}`);
  });
}

async function readManifests(file: string): Promise<readonly JsonObject[]> {
  const parsed = parseDocuments(await readTextFile(file, MAX_BYTES).catch(failWith(`${file} can't be read`)));
  if (parsed.kind === "invalid") throw new FailedError(`${file} is not valid YAML: ${parsed.message}`);
  return parsed.documents.filter(isObject);
}

/** Other manifests are passed over. */
function hasChecks({ apiVersion, kind, data }: JsonObject): boolean {
  return apiVersion === "v1" && kind === "ConfigMap" && isObject(data) && Object.keys(data).length > 0;
}
