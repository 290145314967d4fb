import type { SourceText } from "../../data-checks/load.ts";
import type { ReadScope } from "../../data-checks/run/limits.ts";
import type { CheckedOperator } from "../../model/cluster-service-version.ts";
import { EXTENSION_RESOURCE, findCheckedExtension, findExtension } from "../../model/cluster-extension.ts";
import { CRD_RESOURCE } from "../../model/custom-kind.ts";
import { collectObjects, readCustomKinds } from "./custom-kinds.ts";
import { CHECKS_ANNOTATION, CSV_RESOURCE, findCheckedOperator } from "../../model/cluster-service-version.ts";
import type { Check, Unknown } from "../../model/check.ts";
import type { Reader } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import { listCheckTexts } from "../../release/payload/check-texts.ts";
import { type NamedConfigMap, getDataDigest, parseChecksAnnotation } from "../../encoding/check-config-map.ts";
import {
  type LoadVendorTexts,
  type ReadGrants,
  type VendorCluster,
  buildUnreadText,
  listVendorKinds,
  loadVendor,
  settleChecks,
} from "./vendor-checks.ts";

/** The checks that the operators of a cluster bring, as far as they are what the operators' own bundles name. */
export async function findOperatorChecks(
  cluster: VendorCluster,
  grants: ReadGrants,
  load: LoadVendorTexts,
): Promise<readonly Check[]> {
  return loadBundles(await readBundles(cluster.reader, cluster.signal), cluster, grants, load);
}

const WORDS = {
  id: "olm-checks",
  title: "The checks that installed operators bring can run",
  many: "operators",
  one: "operator",
};

export async function loadBundles(
  { bundles, unknowns }: FoundBundles,
  { release, reader, signal }: VendorCluster,
  grants: ReadGrants,
  load: LoadVendorTexts,
): Promise<readonly Check[]> {
  const loaded = await Promise.all(
    bundles.map(async (bundle) => {
      const texts = await readTexts(bundle, reader, signal);
      const source = { kind: "operator", package: bundle.package, version: bundle.version } as const;
      return loadVendor(texts, source, buildScope(bundle, grants, release), load);
    }),
  );
  return settleChecks(loaded.flat(), unknowns, WORDS);
}

function buildScope(bundle: OperatorBundle, grants: ReadGrants, release: VendorCluster["release"]): ReadScope {
  const owned = bundle.operators.flatMap(({ kinds }) => kinds);
  return {
    kinds: listVendorKinds(owned, grants.get(`olm/${bundle.package}`), release),
    namespaces: [...new Set(bundle.operators.map(({ namespace }) => namespace))].toSorted(),
  };
}

/** The texts of every ConfigMap that the bundle names; one that is not what it names is unknown. */
async function readTexts(bundle: OperatorBundle, reader: Reader, signal: AbortSignal): Promise<readonly SourceText[]> {
  const places = listConfigMaps(bundle);
  if (places === undefined) return bundle.operators.map(buildNotUnderstood);
  const texts = await Promise.all(places.map((place) => readConfigMap(place, reader, signal)));
  // The same operator in another namespace brings the same.
  return [...new Map(texts.flat().map((text) => [`${text.digest ?? text.name}`, text])).values()];
}

function buildNotUnderstood({ annotated }: CheckedOperator): SourceText {
  const message = `the annotation ${CHECKS_ANNOTATION} is not NAME@sha256:DIGEST`;
  return buildUnreadText({ reason: "NotUnderstood", where: annotated, message });
}

const CONFIG_MAPS = parseResource("v1/configmaps");

async function readConfigMap(
  { namespace, name, digest }: PlacedConfigMap,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly SourceText[]> {
  const where = `ConfigMap ${namespace}/${name}`;
  const result = await reader.get({ resource: CONFIG_MAPS, namespace, name }, signal);
  if (result.kind === "failed") return [buildUnreadText({ reason: result.reason, where, message: result.message })];
  if (result.kind === "absent")
    return [buildUnreadText({ reason: "NotFound", where, message: "the operator's bundle names it, and it is gone" })];
  if (getDataDigest(result.object) === digest) return listCheckTexts(result.object, where);
  const message = "its data are not those of the operator's bundle, so its checks did not run";
  return [buildUnreadText({ reason: "DigestMismatch", where, message })];
}

/** What one annotation names: of one operator, or of the same one in several namespaces. */
export type OperatorBundle = {
  readonly package: string;
  readonly version: string;
  readonly annotation: string;
  readonly operators: readonly CheckedOperator[];
};

/** The bundles of a cluster, and why there may be more. None without OLM. */
type FoundBundles = { readonly bundles: readonly OperatorBundle[]; readonly unknowns: readonly Unknown[] };

/** What bundles are found by. */
export const BUNDLE_RESOURCES = [CSV_RESOURCE, EXTENSION_RESOURCE, CRD_RESOURCE];

export async function readBundles(reader: Reader, signal: AbortSignal): Promise<FoundBundles> {
  const [operators, extensions] = await Promise.all([
    collectObjects(CSV_RESOURCE, findCheckedOperator, reader, signal),
    collectObjects(EXTENSION_RESOURCE, findExtension, reader, signal),
  ]);
  const hasExtensions = extensions.found.length > 0;
  const kinds = hasExtensions ? await readCustomKinds(reader, signal) : { found: [], unknowns: [] };
  const checked = extensions.found.flatMap((one) => findCheckedExtension(one, kinds.found) ?? []);
  return {
    bundles: groupOperators([...operators.found, ...checked]),
    unknowns: [...operators.unknowns, ...extensions.unknowns, ...kinds.unknowns],
  };
}

/** The ConfigMaps that an annotation names, in the namespace of each operator; undefined if it is not as it must be. */
export function listConfigMaps({ annotation, operators }: OperatorBundle): readonly PlacedConfigMap[] | undefined {
  const named = parseChecksAnnotation(annotation);
  return named && operators.flatMap(({ namespace }) => named.map((one) => ({ ...one, namespace })));
}

export type PlacedConfigMap = NamedConfigMap & { readonly namespace: string };

/** The same operator may be installed in several namespaces: its checks are the same then, and see the workloads of all of them. */
function groupOperators(operators: readonly CheckedOperator[]): readonly OperatorBundle[] {
  const groups = Map.groupBy(operators, (one) => `${one.package} ${one.annotation}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
    if (first === undefined) return [];
    return [{ package: first.package, version: first.version, annotation: first.annotation, operators: group }];
  });
}
