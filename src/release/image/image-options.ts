import type { ProxySettings } from "../../network/proxy.ts";
import type { Clock } from "../../network/retry.ts";
import type { Mirror } from "./mirrors.ts";
import type { TransferLimits } from "./registry/transfer-limits.ts";

export type ImageProgress = {
  /** Which layer is read: 1 is the topmost. */
  readonly layer: number;
  readonly receivedBytes: number;
  readonly totalBytes: number;
};

/** Certificate authorities for one host, with its port if it has one; for every host if it is "". */
export type HostAuthorities = { readonly host: string; readonly pem: string };

/** How a cluster's operator reaches its update service and its signature stores. A problem says why a part of it is missing. */
export type ClusterEgress = {
  readonly authorities: readonly HostAuthorities[];
  readonly authorityProblems: readonly string[];
  readonly proxy: ProxySettings;
  readonly proxyProblems: readonly string[];
};

export type ImageOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** The architecture of an image list to use, and of this machine. */
  readonly arch?: string;
  readonly machine: string;
  /** The only file with credentials, instead of those that podman and docker write. */
  readonly authFile?: string;
  /** Certificate authorities to trust besides the system's. */
  readonly caFile?: string;
  readonly authorities?: readonly HostAuthorities[];
  /** In the order in which they are tried; the reference's own registry comes last. */
  readonly mirrors?: readonly Mirror[];
  /** Of an archive, unpacked; by default as much as a release image may have. */
  readonly maxArchiveBytes?: number;
  readonly clock?: Clock;
  readonly transferLimits?: TransferLimits;
  readonly onProgress?: (progress: ImageProgress) => void;
};
