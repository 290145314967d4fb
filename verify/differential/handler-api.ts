import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { at, numberAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";
import { FEWER_COLLECTIONS } from "../api-server/go.ts";

/** Where an API server answers requests: a real one, or the handler of its packages. */
export type Api = Pick<AdminApi, "call">;

/** The handler as a program, and the conversion webhook that it has on loopback; a real API server can call it, too. */
export type HandlerApi = Api & {
  readonly webhook: { readonly url: string; readonly caBundle: string };
  readonly close: () => void;
};

type Waiting = { readonly resolve: (answer: AdminResponse) => void; readonly reject: (reason: Error) => void };

/** Starts the program, which has no definitions at first. */
export async function openHandler(path: string): Promise<HandlerApi> {
  const child = spawn(path, { env: { ...process.env, ...FEWER_COLLECTIONS }, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, Waiting>();
  const lines = createInterface({ input: child.stdout });
  const started = new Promise<HandlerApi["webhook"]>((resolve, reject) => {
    lines.once("line", (line: string) => {
      const first = parseObject(line);
      resolve({ url: textAt(first, "url") ?? "", caBundle: textAt(first, "caBundle") ?? "" });
      lines.on("line", (next: string) => settle(waiting, next));
    });
    child.once("error", reject).once("close", (code) => {
      const reason = new Error(`the handler ended with ${code ?? "a signal"}`);
      reject(reason);
      for (const one of waiting.values()) one.reject(reason);
    });
  });
  const webhook = await started;
  let next = 0;
  const call: Api["call"] = (method, target, body, type = "application/json") =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ id, method, path: target, type, ...(body ? { body } : {}) })}\n`);
    });
  return { call, webhook, close: () => child.stdin.end() };
}

function settle(waiting: Map<number, Waiting>, line: string): void {
  const answer = parseObject(line);
  const id = numberAt(answer, "id") ?? -1;
  const code = numberAt(answer, "code") ?? 0;
  waiting
    .get(id)
    ?.resolve({ code, body: at(answer, "body") === undefined ? {} : objectAt(answer ?? {}, "body"), warnings: [] });
  waiting.delete(id);
}
