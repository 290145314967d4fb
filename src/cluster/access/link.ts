import { performance } from "node:perf_hooks";

/** The network to an API server, by its answers up to now. */
export type Link = {
  /** Whether an answer comes sooner if the API server compresses it, which costs it CPU. */
  readonly isSlow: () => boolean;
  /** Before a request is sent. */
  readonly beginRequest: () => LinkRequest;
  /** Once an answer begins. */
  readonly beginBody: () => LinkBody;
  /** A compressed answer was damaged: none is requested any more. */
  readonly onDamaged: () => void;
};

/** `onSent`: connections are made, and TLS is agreed on, before. `onAnswered`: once the answer begins. */
export type LinkRequest = { readonly onSent: () => void; readonly onAnswered: () => void };

/** The part of an answer that follows its headers, as it arrives. */
export type LinkBody = { readonly onBytes: (bytes: number) => void; readonly end: () => void };

export type LinkClock = {
  readonly now: () => number;
  /** How long this process has had nothing to do since it started. */
  readonly getIdleMs: () => number;
  /** The returned function says whether what has just arrived certainly took longer: it may have been there while this process worked. */
  readonly startTimer: (milliseconds: number) => () => boolean;
};

/** One answer may be late by chance. */
const FEWEST_LATE = 2;
/** A list of 1.5 MB takes three round trips more than a compressed one before TCP has its full rate, and 20 ms more to compress and to unpack. */
const FAR_MS = 20;
/** API servers encode 10 to 30 MB/s: a faster link is not what their lists wait for. */
const FAST_BYTES_PER_MS = 10_000;
/** A tenth of that. An API server that is so slow itself lets small answers wait too, and so looks far. */
const SLOW_BYTES_PER_MS = 1_000;
/** Smaller bodies come with few packets, whatever the link. */
const FEWEST_BYTES = 256 << 10;

export function createLink(clock: LinkClock = systemLinkClock): Link {
  let lateCount = 0;
  let isNear = false;
  let bytes = 0;
  // What the link has at least: some of the time may have been this process's own. What it may have: all of that was its own.
  let provenRate = 0;
  let possibleRate = 0;
  let isDamaged = false;
  return {
    isSlow() {
      if (isDamaged) return false;
      if (!isNear && lateCount >= FEWEST_LATE) return provenRate < FAST_BYTES_PER_MS;
      return possibleRate > 0 && possibleRate < SLOW_BYTES_PER_MS;
    },
    beginRequest() {
      const start = clock.now();
      let isLate = (): boolean => false;
      return {
        onSent: () => void (isLate = clock.startTimer(FAR_MS)),
        onAnswered() {
          if (isLate()) lateCount += 1;
          if (clock.now() - start < FAR_MS) isNear = true;
        },
      };
    },
    beginBody() {
      const start = { now: clock.now(), idleMs: clock.getIdleMs(), bytes };
      let own = 0;
      return {
        onBytes(more) {
          own += more;
          bytes += more;
        },
        end() {
          if (own < FEWEST_BYTES) return;
          // With the bytes of other answers that shared the link.
          const received = bytes - start.bytes;
          provenRate = Math.max(provenRate, received / (clock.now() - start.now));
          possibleRate = Math.max(possibleRate, received / (clock.getIdleMs() - start.idleMs));
        },
      };
    },
    onDamaged: () => void (isDamaged = true),
  };
}

export const systemLinkClock: LinkClock = {
  now: () => performance.now(),
  getIdleMs: () => performance.eventLoopUtilization().idle,
  startTimer(milliseconds) {
    let isLate = false;
    // After a busy time, Node runs the timers first, then takes what has arrived meanwhile, then runs what is immediate.
    const timer = setTimeout(() => setImmediate(() => (isLate = true)), milliseconds).unref();
    return () => {
      clearTimeout(timer);
      return isLate;
    };
  },
};
