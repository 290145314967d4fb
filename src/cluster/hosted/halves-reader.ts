import { textAt } from "../../model/json.ts";
import type { ObjectLocation, Reader, ReadFailure, ReadFailureReason } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import { buildFailure } from "../access/failures.ts";

const CLUSTER_VERSION: ObjectLocation = {
  resource: parseResource("config.openshift.io/v1/clusterversions"),
  name: "version",
};

/** Whether a guest is that of the HostedCluster, as its id shows. `failed`: nobody can tell. */
export type GuestIdentity =
  | { readonly kind: "same" }
  | { readonly kind: "other"; readonly message: string }
  | ReadFailure;

/** `management`: reads the management cluster as the hosted cluster. */
export async function identifyGuest(
  management: Pick<Reader, "get">,
  guest: Pick<Reader, "get">,
  signal: AbortSignal,
): Promise<GuestIdentity> {
  const [expected, found] = await Promise.all([management, guest].map(({ get }) => get(CLUSTER_VERSION, signal)));
  if (expected === undefined || found === undefined) throw new Error("both halves answer");
  if (found.kind === "failed") return fail(found.reason, found.message);
  if (found.kind === "absent") return { kind: "other", message: "it is no guest: it has no ClusterVersion" };
  if (expected.kind !== "found") return fail("NotUnderstood", "its HostedCluster can't be read");
  const [id, own] = [expected, found].map(({ object }) => textAt(object, "spec", "clusterID") ?? "");
  if (id === undefined || own === undefined || id === "" || own === "")
    return fail("NotUnderstood", "the cluster or its HostedCluster has no spec.clusterID");
  if (id === own) return { kind: "same" };
  return { kind: "other", message: `it is of cluster ${own}, and the HostedCluster has the cluster ${id}` };
}

function fail(reason: ReadFailureReason, message: string): ReadFailure {
  return buildFailure(reason, `the guest could not be read: ${message}`);
}

/**
 * Reads a guest, and beside it its management cluster. Nothing is read of a guest as long as it isn't known to be the one: what another
 * cluster has says nothing of this one, and one that does not answer is not waited for with each read.
 */
export function createHalvesReader(management: Reader, guest: Reader): Reader {
  let asked: Promise<ReadFailure | undefined> | undefined;
  const findFailure = (signal: AbortSignal): Promise<ReadFailure | undefined> =>
    (asked ??= identifyGuest(management, guest, signal).then(toFailure));
  const { listSelected, query } = guest;
  return {
    management,
    get: async (location, signal, ...more) => (await findFailure(signal)) ?? guest.get(location, signal, ...more),
    list: async (resource, begin, signal, ...more) =>
      (await findFailure(signal)) ?? guest.list(resource, begin, signal, ...more),
    raw: async (path, begin, signal, ...more) => (await findFailure(signal)) ?? guest.raw(path, begin, signal, ...more),
    ...(listSelected && {
      listSelected: async (resource, selection, begin, signal, ...more) =>
        (await findFailure(signal)) ?? listSelected(resource, selection, begin, signal, ...more),
    }),
    ...(query && {
      query: async (expression, signal, ...more) => (await findFailure(signal)) ?? query(expression, signal, ...more),
    }),
    forCycle: () => createHalvesReader(management.forCycle?.() ?? management, guest.forCycle?.() ?? guest),
  };
}

function toFailure(identity: GuestIdentity): ReadFailure | undefined {
  if (identity.kind === "same") return undefined;
  return identity.kind === "failed" ? identity : fail("NotUnderstood", identity.message);
}
