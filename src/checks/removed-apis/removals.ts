import type { Context, Platform } from "../../model/check.ts";
import { type Api, formatApi, formatGroupVersion, isRemoved } from "./api.ts";
import { type ApiRow, ROWS, type Successor } from "./removed-versions.ts";

/** The removal of one API. Whether a cluster serves it, its discovery says. */
export type ApiRemoval = {
  readonly api: Api;
  readonly kind: string;
  /** The minor of Kubernetes 1 that removes it, on each platform. */
  readonly removedIn: Readonly<Record<Platform, number>>;
  readonly successors: readonly Successor[];
};

export const REMOVALS: readonly ApiRemoval[] = ROWS.flatMap(buildRemovals);

const REMOVED: ReadonlyMap<string, ApiRemoval> = new Map(
  REMOVALS.map((removal) => [formatApi(removal.api), removal] as const),
);

function buildRemovals({ minor, openShift, group, version, kinds, successors }: ApiRow): readonly ApiRemoval[] {
  return Object.entries(kinds).map(([resource, kind]) => ({
    api: { group, version, resource },
    kind,
    removedIn: { kubernetes: minor, openshift: openShift ?? minor },
    successors,
  }));
}

/** The removal of an API, for clusters that don't announce it themselves. */
export function findRemoval(api: Api): ApiRemoval | undefined {
  return REMOVED.get(formatApi(api));
}

/** What the source serves, by its discovery, and the target no longer does. */
export function selectRemovals(served: ReadonlySet<string>, context: Context): readonly ApiRemoval[] {
  return REMOVALS.filter(
    ({ api, removedIn }) => isRemoved(removedIn[context.platform], context) && served.has(formatGroupVersion(api)),
  );
}

/** The version to move to: the newest that both releases serve; without one, the newest that the target serves. */
export function findReplacement(api: Api, context: Context): Api | undefined {
  const { source, target } = context.kubernetes;
  const candidates = (findRemoval(api)?.successors ?? []).filter(({ version, since }) => {
    const removal = findRemoval({ ...api, version });
    return since <= target && (removal === undefined || target < removal.removedIn[context.platform]);
  });
  const successor = candidates.find(({ since }) => since <= source) ?? candidates[0];
  return successor && { ...api, version: successor.version };
}
