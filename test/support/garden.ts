import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "../../src/model/json.ts";
import type { Answer, Api } from "./api.ts";
import type { Etcd } from "./etcd.ts";

/** Where cases are planted: an API server and the store behind it. */
export type Garden = { readonly api: Api; readonly etcd: Etcd };

/** A case that a real API server can't be brought into, and why. */
export class Refused extends Error {}

export function refusal(path: string, { code, body }: Answer): Refused {
  const text = (textAt(body, "message") ?? "").replaceAll(/Invalid value: "[^"]{60,}"/g, "Invalid value");
  return new Refused(`the API server refuses ${path}: ${code} ${text}`.slice(0, 400));
}

const PAUSE = 30;
const TRIES = 100;
const PATIENCE = 20;

export async function until(attempt: () => Promise<boolean>, why: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await attempt()) return;
    await sleep(PAUSE);
  }
  throw new Refused(why);
}

/** Tries again what is refused for something that may be over in a moment. */
export async function retried(attempt: () => Promise<Answer>, mayPass: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await attempt();
  for (let tries = 0; tries < PATIENCE && answer.code >= 300 && mayPass(answer); tries += 1) {
    await sleep(PAUSE);
    answer = await attempt();
  }
  return answer;
}
