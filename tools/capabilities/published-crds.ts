import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseEnums } from "../../src/checks/capability-enums/check.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { isObject, textAt } from "../../src/model/json.ts";
import { getMinorOrdinal, type MinorVersion, parseMinor } from "../../src/model/version.ts";
import { run } from "../../verify/shared/run.ts";

/** What the ClusterVersion CRD of a minor accepts in a feature set ("" is Default). */
export type PublishedCapabilities = {
  readonly minor: MinorVersion;
  readonly featureSet: string;
  readonly known: readonly string[];
  readonly sets: readonly string[];
};

type CrdText = { readonly minor: MinorVersion; readonly file: string; readonly text: string };

const CRD_FILE = /clusterversions?(?:-\w+)?\.crd\.yaml$/;

/** Of a clone of openshift/api with its release branches, or of a folder with the CRDs of each minor in a folder X.Y. */
export async function readPublishedCapabilities(folder: string): Promise<readonly PublishedCapabilities[]> {
  const minors = listFolders(folder);
  const texts = minors.length > 0 ? minors.flatMap((minor) => readFolder(folder, minor)) : await readBranches(folder);
  return texts.toSorted((a, b) => getMinorOrdinal(a.minor) - getMinorOrdinal(b.minor)).flatMap(parseText);
}

function listFolders(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => parseMinor(name) !== undefined);
}

function readFolder(folder: string, name: string): readonly CrdText[] {
  const minor = parseMinor(name);
  if (minor === undefined) return [];
  return readdirSync(join(folder, name))
    .filter((file) => CRD_FILE.test(file))
    .map((file) => ({ minor, file: `${name}/${file}`, text: readFileSync(join(folder, name, file), "utf8") }));
}

async function readBranches(folder: string): Promise<readonly CrdText[]> {
  const format = ["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes"];
  const refs = (await run("git", format, folder)).split("\n");
  const texts: CrdText[] = [];
  for (const ref of refs) {
    const minor = parseMinor(/(?:^|\/)release-(\d+\.\d+)$/.exec(ref)?.[1] ?? "");
    if (minor === undefined) continue;
    const files = (await run("git", ["ls-tree", "-r", "--name-only", ref, "config/v1"], folder)).split("\n");
    for (const file of files.filter((path) => CRD_FILE.test(path)))
      texts.push({ minor, file: `${ref}:${file}`, text: await run("git", ["show", `${ref}:${file}`], folder) });
  }
  return texts;
}

/** Before 4.11, the CRD lists no capabilities. */
function parseText({ minor, file, text }: CrdText): readonly PublishedCapabilities[] {
  const parsed = parseDocuments(text);
  const [manifest] = parsed.kind === "documents" ? parsed.documents : [];
  const crd = isObject(manifest) ? parseCrd(manifest) : undefined;
  const enums = crd === undefined ? undefined : parseEnums(crd);
  if (enums === undefined) throw new Error(`${file} is no ClusterVersion CRD with a schema of v1`);
  const sets = textAt(manifest, "metadata", "annotations", "release.openshift.io/feature-set")?.split(",") ?? [""];
  return sets.map((set) => ({
    minor,
    featureSet: set === "Default" ? "" : set,
    known: enums.known ?? [],
    sets: enums.baseline ?? [],
  }));
}
