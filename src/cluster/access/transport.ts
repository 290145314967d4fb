import type { OnProgress } from "../../model/reader.ts";
import { type Clock, computeDelay, systemClock } from "../../network/retry.ts";
import type { JudgeAge } from "./answer-age.ts";
import type { Connection } from "./connection.ts";
import { type Link, createLink } from "./link.ts";
import { type Traffic, createTraffic } from "./traffic.ts";

/** One way to send HTTP requests to an API server, with all that its requests share. */
export type Transport = {
  readonly connection: Connection;
  readonly userAgent: string;
  /** How long a connection may be silent before it is given up. */
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly limit: ServerLimit;
  readonly traffic: Traffic;
  readonly link: Link;
  /** Of a reader, whose answers must not come out of a cache. */
  readonly judgeAge?: JudgeAge;
};

export type TransportOptions = {
  readonly userAgent: string;
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
  readonly link?: Link;
};

/** An API server may work on a list for a minute before it sends the first byte. */
const IDLE_TIMEOUT_MS = 75_000;

export function createTransport(connection: Connection, options: TransportOptions): Transport {
  const { userAgent, idleTimeoutMs = IDLE_TIMEOUT_MS, clock = systemClock, link = createLink() } = options;
  return {
    connection,
    userAgent,
    idleTimeoutMs,
    clock,
    pace: createPace(clock),
    limit: createServerLimit(),
    traffic: createTraffic(clock),
    link,
  };
}

/** One GET of a path with its query. `accept`: the form of the response, if not plain JSON. */
export type GetRequest = {
  readonly transport: Transport;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly accept?: string;
  /** Called whenever a part of a response has arrived. */
  readonly onProgress?: OnProgress | undefined;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type ApiRequest = GetRequest & {
  readonly method: Method;
  /** Whether the answer may come compressed. */
  readonly acceptsGzip?: boolean;
  readonly content?: { readonly type: string; readonly text: string };
};

/**
 * Holds back all requests of a reader once the API server has refused one with 429 (Too Many Requests): the other reads would only add
 * to what overloads it, and use up their own tries.
 */
type Pace = {
  /** Resolves once requests may be sent, or the signal is aborted. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  readonly onRefused: (retryAfter: string | undefined) => void;
  readonly onAnswered: () => void;
};

/** Requests that waited for the same moment are sent over this long: so long for each of them, and at least for four. */
const SPREAD_MS = 62.5;
const MIN_SPREAD = 4;

export function createPace(clock: Clock): Pace {
  // Refusals in a row. Requests that were under way together are refused together, and count once.
  let refusals = 0;
  let pausedUntil = 0;
  let waiting = 0;
  return {
    async wait(signal) {
      let waited = 0;
      waiting += 1;
      while (pausedUntil > Math.max(clock.now(), waited) && !signal.aborted) {
        waited = pausedUntil;
        const spread = SPREAD_MS * Math.max(MIN_SPREAD, waiting);
        await clock.sleep(pausedUntil - clock.now() + spread * clock.random(), signal);
      }
      waiting -= 1;
    },
    onRefused(retryAfter) {
      if (clock.now() >= pausedUntil) refusals++;
      pausedUntil = Math.max(pausedUntil, clock.now() + computeDelay(refusals, retryAfter, clock));
    },
    onAnswered() {
      if (clock.now() >= pausedUntil) refusals = 0;
    },
  };
}

/** How many reads an API server takes at a time, by its answers up to now. */
type ServerLimit = {
  readonly find: () => number;
  /** `milliseconds`: until the answer began. */
  readonly onAnswered: (milliseconds: number) => void;
  /** It refused a request, or failed. */
  readonly onOverloaded: () => void;
};

/** As many as no server is hurt by; the first reads of a cycle are fewer. */
const FEWEST_READS = 4;
const MOST_READS = 32;

/** An answer that takes so much longer than the fastest one waits for the server, and not for the network. */
const SLOW_MS = 2_000;

/**
 * Grows by two with each answer; after the first slow one or refusal by one with each round of answers, as TCP does. Falls to half with a
 * slow answer, and to the fewest with a refusal.
 */
export function createServerLimit(): ServerLimit {
  let limit = FEWEST_READS;
  let fastest = Infinity;
  let isCareful = false;
  const reduce = (to: number): void => {
    limit = Math.max(FEWEST_READS, to);
    isCareful = true;
  };
  return {
    find: () => Math.floor(limit),
    onAnswered(milliseconds) {
      fastest = Math.min(fastest, milliseconds);
      if (milliseconds > fastest + SLOW_MS) reduce(limit / 2);
      else limit = Math.min(MOST_READS, limit + (isCareful ? 1 / limit : 2));
    },
    onOverloaded: () => reduce(FEWEST_READS),
  };
}
