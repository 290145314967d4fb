import type { JudgeAge } from "./answer-age.ts";
import type { Connection } from "./connection.ts";
import { createLink, type Link } from "./link.ts";
import { createPace, type Pace } from "./pace.ts";
import { createServerLimit, type ServerLimit } from "./server-limit.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { type Clock, systemClock } from "../../network/retry.ts";
import type { OnProgress } from "../../model/reader.ts";

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
