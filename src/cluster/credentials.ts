import type { OutgoingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import { type SecureContextOptions } from "node:tls";
import { KubeConfig } from "@kubernetes/client-node";
import { FailedError, errorText } from "../model/errors.ts";
import { type Json, type JsonObject, isObject, objectAt, textAt } from "../model/json.ts";
import { withExecInfo } from "./exec-info.ts";
import { impersonation } from "./kubeconfig.ts";
import type { Target } from "./target.ts";

export type TlsOptions = Pick<SecureContextOptions, "ca" | "cert" | "key" | "passphrase"> & {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
};

export type Credentials = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsOptions;
};

/**
 * What client-node makes of a context, asked before each request: it renews tokens and runs plugins as they expire, and caches
 * until then. The function rejects with a FailedError of one line.
 */
export async function authenticate(target: Target): Promise<() => Promise<Credentials>> {
  const config = new KubeConfig();
  const extra = impersonation(target.user);
  config.loadFromString(JSON.stringify(await asClientNodeReads(target)));
  return async () => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new FailedError(`No credentials for the context ${target.context}: ${explain(target, error)}`);
    }
    return { headers: { ...headersOf(options), ...extra }, tls: tlsOf(options) };
  };
}

/**
 * The context alone, with what client-node reads otherwise than client-go set right: data wins over files, tokenFile is a user's
 * key and wins over a token, proxies are ours to handle, and a plain http server needs no leave to be insecure.
 */
async function asClientNodeReads(target: Target): Promise<JsonObject> {
  const { "proxy-url": _proxy, ...cluster } = withoutShadowed(target.cluster, ["certificate-authority"]);
  const insecure = target.server.startsWith("http:") ? { "insecure-skip-tls-verify": true } : {};
  return {
    clusters: [{ name: "c", cluster: { ...cluster, server: target.server, ...insecure } }],
    users: [{ name: "u", user: await userForClientNode(target) }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
}

async function userForClientNode(target: Target): Promise<JsonObject> {
  const user = withoutShadowed(target.user, ["client-certificate", "client-key"]);
  const tokenFile = textAt(user, "tokenFile");
  if (tokenFile) {
    const { token: _token, ...rest } = user;
    return { ...rest, "auth-provider": { name: "tokenFile", config: { tokenFile } } };
  }
  if (!isObject(user["exec"])) return user;
  return { ...user, exec: await withExecInfo(user["exec"], target) };
}

function withoutShadowed(entry: JsonObject, keys: readonly string[]): JsonObject {
  const kept: Record<string, Json> = { ...entry };
  for (const key of keys) if (kept[`${key}-data`]) delete kept[key];
  return kept;
}

/** A token file's last line end is no part of the token. */
function headersOf(options: RequestOptions): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  const given: OutgoingHttpHeaders = isHeaders(options.headers) ? options.headers : {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") headers[name] = value.trim();
    else if (Array.isArray(value)) headers[name] = value;
  }
  if (options.auth) headers["Authorization"] ??= `Basic ${Buffer.from(options.auth).toString("base64")}`;
  return headers;
}

function isHeaders(headers: RequestOptions["headers"]): headers is OutgoingHttpHeaders {
  return headers !== undefined && !Array.isArray(headers);
}

function tlsOf(options: RequestOptions): TlsOptions {
  const { ca, cert, key, passphrase, servername, rejectUnauthorized } = options;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(servername === undefined ? {} : { servername }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}

const LONGEST_EXPLANATION = 300;

function explain(target: Target, error: unknown): string {
  const text = errorText(error).replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_EXPLANATION);
  const exec = objectAt(target.user, "exec");
  const command = textAt(exec, "command");
  if (!command) return text;
  if (!text.includes("ENOENT")) return `the credential plugin ${command} failed: ${text || "it said nothing"}`;
  const hint = textAt(exec, "installHint")?.replaceAll(/\s+/g, " ").trim();
  return `the credential plugin ${command} is not installed${hint ? `: ${hint}` : ""}`;
}
