import type { Crd } from "../../model/crd.ts";
import { getGroup } from "../../model/resource.ts";
import { findNearestName } from "../../model/text.ts";

/** Who has a CRD: the target's own come first, then those of the files that are judged, then those of the cluster beside it. */
export type CrdCatalog = {
  readonly find: (apiVersion: string, kind: string) => CatalogCrd | undefined;
  readonly findNearestKind: (kind: string) => string | undefined;
};

/** `where`: "the target's CRD". */
export type CatalogCrd = { readonly crd: Crd; readonly where: string };

export function createCrdCatalog(
  target: readonly Crd[],
  files: readonly Crd[],
  cluster: readonly Crd[] = [],
): CrdCatalog {
  const byKind = new Map<string, CatalogCrd>();
  const add = (crds: readonly Crd[], where: string): void => {
    for (const crd of crds) {
      const key = `${crd.group}/${crd.kind}`;
      if (!byKind.has(key)) byKind.set(key, { crd, where });
    }
  };
  add(target, "the target's CRD");
  add(files, "the CRD in these files");
  add(cluster, "the cluster's CRD");
  const kinds = [...target, ...files, ...cluster].map(({ kind }) => kind);
  return {
    find: (apiVersion, kind) => byKind.get(`${getGroup(apiVersion)}/${kind}`),
    findNearestKind: (kind) =>
      findNearestName(
        kind,
        kinds.filter((one) => one !== kind),
        MAX_TYPOS,
      ),
  };
}

const MAX_TYPOS = 3;
