import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import schema from "../../../schemas/preflight-check-index-v1alpha1.schema.json" with { type: "json" };
import { formatFault } from "../../data-checks/format/fault.ts";
import { locateDocuments } from "../../data-checks/format/parse.ts";
import { createShapeJudge } from "../../data-checks/format/shape.ts";
import { toYaml } from "../../encoding/yaml.ts";
import { readTextFile } from "../../files/named-file.ts";
import { FailedError, UsageError, errorCode, failWith } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import { formatDidYouMean, joinNames } from "../../model/text.ts";
import { type Version, compareVersions, parseVersion } from "../../model/version.ts";
import { isInRegistry } from "./given-files.ts";

/** A version of a pack of checks. `source` and `signature` are seen from the index. */
export type IndexedPack = {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly source: string;
  readonly signature?: string;
  readonly requires?: { readonly preflight: string };
  readonly checks: readonly string[];
};

type CheckIndex = { readonly apiVersion: string; readonly kind: string; readonly packs: readonly IndexedPack[] };

const MAX_BYTES = 1 << 20;
const judgeIndex = createShapeJudge<CheckIndex>(schema);

/** Throws a FailedError for what is no index. */
export async function readIndex(file: string): Promise<readonly IndexedPack[]> {
  const text = await readTextFile(file, MAX_BYTES).catch(failWith(`the index ${file} can't be read`));
  const { documents, faults } = locateDocuments({ name: file, text }, MAX_BYTES);
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw new FailedError(faults[0] === undefined ? `${file} is not one YAML document` : formatFault(faults[0]));
  const shape = await judgeIndex(document.value);
  if (shape.kind === "sound") return shape.definition.packs;
  throw new FailedError(shape.faults.map((fault) => formatFault(document.locate(fault))).join("\n"));
}

/** With a pack more. A version that is there already always has the same checks. */
export async function formatIndexWith(file: string, pack: IndexedPack): Promise<string> {
  const packs = (await isAbsent(file)) ? [] : await readIndex(file);
  const isSame = ({ name, version }: IndexedPack): boolean => name === pack.name && version === pack.version;
  const earlier = packs.find(isSame);
  if (earlier !== undefined && earlier.digest !== pack.digest)
    throw new FailedError(
      `${file} has ${pack.name} ${pack.version} with other checks (${earlier.digest}): give these a later version`,
    );
  const all = [...packs.filter((one) => !isSame(one)), { ...earlier, ...pack }];
  const { apiVersion, kind } = { apiVersion: schema.properties.apiVersion.const, kind: schema.properties.kind.const };
  return toYaml({ apiVersion, kind, packs: all.toSorted(comparePacks) });
}

async function isAbsent(file: string): Promise<boolean> {
  return stat(file).then(
    () => false,
    (thrown: unknown) => errorCode(thrown) === "ENOENT",
  );
}

/** The latest version last. */
function comparePacks(a: IndexedPack, b: IndexedPack): number {
  return compareText(a.name, b.name) || compareVersions(requireVersion(a), requireVersion(b));
}

function requireVersion({ version }: IndexedPack): Version {
  const parsed = parseVersion(version);
  if (parsed === undefined) throw new Error(`${version} is not a version`);
  return parsed;
}

/** The pack that "NAME" or "NAME@VERSION" names: without a version, the latest that is no pre-release. Throws a UsageError if there is none. */
export function findPack(packs: readonly IndexedPack[], text: string): IndexedPack {
  const [name = "", version] = text.split("@");
  const named = packs.filter((pack) => pack.name === name).toSorted(comparePacks);
  const names = [...new Set(packs.map((pack) => pack.name))];
  if (named.length === 0)
    throw new UsageError(
      `the index has no pack ${name}${formatDidYouMean(name, names) || `: it has ${joinNames(names) || "none"}`}`,
    );
  const isWanted = (pack: IndexedPack): boolean =>
    version === undefined ? requireVersion(pack).pre.length === 0 : pack.version === version;
  const found = named.findLast(isWanted);
  if (found !== undefined) return found;
  const versions = named.map((pack) => pack.version);
  throw new UsageError(`the index has ${name} ${joinNames(versions)}: write ${name}@VERSION`);
}

/** Where a file that the index names is. */
export function resolveInIndex(index: string, path: string): string {
  return isAbsolute(path) || isInRegistry(path) ? path : join(dirname(index), path);
}

/** The same in the other direction. */
export function relateToIndex(index: string, path: string): string {
  return relative(dirname(index), path);
}
