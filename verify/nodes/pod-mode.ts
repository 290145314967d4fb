import type { ContainerRole, Exit } from "./pod-status.ts";

/** What becomes of the pods that a test plays with. It may change at any time, and every kubelet follows. */
export type PodMode =
  /** The containers run and are ready; behind the main one stands the process that the test gave, if it gave one. */
  | { readonly kind: "runs" }
  /** Running and ready, but nothing stands behind it. */
  | { readonly kind: "hangs" }
  /** No node fits. */
  | { readonly kind: "unschedulable" }
  /** Bound, and its containers are being created for ever. */
  | { readonly kind: "creating" }
  | { readonly kind: "imagePull"; readonly container?: ContainerRole; readonly message?: string }
  /** As creating, with the kubelet's events about it. */
  | { readonly kind: "mountFailure" }
  | {
      readonly kind: "crashLoop";
      readonly container?: ContainerRole;
      readonly code?: number;
      readonly message?: string;
    }
  | { readonly kind: "outOfMemory" }
  | { readonly kind: "evicted" };

/** How a container ends by itself in a mode; undefined if it goes on. */
export function findExit(mode: PodMode, role: ContainerRole, now: Date): Exit | undefined {
  if (mode.kind === "outOfMemory" && role === "main") return { code: 137, reason: "OOMKilled" };
  if (mode.kind !== "crashLoop" || (mode.container ?? "main") !== role) return undefined;
  // The last line of its log bears the time, as ours does.
  const line = JSON.stringify({ time: now.toISOString(), level: "error", message: "it failed", why: "it is a test" });
  return { code: mode.code ?? 1, reason: "Error", message: mode.message ?? `what it said before\n${line}\n` };
}

/** Why the images of a container can't be had in a mode, in the words of the container runtime. */
export function findPullError(mode: PodMode, role: ContainerRole, image: string): string | undefined {
  if (mode.kind !== "imagePull" || (mode.container ?? "init") !== role) return undefined;
  const why = mode.message ?? "unauthorized: authentication required";
  return `unable to pull image or OCI artifact: pull image err: initializing source docker://${image}: reading manifest: ${why}`;
}

/** The message of an eviction, with amounts that differ each time; undefined in a mode that doesn't evict. */
export function findEviction(mode: PodMode, container: string, now: Date): string | undefined {
  if (mode.kind !== "evicted") return undefined;
  const available = now.getTime() % 100_000;
  return `The node was low on resource: memory. Threshold quantity: 100Mi, available: ${available}Ki. Container ${container} was using 181Mi, request is 160Mi, has larger consumption of memory. `;
}
