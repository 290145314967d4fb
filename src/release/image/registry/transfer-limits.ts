import type { ClientRequest } from "node:http";
import { FailedError } from "../../../model/errors.ts";
import type { Clock } from "../../../network/retry.ts";

/** What the transfers of one image must keep to. */
export type TransferLimits = {
  /** Averaged over a minute. */
  readonly minBytesPerSecond: number;
  /** For all transfers of the image together. */
  readonly timeoutMs: number;
};

export type TransferWatch = {
  /** Throws once the time of all transfers is over. */
  readonly requireTime: (host: string) => void;
  /** Calls `end` if the server of a request becomes too slow, in its headers or in its body, or once the time is over. */
  readonly watch: (request: ClientRequest, host: string, end: (why: FailedError) => void) => void;
};

/** A slow line brings a release's 200 MiB in half an hour with 120 KiB/s. A hundredth of that is no line, but a server that holds on. */
const DEFAULT_LIMITS: TransferLimits = { minBytesPerSecond: 1024, timeoutMs: 30 * 60_000 };
const WINDOW_MS = 60_000;

/** Measures when bytes arrive: a connection on which none do ends by itself. */
export function createTransferWatch(clock: Clock, limits: TransferLimits = DEFAULT_LIMITS): TransferWatch {
  const { minBytesPerSecond, timeoutMs } = limits;
  const deadline = clock.now() + timeoutMs;
  const findLateness = (host: string): FailedError | undefined =>
    clock.now() < deadline
      ? undefined
      : new FailedError(
          `${host} has not sent all of the image in ${timeoutMs / 60_000} minutes: raise --image-timeout`,
        );
  return {
    requireTime: (host) => {
      const late = findLateness(host);
      if (late) throw late;
    },
    watch: (request, host, end) => {
      const isTooSlow = createRateMeter(clock, minBytesPerSecond);
      const count = (chunk: Uint8Array): void => {
        const why = isTooSlow(chunk.length) ? buildSlowError(host, minBytesPerSecond) : findLateness(host);
        if (why) end(why);
      };
      request.once("socket", (socket) => {
        socket.on("data", count);
        request.once("close", () => socket.off("data", count));
      });
    },
  };
}

function createRateMeter(clock: Clock, minBytesPerSecond: number): (length: number) => boolean {
  let start = clock.now();
  let bytes = 0;
  return (length) => {
    bytes += length;
    const elapsed = clock.now() - start;
    if (elapsed < WINDOW_MS) return false;
    const rate = (bytes * 1000) / elapsed;
    [start, bytes] = [start + elapsed, 0];
    return rate < minBytesPerSecond;
  };
}

function buildSlowError(host: string, minBytesPerSecond: number): FailedError {
  const why = `sent less than ${minBytesPerSecond} bytes a second for a minute`;
  return new FailedError(`${host} ${why}: name a mirror with --mirror, or lower --image-min-rate`);
}
