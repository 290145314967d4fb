import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { text as readText } from "node:stream/consumers";
import { connect } from "../../src/cluster/access/connect.ts";
import type { Connection } from "../../src/cluster/access/connection.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Answer, Answers } from "./fault-server.ts";

/** So small that most lists have several pages. */
const MAX_PAGE = 5;
const EMPTY: JsonObject = { metadata: {}, items: [] };

/** The answers of a real API server. Each is requested once, so that thousands of runs cost as much as one. */
export async function keepAnswers(
  kubeconfig: string,
): Promise<{ readonly answers: Answers; readonly requested: () => number; readonly close: () => void }> {
  const connection = await connect({ kubeconfig, env: {} });
  const kept = new Map<string, Promise<KeptAnswer>>();
  const ask = (url: URL, accept: string): Promise<KeptAnswer> => {
    const key = `${accept} ${url.href}`;
    const answer = kept.get(key) ?? requestAnswer(connection, url, accept);
    kept.set(key, answer);
    return answer;
  };
  const answers = async ({ url = "", headers }: IncomingMessage): Promise<Answer> => {
    const accept = headers.accept ?? "";
    const page = limitPage(new URL(`${connection.server}${url}`));
    const first = withoutContinue(page);
    const kept = await ask(page, accept);
    const keptFirst = await ask(first, accept);
    return buildAnswer(kept, keptFirst, first.href !== page.href);
  };
  return { answers, requested: () => kept.size, close: connection.close };
}

type KeptAnswer = {
  readonly code: number;
  readonly type: string;
  readonly text: string;
  /** The object in the text, or the text. */
  readonly body: Json;
};

async function requestAnswer({ getAuth }: Connection, url: URL, accept: string): Promise<KeptAnswer> {
  const { agent, headers } = await getAuth();
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    requestHttps(url, { agent, headers: { ...headers, accept } }, resolve)
      .on("error", reject)
      .end();
  });
  const text = await readText(message);
  return { code: message.statusCode ?? 0, type: message.headers["content-type"] ?? "", text, body: parseBody(text) };
}

function parseBody(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function limitPage(url: URL): URL {
  const limit = Number(url.searchParams.get("limit"));
  if (limit > MAX_PAGE) url.searchParams.set("limit", String(MAX_PAGE));
  return url;
}

function withoutContinue(url: URL): URL {
  const first = new URL(url);
  first.searchParams.delete("continue");
  return first;
}

function buildAnswer({ code, type, text, body }: KeptAnswer, first: KeptAnswer, isLaterPage: boolean): Answer {
  const isList = isObject(body) && Object.hasOwn(body, "items");
  return {
    isLaterPage,
    list: isList ? body : EMPTY,
    isList,
    body,
    buildFirstPage: () => (isObject(first.body) ? first.body : EMPTY),
    send: (response) => void response.writeHead(code, { "content-type": type }).end(text),
  };
}
