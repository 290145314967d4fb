import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import { type JsonObject, numberAt, objectAt, textAt } from "../../model/json.ts";
import { getAge } from "../../model/time.ts";
import { CONTROLLER_LEASE } from "../api/api-paths.ts";

/** When a lease was last seen to change, by the own clock: clocks of two machines need not agree. */
export type ObservedLease = { readonly record: string; readonly at: number };

export type LeaseClaim =
  /** Nobody holds it, or we do: the lease to write, under the version that was read. */
  { readonly kind: "free"; readonly lease: JsonObject } | { readonly kind: "otherHolder"; readonly holder: string };

/** What a renewal changes. */
function getRecord(lease: JsonObject): string {
  return ["holderIdentity", "renewTime"].map((key) => textAt(lease, "spec", key) ?? "").join(" ");
}

export function observeLease(
  lease: JsonObject | undefined,
  previous: ObservedLease | undefined,
  clock: number,
): ObservedLease {
  const record = lease ? getRecord(lease) : "";
  return previous?.record === record ? previous : { record, at: clock };
}

/** May the lease be taken? One that somebody else holds only where it has not been renewed for as long as it says that it lasts. */
export function claimLease(
  lease: JsonObject | undefined,
  observed: ObservedLease,
  { identity, seconds }: { readonly identity: string; readonly seconds: number },
  clock: number,
  now: Date,
): LeaseClaim {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const lasts = numberAt(lease, "spec", "leaseDurationSeconds") ?? seconds;
  const isFree = holder === "" || holder === identity || clock - observed.at > lasts * 1_000;
  if (!isFree) return { kind: "otherHolder", holder };
  const isOurs = holder === identity;
  const acquired = isOurs ? textAt(lease, "spec", "acquireTime") : undefined;
  const transitions = numberAt(lease, "spec", "leaseTransitions") ?? 0;
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: seconds,
    acquireTime: acquired ?? formatMicroTime(now),
    renewTime: formatMicroTime(now),
    leaseTransitions: isOurs || lease === undefined ? transitions : transitions + 1,
  };
  return { kind: "free", lease: { ...buildLeaseIdentity(lease), spec } };
}

/** Given back: whoever waits may take it at once. */
export function buildReleasedLease(lease: JsonObject, now: Date): JsonObject {
  const spec = objectAt(lease, "spec");
  return {
    ...buildLeaseIdentity(lease),
    spec: { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: formatMicroTime(now) },
  };
}

/** Who holds a lease that has not run out, by the clocks of those who wrote it; one that doesn't say until when it holds is taken for held. */
export function findHolder(lease: JsonObject | undefined, now: Date): string | undefined {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const age = getAge(textAt(lease, "spec", "renewTime"), now);
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds");
  const isExpired = age !== undefined && seconds !== undefined && age > seconds * 1_000;
  return holder === "" || isExpired ? undefined : holder;
}

function buildLeaseIdentity(lease: JsonObject | undefined): JsonObject {
  const identity = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
  const metadata = lease ? objectAt(lease, "metadata") : { name: CONTROLLER_LEASE, namespace: NAMESPACE };
  return { ...identity, metadata };
}

function formatMicroTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
