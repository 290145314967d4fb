import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { FailedError, UsageError } from "../../model/errors.ts";
import { toVisibleOutput, toVisible } from "../../model/visible-text.ts";
import { createTlsServer, findDenial, type ServingTls } from "./serving-tls.ts";
import type { Logger, LogFields } from "../../model/logger.ts";
import { Counter, Gauge, Registry } from "prom-client";
import { redactText } from "../../model/secrets/redact-text.ts";

/** The response of /metrics. */
export type MetricsSource = Pick<Metrics, "text" | "contentType">;

/** Why /readyz or /healthz fails; undefined if all is well. */
export type Readiness = () => string | undefined;

type MonitoringServer = { readonly address: string; readonly close: () => Promise<void> };

type MonitoringOptions = {
  /** "HOST:PORT", "[::1]:PORT" or ":PORT". */
  readonly listen: string;
  /** Without it, plain HTTP, and everybody who reaches the address reads the metrics. */
  readonly tls?: ServingTls;
  readonly metrics: MetricsSource;
  readonly readiness: Readiness;
  readonly liveness?: Readiness;
};

/** Serves /healthz, /readyz and /metrics; GET and HEAD only. */
export async function startMonitoringServer(options: MonitoringOptions): Promise<MonitoringServer> {
  const { listen, tls } = options;
  const { host, port } = parseAddress(listen, "listen");
  const onRequest: RequestListener = (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return sendResponse(response, 405, "GET or HEAD only\n");
    void route(request, response, options);
  };
  const server = tls === undefined ? createServer(onRequest) : await createTlsServer(tls, onRequest);
  await startListening(server, host, port, listen);
  const serverAddress = server.address();
  const address =
    typeof serverAddress === "object" && serverAddress !== null ? `${host ?? ""}:${serverAddress.port}` : listen;
  return { address, close: () => closeServer(server) };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, readiness, liveness }: MonitoringOptions,
): Promise<void> {
  const [path] = (request.url ?? "/").split("?");
  if (path === "/healthz") return sendState(response, liveness?.());
  if (path === "/readyz") return sendState(response, readiness());
  if (path !== "/metrics") return sendResponse(response, 404, "not found: use /healthz, /readyz or /metrics\n");
  const denial = findDenial(request);
  if (denial !== undefined) {
    // A connection keeps the verdict of its beginning, when the authorities may not have been known yet.
    response.setHeader("connection", "close");
    return sendResponse(response, denial.status, `${denial.why}\n`);
  }
  return sendResponse(response, 200, await metrics.text(), metrics.contentType);
}

function sendState(response: ServerResponse, problem: string | undefined): void {
  return problem === undefined ? sendResponse(response, 200, "ok\n") : sendResponse(response, 503, `${problem}\n`);
}

function sendResponse(
  response: ServerResponse,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(toVisibleOutput(text));
}

type Address = { readonly host: string | undefined; readonly port: number };

/** Parses the value of a flag; no host stands for all addresses. */
export function parseAddress(listen: string, flag: string): Address {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]*)):(?<port>\d{1,5})$/.exec(listen);
  const port = Number(match?.groups?.["port"]);
  if (!match || port > 65_535)
    throw new UsageError(`--${flag} "${listen}" is not an address: use a form such as 127.0.0.1:9099 or :9099`);
  return { host: match.groups?.["v6"] ?? (match.groups?.["host"] || undefined), port };
}

async function startListening(server: Server, host: string | undefined, port: number, listen: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new FailedError(`cannot listen on ${listen}: ${error.message}`)));
    server.listen({ port, host }, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** The values of `listenSettings`. */
export type ListenValues = { readonly listen: string | undefined; readonly "listen-cert": string | undefined };

type Monitoring = Omit<MonitoringOptions, "listen" | "tls"> &
  Pick<ServingTls, "readClientAuthorities"> & { readonly log: Logger };

/** Starts the monitoring that the settings ask for. */
export async function startMonitoring(
  { listen, "listen-cert": folder }: ListenValues,
  { log, readClientAuthorities, ...served }: Monitoring,
): Promise<MonitoringServer | undefined> {
  if (listen === undefined && folder !== undefined) throw new UsageError("--listen-cert needs --listen");
  if (listen === undefined) return undefined;
  const warn = (why: string): void => log.warn("the certificates of the metrics could not be read again", { why });
  const tls = folder === undefined ? undefined : { folder, readClientAuthorities, warn };
  return startMonitoringServer({ listen, ...served, tls });
}

export type Metrics = ReturnType<typeof createMetrics>;

/** What a process shows to Prometheus: the metrics that are made here, in their order. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registers,
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Structured logs: one JSON object a line, on stderr. */
export function createJsonLogger(write: (line: string) => void, now: () => Date): Logger {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(
        `${JSON.stringify(toVisible({ time: now().toISOString(), level, message: redactText(message), ...redactFields(fields) }))}\n`,
      );
  return { info: line("info"), warn: line("warn"), error: line("error") };
}

function redactFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? redactText(value) : value]),
  );
}
