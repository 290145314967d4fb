import { readFileSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { buildStatus, createRecordedApi, type RecordedAnswer } from "./recorded-api.ts";

/** What a fault can do with a request. `send` sends the real response. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly isLaterPage: boolean;
  readonly list: JsonObject;
  readonly send: () => void;
  /** Ends the server like a crash. */
  readonly kill: () => void;
};

export type FaultServer = {
  readonly url: string;
  /** Restarts a killed server; does nothing while it runs. */
  readonly restart: () => Promise<void>;
  readonly close: () => void;
};

export type FaultOptions = {
  /** Whether the fault strikes at an API path. Every other read gets its real response. */
  readonly isStruck: (path: string) => boolean;
  readonly fault: (exchange: Exchange) => void;
  /** How many times the fault strikes. */
  readonly times: number;
};

/** Serves a recorded cluster like an API server, one object per page, with a fault. */
export async function startFaultServer(recording: string | JsonObject, options: FaultOptions): Promise<FaultServer> {
  const answer = createRecordedApi(typeof recording === "string" ? parseRecording(recording) : recording);
  const sockets = new Set<Socket>();
  let [struck, isRunning, isClosed] = [0, false, false];
  const server = createServer((request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const recorded = answer(path);
    const send = (): void => sendAnswer(response, path, query, recorded);
    if (!options.isStruck(path)) return send();
    const isLaterPage = query.includes("continue=");
    const before = struck;
    const exchange = { request, response, isLaterPage, list: buildPage(path, query, recorded.body), send, kill };
    if (struck >= options.times) return send();
    struck = before + 1;
    return options.fault({ ...exchange, send: () => ((struck = before), send()) });
  });
  server.on("connection", (socket: Socket) => sockets.add(socket).size);
  const listen = async (port: number): Promise<void> => {
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    isRunning = true;
  };
  await listen(0);
  const address = server.address();
  const port = isObject(address) && typeof address.port === "number" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => (isRunning || isClosed ? undefined : listen(port)),
    close() {
      isClosed = true;
      kill();
    },
  };

  function kill(): void {
    isRunning = false;
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
}

function parseRecording(file: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(value)) throw new Error(`${file} is not a recording`);
  return value;
}

function sendAnswer(response: ServerResponse, path: string, query: string, { code, body }: RecordedAnswer): void {
  if (typeof body === "string") return void response.writeHead(code).end(body);
  if (isObject(body) && body["lines"] !== undefined)
    return void response.end(listAt(body, "lines").map(String).join("\n"));
  return sendJson(response, isObject(body) && body["items"] !== undefined ? buildPage(path, query, body) : body, code);
}

/** Sends one object per page, so that lists have more than one page. */
function buildPage(path: string, query: string, entry: Json): JsonObject {
  const items = listAt(entry, "items");
  const index = Number(/continue=(\d+)/.exec(query)?.[1] ?? 0);
  const isLast = index + 1 >= items.length;
  const [group = "", version = ""] = path.startsWith("/apis/") ? path.split("/").slice(2) : ["", "v1"];
  const kind = textAt(items[0], "kind");
  const type =
    kind === undefined
      ? { apiVersion: "v1", kind: "List" }
      : { apiVersion: [group, version].filter(Boolean).join("/"), kind: `${kind}List` };
  return { ...type, metadata: isLast ? {} : { continue: String(index + 1) }, items: items.slice(index, index + 1) };
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendStatus(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  sendJson(response, buildStatus(code).body, code, headers);
}

/** The items of a page, with one of them changed. */
export function changeItem(list: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject {
  return { ...list, items: listAt(list, "items").map((item) => change(objectAt({ item }, "item"))) };
}
