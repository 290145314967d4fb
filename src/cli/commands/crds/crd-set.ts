import { FailedError } from "../../../model/errors.ts";
import type { ClusterFacts } from "../../../model/release.ts";
import { type CrdDocument, type CrdVariants, selectCrdVariants } from "../../../release/payload/crd-variants.ts";
import { DEFAULT_PROFILE } from "../../../runner/facts/openshift-facts.ts";
import type { CrdsValues } from "./definition.ts";
import { type CrdInput, readCrdInput } from "../../target-release/crds.ts";
import { printSkipped } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";
import { type YamlNode, findChild, findOffset, getLine, getText, parseNodes } from "../../../encoding/yaml-nodes.ts";
import { readTextFile } from "../../../files/named-file.ts";
import type { FilePlace } from "../../../model/crd-changes.ts";

/** The CRDs of one side that are judged, and those that are not. */
export type CrdSet = CrdVariants & Pick<CrdInput, "locate"> & { readonly path: string };

/** Which variants are judged, and what of that somebody chose: nothing else is left out on purpose. */
export type VariantChoice = {
  readonly featureSet: string;
  readonly profile: string;
  readonly chosen: readonly ("featureSet" | "profile")[];
};

export function parseVariantChoice({ "feature-set": featureSet, profile }: CrdsValues): VariantChoice {
  return {
    featureSet: featureSet ?? "Default",
    profile: profile ?? DEFAULT_PROFILE,
    chosen: [
      ...(featureSet === undefined ? [] : (["featureSet"] as const)),
      ...(profile === undefined ? [] : (["profile"] as const)),
    ],
  };
}

export async function readCrdSet(
  flag: "from" | "to",
  { [flag]: path }: CrdsValues,
  facts: ClusterFacts,
  io: Io,
): Promise<CrdSet> {
  const input = await readCrdInput(path, { onlyCrds: true });
  if (input.kind === "failed")
    throw new FailedError(input.failure.message.replaceAll("--crds needs", `--${flag} needs`));
  printSkipped(input.warnings, io);
  const variants = selectCrdVariants({ ...input.payload, version: facts.version }, facts);
  return { ...variants, locate: input.locate, path };
}

/** The file and the manifest in it that was judged. */
function findDocument({ documents, locate }: CrdSet, crd: string): CrdDocument | undefined {
  const document = documents.get(crd);
  const file = document && locate(document.file);
  return document && file !== undefined ? { ...document, file } : undefined;
}

/** Finds lines of CRDs in their files. */
export type CrdPlaces = {
  /** The line of a field of a version's schema, or of the nearest field above it. */
  readonly findField: (crd: string, version: string | undefined, keys: readonly string[]) => FilePlace | undefined;
  /** The line of a path of the CRD itself, such as "spec.versions[0].schema.openAPIV3Schema.type". */
  readonly findPath: (crd: string, path: string) => FilePlace | undefined;
};

/** The CRDs of a file by their names, which variants share. */
type CrdFile = { readonly text: string; readonly nodes: ReadonlyMap<string, readonly YamlNode[]> };
type Located = { readonly file: string; readonly text: string; readonly node: YamlNode };

const MAX_BYTES = 16 << 20;

/** Reads the files again, of the CRDs that were judged. What can't be read has no lines; that it can't be read is told elsewhere. */
export async function readCrdPlaces(set: CrdSet): Promise<CrdPlaces> {
  const files = new Map<string, CrdFile>();
  const crds = new Map<string, Located>();
  for (const { name } of set.release.crds) {
    const document = findDocument(set, name);
    if (document === undefined) continue;
    const file = files.get(document.file) ?? (await readCrdFile(document.file));
    files.set(document.file, file);
    const node = file.nodes.get(name)?.[document.index];
    if (node) crds.set(name, { file: document.file, text: file.text, node });
  }
  const find = (crd: string, keys: (node: YamlNode) => readonly string[]): FilePlace | undefined => {
    const located = crds.get(crd);
    if (located === undefined) return undefined;
    const { file, text, node } = located;
    return { file, line: getLine(text, findOffset(node, keys(node))) };
  };
  return {
    findField: (crd, version, keys) => find(crd, (node) => [...findVersion(node, version), ...keys]),
    findPath: (crd, path) => find(crd, (node) => toKeys(node, path)),
  };
}

async function readCrdFile(path: string): Promise<CrdFile> {
  const text = await readTextFile(path, MAX_BYTES, { pipes: "refuse" }).catch(() => "");
  const crds = (parseNodes(text) ?? [])
    .flatMap(unpackList)
    .filter((node) => getText(node, "kind") === "CustomResourceDefinition");
  return { text, nodes: Map.groupBy(crds, (node) => getText(node, "metadata", "name") ?? "") };
}

/** "spec.versions[v1].schema" as keys. What a manifest does not have, its status, follows from its versions. */
function toKeys(crd: YamlNode, path: string): readonly string[] {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  if (keys[0] === "status") return ["spec", "versions"];
  if (keys[0] !== "spec" || keys[1] !== "versions" || /^\d*$/.test(keys[2] ?? "")) return keys;
  return [...findVersion(crd, keys[2]).slice(0, 3), ...keys.slice(3)];
}

function unpackList(node: YamlNode): readonly YamlNode[] {
  const items = findChild(node, "items")?.value;
  return items?.kind === "list" ? items.items : [node];
}

function findVersion(crd: YamlNode, version: string | undefined): readonly string[] {
  const spec = findChild(crd, "spec")?.value;
  const versions = spec && findChild(spec, "versions")?.value;
  const index = versions?.kind === "list" ? versions.items.findIndex((one) => getText(one, "name") === version) : -1;
  return index < 0 ? ["spec", "versions"] : ["spec", "versions", String(index), "schema", "openAPIV3Schema"];
}
