import { isObject } from "../../model/json.ts";
import type { CycleResult } from "../../model/report.ts";
import type { Version } from "../../model/version.ts";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { JudgedUpdate, SeparateResult } from "../../runner/isolation.ts";

/** A context of a kubeconfig, without a file, of the one that the loading rules find; or where a cluster was recorded. */
export type ReachableCluster = {
  readonly name: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly recorded?: string;
  readonly "must-gather"?: string;
  /** Of a management cluster. */
  readonly "hosted-cluster"?: string;
};

/** What a parent process sends to its child. */
export type ParentMessage =
  | { readonly kind: "stop"; readonly why: string; readonly exitCode: number }
  /** Run a cycle that began at that time, with what other processes found before. */
  | {
      readonly kind: "cycle";
      readonly observedAt: Date;
      readonly separate: ReadonlyMap<string, SeparateResult>;
    }
  /** Run this check alone. */
  | { readonly kind: "separate"; readonly observedAt: Date; readonly check: string }
  /** Check this cluster of a fleet and write its result to the file. */
  | { readonly kind: "cluster"; readonly cluster: ReachableCluster; readonly file: string };

/**
 * A step of a cycle: checks that begin (see `OnBegin`), and a path that was read. Before it, whose client certificates the cluster accepts:
 * the parent serves the metrics, and has no connection to the cluster.
 */
export type ProgressEvent =
  | { readonly kind: "begin"; readonly checks: readonly string[]; readonly path?: string }
  | { readonly kind: "read"; readonly stats: ReadStats }
  | { readonly kind: "clientAuthorities"; readonly pem: string };

/** What a child process sends to its parent. */
export type ChildMessage =
  /** The target has been read; its version, if that is known. */
  | { readonly kind: "ready"; readonly target: Version | undefined }
  | { readonly kind: "progress"; readonly events: readonly ProgressEvent[] }
  | { readonly kind: "judged"; readonly updates: readonly JudgedUpdate[] }
  | { readonly kind: "result"; readonly result: CycleResult }
  /** The result of a cluster is written, or can't be. */
  | {
      readonly kind: "checked";
      readonly warnings: readonly string[];
      readonly problem: string | undefined;
      /** The release image that this cluster's registries did not deliver. */
      readonly unreadImage?: string;
    };

/** Both processes run the same file, so the kind tells the rest. */
export function isParentMessage(message: unknown): message is ParentMessage {
  return hasKind(message, ["stop", "cycle", "separate", "cluster"]);
}

export function isChildMessage(message: unknown): message is ChildMessage {
  return hasKind(message, ["ready", "progress", "judged", "result", "checked"]);
}

function hasKind(message: unknown, kinds: readonly string[]): boolean {
  return isObject(message) && kinds.some((kind) => kind === message["kind"]);
}
