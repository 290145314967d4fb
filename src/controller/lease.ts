import { NAMESPACE } from "../lift/request.ts";
import { type JsonObject, numberAt, objectAt, textAt } from "../model/json.ts";
import { ageOf } from "../model/time.ts";
import { CONTROLLER_LEASE } from "./places.ts";

/** When a lease was last seen to change, by the own clock: clocks of two machines need not agree. */
export type LastChange = { readonly mark: string; readonly at: number };

export type Claim =
  /** Nobody holds it, or we do: the lease to write, under the version that was read. */
  { readonly kind: "free"; readonly lease: JsonObject } | { readonly kind: "held"; readonly by: string };

/** What a renewal changes. */
function markOf(lease: JsonObject): string {
  return ["holderIdentity", "renewTime"].map((key) => textAt(lease, "spec", key) ?? "").join(" ");
}

export function changeOf(lease: JsonObject | undefined, before: LastChange | undefined, clock: number): LastChange {
  const mark = lease ? markOf(lease) : "";
  return before?.mark === mark ? before : { mark, at: clock };
}

/** May the lease be taken? One that somebody else holds only where it has not been renewed for as long as it says that it lasts. */
export function claim(
  lease: JsonObject | undefined,
  change: LastChange,
  { identity, seconds }: { readonly identity: string; readonly seconds: number },
  clock: number,
  now: Date,
): Claim {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const lasts = numberAt(lease, "spec", "leaseDurationSeconds") ?? seconds;
  const isFree = holder === "" || holder === identity || clock - change.at > lasts * 1_000;
  if (!isFree) return { kind: "held", by: holder };
  const isOurs = holder === identity;
  const acquired = isOurs ? textAt(lease, "spec", "acquireTime") : undefined;
  const transitions = numberAt(lease, "spec", "leaseTransitions") ?? 0;
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: seconds,
    acquireTime: acquired ?? microTime(now),
    renewTime: microTime(now),
    leaseTransitions: isOurs || lease === undefined ? transitions : transitions + 1,
  };
  return { kind: "free", lease: { ...named(lease), spec } };
}

/** Given back: whoever waits may take it at once. */
export function releasedLease(lease: JsonObject, now: Date): JsonObject {
  const spec = objectAt(lease, "spec");
  return { ...named(lease), spec: { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: microTime(now) } };
}

/** Who holds a lease that has not run out, by the clocks of those who wrote it; one that doesn't say until when it holds is taken for held. */
export function holderOf(lease: JsonObject | undefined, now: Date): string | undefined {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const age = ageOf(textAt(lease, "spec", "renewTime"), now);
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds");
  const isExpired = age !== undefined && seconds !== undefined && age > seconds * 1_000;
  return holder === "" || isExpired ? undefined : holder;
}

function named(lease: JsonObject | undefined): JsonObject {
  const identity = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
  const metadata = lease ? objectAt(lease, "metadata") : { name: CONTROLLER_LEASE, namespace: NAMESPACE };
  return { ...identity, metadata };
}

function microTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
