import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { type Json, isObject, listAt, parseObject, textAt } from "../../src/model/json.ts";
import { type EtcdGateway, decode, encode, REGISTRY } from "./etcd-gateway.ts";

/** What was written to etcd since the watch began: reading all keys would take etcd longer than most tests' own work. */
export type EtcdWatch = {
  /** The values of all keys that somebody has written up to now; undefined for one that is removed. */
  readonly readWritten: () => Promise<ReadonlyMap<string, string | undefined>>;
  readonly close: () => void;
};

/** No API server watches it. */
const MARK = `${REGISTRY.key}preflight-mark`;

/** It ends with etcd, and keeps no process alive. */
export async function watchEtcd(url: string, gateway: EtcdGateway): Promise<EtcdWatch> {
  const answer = await openStream(`${url}/v3/watch`);
  const written = new Map<string, string | undefined>();
  const marks = new Map<string, () => void>();
  const lines = createInterface({ input: answer });
  const begun = once(lines, "line");
  lines.on("line", (line) => {
    for (const event of listAt(parseObject(line), "result", "events")) {
      const { key, value } = parseEvent(event);
      if (key === MARK) marks.get(value ?? "")?.();
      else written.set(key, value);
    }
  });
  const ended = once(lines, "close");
  const orEnd = (one: Promise<unknown>): Promise<unknown> =>
    Promise.race([one, ended.then(() => Promise.reject(new Error("etcd ended the watch")))]);
  await orEnd(begun);
  answer.socket.unref();
  let count = 0;
  return {
    async readWritten() {
      const mark = encode(String((count += 1)));
      const { promise, resolve } = Promise.withResolvers<void>();
      marks.set(mark, resolve);
      answer.socket.ref();
      await gateway.write([{ key: MARK, value: mark }]);
      await orEnd(promise);
      marks.delete(mark);
      answer.socket.unref();
      return written;
    },
    close: () => void answer.destroy(),
  };
}

async function openStream(url: string): Promise<IncomingMessage> {
  const outgoing = request(url, { method: "POST" });
  const { key, end } = REGISTRY;
  outgoing.end(JSON.stringify({ create_request: { key: encode(key), range_end: encode(end) } }));
  const [answer]: IncomingMessage[] = await once(outgoing, "response");
  if (answer?.statusCode !== 200) throw new Error(`etcd answered ${answer?.statusCode}`);
  // A process that is killed takes its connections with it.
  return answer.on("error", () => undefined);
}

function parseEvent(event: Json): { readonly key: string; readonly value: string | undefined } {
  const key = decode(textAt(event, "kv", "key") ?? "");
  if (isObject(event) && event["type"] === "DELETE") return { key, value: undefined };
  return { key, value: textAt(event, "kv", "value") ?? "" };
}
