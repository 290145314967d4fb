import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { FailedError } from "../../../src/model/errors.ts";
import { type Json, listAt, numberAt, objectAt, parseObject, textAt } from "../../../src/model/json.ts";
import type { HttpClient } from "../../../src/release/image/registry/http-client.ts";
import type { RegistryCredentials } from "../../../src/release/image/registry/credential-files.ts";
import { createRegistrySource } from "../../../src/release/image/registry/registry-source.ts";
import { computeContentDigest, verifyContent } from "../../../src/release/image/verified-content.ts";
import { unlessRefused } from "../refusals.ts";
import type { FuzzTarget } from "../target.ts";

const BODY = "body";
const DIGEST = computeContentDigest(Buffer.from(BODY));
const REFERENCE = { kind: "registry", host: "a.example.com", repository: "org/a", tag: "t" } as const;
const CHALLENGE = 'Bearer realm="https://b.example.com/token?x=1",service="a",scope="repository:org/a:pull"';
const CREDENTIALS: readonly RegistryCredentials[] = [
  { kind: "none", searched: "a" },
  { kind: "password", username: "a", password: "b", origin: "c" },
  { kind: "identityToken", token: "a", origin: "c" },
];

const TOKEN = { status: 200, body: '{"token":"t"}' };
const WHOLE = { status: 200, headers: { "docker-content-digest": DIGEST }, body: BODY };
const SCRIPTS: readonly Json[] = [
  [{ status: 401, headers: { "www-authenticate": CHALLENGE } }, TOKEN, WHOLE],
  [{ status: 401, headers: { "www-authenticate": "Basic realm=x" } }, WHOLE],
  [{ status: 307, headers: { location: "https://c.example.com/x" } }, WHOLE],
  [{ status: 429, headers: { "retry-after": "3" }, body: '{"errors":[{"code":"A","message":"b"}]}' }, WHOLE],
  [{ status: 206, headers: { "content-range": "bytes 1-3/4" }, body: "ody" }, WHOLE],
];

/** What a registry answers ends in content that is what its digest says, or in one line. */
export const target: FuzzTarget = {
  seeds: SCRIPTS.flatMap((answers) => [0, 1, 2].map((login) => JSON.stringify({ login, answers }))),
  run: async (input) => {
    const script = parseObject(input.toString("utf8"));
    const credentials = CREDENTIALS[numberAt(script, "login") ?? 0] ?? { kind: "none", searched: "" };
    const http = createScriptedClient(listAt(script, "answers"));
    const source = createRegistrySource(REFERENCE, http, async () => credentials);
    await unlessRefused(async () => source.readManifest());
    await unlessRefused(async () => source.readManifest(DIGEST));
    const blob = { digest: DIGEST, size: BODY.length };
    await unlessRefused(async () => {
      for await (const _chunk of verifyContent(source.readBlob(blob), blob, "the layer"));
    });
  },
};

/** Gives one answer after the other, without a network. */
function createScriptedClient(answers: readonly Json[]): HttpClient {
  let next = 0;
  const attempt = async <T>(act: () => Promise<T>): Promise<T> => act();
  return {
    send: async () => {
      const answer = answers[next % Math.max(1, answers.length)] ?? null;
      next += 1;
      return buildMessage(answer);
    },
    retry: attempt,
    toBodyError: (thrown) => (thrown instanceof FailedError ? thrown : new FailedError(String(thrown))),
    formatSilenceHint: () => "",
    clock: { sleep: async () => undefined, random: () => 0.5, now: () => 0 },
    signal: new AbortController().signal,
    close: () => undefined,
  };
}

function buildMessage(answer: Json): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.statusCode = numberAt(answer, "status") ?? 200;
  for (const [name, value] of Object.entries(objectAt(answer, "headers")))
    if (typeof value === "string") message.headers[name.toLowerCase()] = value;
  message.push(textAt(answer, "body") ?? "");
  message.push(null);
  return message;
}
