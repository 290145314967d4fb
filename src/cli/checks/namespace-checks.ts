import { type SourceText, buildSettledCheck, buildSourceId } from "../../data-checks/load.ts";
import type { ReadScope } from "../../data-checks/run/limits.ts";
import type { Check } from "../../model/check.ts";
import { describeSource } from "../../model/check-origin.ts";
import { isOwnable } from "../../model/cluster-service-version.ts";
import type { CustomKind } from "../../model/custom-kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Absence, ListSummary, ReadFailure } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import { CHECKS_LABEL, parseCheckTexts } from "../../release/payload/check-texts.ts";
import { readCustomKinds } from "./custom-kinds.ts";
import type { TrustedNamespace } from "./trusted-namespaces.ts";
import {
  type LoadVendorTexts,
  type ReadGrants,
  type VendorCluster,
  buildUnreadText,
  listVendorKinds,
  loadVendor,
  settleChecks,
} from "./vendor-checks.ts";

const WORDS = {
  id: "ns-checks",
  title: "The checks of trusted namespaces can run",
  many: "namespaces",
  one: "namespace",
};

/** The checks in the ConfigMaps of these namespaces, of which one without any is told. CRDs are read only if there are any. */
export async function findNamespaceChecks(
  cluster: VendorCluster,
  trusted: readonly TrustedNamespace[],
  grants: ReadGrants,
  load: LoadVendorTexts,
): Promise<readonly Check[]> {
  const read = await Promise.all(trusted.map(async (one) => ({ ...one, texts: await readTexts(one, cluster) })));
  const found = read.filter(({ texts }) => texts.length > 0);
  const bare = read.filter(({ texts }) => texts.length === 0).map(buildBare);
  if (found.length === 0) return bare;
  const { found: kinds, unknowns } = await readCustomKinds(cluster.reader, cluster.signal);
  const loaded = await Promise.all(
    found.map(({ texts, ...one }) => {
      const granted = grants.get(`ns/${one.namespace}`);
      const scope = buildScope(one, kinds, granted, cluster.release);
      return loadVendor(texts, { kind: "namespace", ...one }, scope, load);
    }),
  );
  return settleChecks([...loaded.flat(), ...bare], unknowns, WORDS);
}

function buildBare({ namespace, selector }: TrustedNamespace): Check {
  const source = { kind: "namespace", namespace, selector } as const;
  const reason = `No ConfigMap of namespace ${namespace} has the labels ${listLabels({ namespace, selector })}.`;
  const title = `The checks of ${describeSource(source)} can run`;
  return buildSettledCheck(buildSourceId("checks", source), title, { notApplicable: reason });
}

function listLabels({ selector }: TrustedNamespace): string {
  return [CHECKS_LABEL, ...(selector === undefined ? [] : [selector])].join(",");
}

function buildScope(
  { namespace }: TrustedNamespace,
  kinds: readonly CustomKind[],
  granted: readonly string[] | undefined,
  release: VendorCluster["release"],
): ReadScope {
  const owned = kinds.filter((kind) => kind.namespace === namespace && isOwnable(kind.name)).map(({ name }) => name);
  return {
    kinds: listVendorKinds(owned, granted, release),
    namespaces: [namespace],
    owner: describeSource({ kind: "namespace", namespace }),
  };
}

const CONFIG_MAPS = parseResource("v1/configmaps");
const NAMESPACES = parseResource("v1/namespaces");

async function readTexts(
  { namespace, selector }: TrustedNamespace,
  { reader, signal }: VendorCluster,
): Promise<readonly SourceText[]> {
  const labelSelector = listLabels({ namespace, selector });
  let maps = createMapBuffer();
  const begin = (): ((object: JsonObject) => void) => {
    maps = createMapBuffer();
    return maps.add;
  };
  const result = await (reader.listSelected?.(CONFIG_MAPS, { namespace, labelSelector }, begin, signal) ?? NOT_LISTED);
  const where = `the ConfigMaps of namespace ${namespace} with the labels ${labelSelector}`;
  if (result.kind === "listed") {
    const texts = [...maps.texts(), ...(maps.isFull() ? [buildExcess(where)] : [])];
    return texts.length === 0 ? findMissing(namespace, { reader, signal }) : texts;
  }
  if (result.kind === "failed") return [buildUnreadText({ reason: result.reason, where, message: result.message })];
  return [buildUnreadText({ reason: "NotServed", where, message: "the API server does not serve ConfigMaps" })];
}

/** Who may list everything sees an empty list in a namespace that does not exist, since its name is misspelt. */
async function findMissing(
  namespace: string,
  { reader, signal }: Pick<VendorCluster, "reader" | "signal">,
): Promise<readonly SourceText[]> {
  const found = await reader.get({ resource: NAMESPACES, name: namespace }, signal);
  if (found.kind !== "absent") return [];
  const message = "it does not exist: correct --checks-from";
  return [buildUnreadText({ reason: "NotFound", where: `namespace ${namespace}`, message })];
}

/** Far more than charts bring. Whoever may write ConfigMaps there decides how many there are. */
const MOST_MAPS = 64;
const MOST_CHARACTERS = 8 << 20;

function buildExcess(where: string): SourceText {
  const message = `they are more than ${MOST_MAPS}, or have more than ${MOST_CHARACTERS >> 20} MiB: the others' checks did not run`;
  return buildUnreadText({ reason: "TooManyObjects", where, message });
}

type MapBuffer = {
  readonly add: (map: JsonObject) => void;
  readonly texts: () => readonly SourceText[];
  readonly isFull: () => boolean;
};

/** Holds no more than fits. */
function createMapBuffer(): MapBuffer {
  const maps: JsonObject[] = [];
  let characters = 0;
  let isFull = false;
  return {
    add(map) {
      characters += JSON.stringify(map).length;
      isFull ||= maps.length === MOST_MAPS || characters > MOST_CHARACTERS;
      if (!isFull) maps.push(map);
    },
    texts: () => maps.flatMap((map) => parseCheckTexts(map) ?? []),
    isFull: () => isFull,
  };
}

const NOT_LISTED: ListSummary | Absence | ReadFailure = {
  kind: "failed",
  reason: "NotRecorded",
  message: "they can't be listed here",
};
