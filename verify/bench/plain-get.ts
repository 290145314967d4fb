// The limit of any reader: GETs of a whole list, page by page, which look at nothing but the continue token.
// `node verify/bench/plain-get.ts URL LIMIT [PKI]`; a LIMIT of 0 asks for one page. PKI has ca.crt, admin.crt and admin.key.
import { readFileSync } from "node:fs";
import { get as getHttp, type IncomingMessage } from "node:http";
import { Agent, get as getHttps } from "node:https";
import { join } from "node:path";
import process from "node:process";

/** More than the metadata of a list, which comes before its items or after them. */
const EDGE_BYTES = 4_096;

const [url = "", limit = "0", pki] = process.argv.slice(2);
const agent = pki === undefined ? undefined : new Agent({ keepAlive: true, ...readCredentials(pki) });

function readCredentials(folder: string): { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer } {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
}

function request(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = agent === undefined ? getHttp(address, resolve) : getHttps(address, { agent }, resolve);
    sent.on("error", reject);
  });
}

async function readPage(token: string): Promise<{ readonly bytes: number; readonly next: string }> {
  const query = new URLSearchParams({
    ...(limit === "0" ? {} : { limit }),
    ...(token === "" ? {} : { continue: token }),
  });
  const response = await request(`${url}?${query.toString()}`);
  let bytes = 0;
  let first = "";
  let last = "";
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (first === "") first = chunk.toString("latin1", 0, EDGE_BYTES);
    last = (last + chunk.toString("latin1", Math.max(0, chunk.length - EDGE_BYTES))).slice(-EDGE_BYTES);
  });
  await new Promise((resolve, reject) => response.on("end", resolve).on("error", reject));
  if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}`);
  return { bytes, next: /"continue":"([^"]+)"/.exec(`${first}\n${last}`)?.[1] ?? "" };
}

let requests = 0;
let bytes = 0;
let token = "";
do {
  const page = await readPage(token);
  requests++;
  bytes += page.bytes;
  token = page.next;
} while (token !== "");
console.log(JSON.stringify({ requests, bytes }));
agent?.destroy();
