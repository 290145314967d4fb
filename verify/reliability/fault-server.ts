import { readFileSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { type Json, type JsonObject, isObject, listAt, objectAt } from "../../src/model/json.ts";
import { buildPage, sendRecorded } from "../api-server/api-responses.ts";
import { listen } from "../shared/loopback.ts";
import { createRecordedApi } from "../api-server/recorded-api.ts";

/** What a fault can do with a request. `send` sends the real response. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly isLaterPage: boolean;
  /** The page that was requested; of anything but a list, an empty one. */
  readonly list: JsonObject;
  readonly isList: boolean;
  /** What was recorded: an object, a list of objects or of lines, or a Status. */
  readonly body: Json;
  readonly buildFirstPage: () => JsonObject;
  readonly send: () => void;
  /** Ends the server like a crash. */
  readonly kill: () => void;
};

/** What an API server answers to one request. */
export type Answer = Omit<Exchange, "request" | "response" | "send" | "kill"> & {
  readonly send: (response: ServerResponse) => void;
};
export type Answers = (request: IncomingMessage) => Answer | Promise<Answer>;

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

/** Serves a recorded cluster like an API server, one object per page, or the answers of another one, with a fault. */
export async function startFaultServer(
  cluster: string | JsonObject | Answers,
  options: FaultOptions,
): Promise<FaultServer> {
  const answers = typeof cluster === "function" ? cluster : createRecordedAnswers(cluster);
  const sockets = new Set<Socket>();
  let struck = 0;
  let isRunning = true;
  let isClosed = false;
  const respond = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
    const send = (): void => answer.send(response);
    if (!options.isStruck(getPath(request)) || struck >= options.times) return send();
    const before = struck;
    struck = before + 1;
    return options.fault({ ...answer, request, response, kill, send: () => ((struck = before), send()) });
  };
  const server = createServer((request, response) => {
    const answer = answers(request);
    if (!(answer instanceof Promise)) return respond(request, response, answer);
    void answer.then((one) => respond(request, response, one)).catch(() => response.destroy());
  });
  server.on("connection", (socket: Socket) => sockets.add(socket).size);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      if (isRunning || isClosed) return;
      await listen(server, "127.0.0.1", port);
      isRunning = true;
    },
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

function getPath({ url = "" }: IncomingMessage): string {
  return url.split("?", 1).join();
}

function createRecordedAnswers(recording: string | JsonObject): Answers {
  const answer = createRecordedApi(typeof recording === "string" ? parseRecording(recording) : recording);
  return (request) => {
    const path = getPath(request);
    const query = request.url?.split("?")[1] ?? "";
    const recorded = answer(path);
    const page = { start: Number(/continue=(\d+)/.exec(query)?.[1] ?? 0), size: 1 };
    return {
      isLaterPage: query.includes("continue="),
      list: buildPage(path, recorded.body, page),
      isList: isObject(recorded.body) && Object.hasOwn(recorded.body, "items"),
      body: recorded.body,
      buildFirstPage: () => buildPage(path, recorded.body, { start: 0, size: 1 }),
      send: (response) => sendRecorded(response, path, recorded, page),
    };
  };
}

function parseRecording(file: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(value)) throw new Error(`${file} is not a recording`);
  return value;
}

/** The items of a page, with one of them changed. */
export function changeItem(list: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject {
  return { ...list, items: listAt(list, "items").map((item) => change(objectAt({ item }, "item"))) };
}
