import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import { type JsonObject, numberAt, objectAt, textAt } from "../../model/json.ts";
import { getAge } from "../../model/time.ts";
import { CONTROLLER_LEASE } from "../api/api-paths.ts";

/** When the lease last changed, by the local clock: two machines' clocks may differ. */
export type ObservedLease = { readonly record: string; readonly at: number };

export type LeaseClaim =
  /** Free, or held by this process: the lease to write, with the resource version that was read. */
  { readonly kind: "free"; readonly lease: JsonObject } | { readonly kind: "otherHolder"; readonly holder: string };

/** The fields that every renewal changes. */
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

/** Whether the lease can be acquired: another holder's only if it was not renewed for its own duration. */
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

/** A released lease, which a standby can acquire at once. */
export function buildReleasedLease(lease: JsonObject, now: Date): JsonObject {
  const spec = objectAt(lease, "spec");
  return {
    ...buildLeaseIdentity(lease),
    spec: { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: formatMicroTime(now) },
  };
}

/** The holder of an unexpired lease, by the writer's clock. A lease without times counts as held. */
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
