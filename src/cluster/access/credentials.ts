import type { OutgoingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { FailedError, formatError } from "../../model/errors.ts";
import { type Json, type JsonObject, isObject, objectAt, textAt } from "../../model/json.ts";
import type { ConnectOptions } from "./connection.ts";
import { type ExecCredentials, createExecSource, withExecInfo } from "./exec-plugin.ts";
import { buildImpersonationHeaders } from "./kubeconfig.ts";
import type { KubeContext } from "./kube-context.ts";
import type { TlsOptions } from "../../network/agent.ts";

export type Credentials = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsOptions;
};

/**
 * Gets the credentials of a context before each request: from its plugin, and otherwise from client-node, which caches tokens. The function
 * rejects with a FailedError of one line. The signal ends a plugin that runs.
 */
export async function createCredentialSource(
  kubeContext: KubeContext,
  env: ConnectOptions["env"],
  closeSignal: AbortSignal,
): Promise<() => Promise<Credentials>> {
  const config = new KubeConfig();
  const impersonationHeaders = buildImpersonationHeaders(kubeContext.user);
  config.loadFromString(JSON.stringify(buildClientNodeConfig(kubeContext)));
  const getExecCredentials = await findExecSource(kubeContext, env, closeSignal);
  return async () => {
    const options: RequestOptions = {};
    const { token, cert, key } = await explain(kubeContext, async () => {
      await config.applyToHTTPSOptions(options);
      return getExecCredentials();
    });
    const tls = selectTlsOptions(options);
    const authorization = token === undefined ? undefined : { Authorization: `Bearer ${token.trim()}` };
    const headers = { ...authorization, ...buildHeaders(options), ...impersonationHeaders };
    return {
      headers: encodeHeaders(kubeContext.name, headers),
      tls: { ...tls, cert: cert ?? tls.cert, key: key ?? tls.key },
    };
  };
}

async function explain<T>(kubeContext: KubeContext, getCredentials: () => Promise<T>): Promise<T> {
  try {
    return await getCredentials();
  } catch (error) {
    throw new FailedError(`No credentials for the context ${kubeContext.name}: ${explainFailure(kubeContext, error)}`);
  }
}

async function findExecSource(
  kubeContext: KubeContext,
  env: ConnectOptions["env"],
  signal: AbortSignal,
): Promise<() => Promise<ExecCredentials>> {
  const { exec } = kubeContext.user;
  return isObject(exec) ? createExecSource(await withExecInfo(exec, kubeContext), env, signal) : async () => ({});
}

/**
 * The context alone, corrected where client-node differs from client-go: data wins over files, tokenFile is a key of a user and wins
 * over a token, and a plain http server needs no insecure-skip-tls-verify. Proxies are handled here.
 */
function buildClientNodeConfig(kubeContext: KubeContext): JsonObject {
  const { "proxy-url": _proxy, ...cluster } = dropShadowedFiles(kubeContext.cluster, ["certificate-authority"]);
  const insecure = kubeContext.server.startsWith("http:") ? { "insecure-skip-tls-verify": true } : undefined;
  return {
    clusters: [{ name: "c", cluster: { ...cluster, server: kubeContext.server, ...insecure } }],
    users: [{ name: "u", user: buildClientNodeUser(kubeContext) }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
}

function buildClientNodeUser(kubeContext: KubeContext): JsonObject {
  const { exec: _exec, ...user } = dropShadowedFiles(kubeContext.user, ["client-certificate", "client-key"]);
  const tokenFile = textAt(user, "tokenFile");
  if (!tokenFile) return user;
  const { token: _token, ...rest } = user;
  return { ...rest, "auth-provider": { name: "tokenFile", config: { tokenFile } } };
}

function dropShadowedFiles(entry: JsonObject, keys: readonly string[]): JsonObject {
  const copy: Record<string, Json> = { ...entry };
  for (const key of keys) if (copy[`${key}-data`]) delete copy[key];
  return copy;
}

/** A token file may end with a newline, which is not part of the token. */
function buildHeaders(options: RequestOptions): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  const source: OutgoingHttpHeaders = isHeaders(options.headers) ? options.headers : {};
  for (const [name, value] of Object.entries(source)) {
    if (typeof value === "string") headers[name] = value.trim();
    else if (Array.isArray(value)) headers[name] = value;
  }
  if (options.auth) headers["Authorization"] ??= `Basic ${Buffer.from(options.auth).toString("base64")}`;
  return headers;
}

/** Texts go as UTF-8, as client-go sends them. A line break in one would end the header. */
function encodeHeaders(context: string, headers: Credentials["headers"]): Credentials["headers"] {
  const encode = (name: string, text: string): string => {
    if (!/[\0-\u0008\u000a-\u001f\u007f]/.test(text)) return Buffer.from(text).toString("latin1");
    throw new FailedError(`No credentials for the context ${context}: ${name} would hold a control character`);
  };
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? encode(name, value) : value.map((one) => encode(name, one)),
  ]);
  return Object.fromEntries(entries);
}

function isHeaders(headers: RequestOptions["headers"]): headers is OutgoingHttpHeaders {
  return headers !== undefined && !Array.isArray(headers);
}

function selectTlsOptions(options: RequestOptions): TlsOptions {
  const { ca, cert, key, passphrase, servername, rejectUnauthorized } = options;
  return {
    ca,
    cert,
    key,
    passphrase,
    servername,
    rejectUnauthorized,
  };
}

const MAX_EXPLANATION = 300;

function explainFailure(kubeContext: KubeContext, error: unknown): string {
  const text = formatError(error).replaceAll(/\s+/g, " ").trim().slice(0, MAX_EXPLANATION);
  const exec = objectAt(kubeContext.user, "exec");
  const command = textAt(exec, "command");
  if (!command) return text;
  if (!text.includes("ENOENT")) return `the credential plugin ${command} failed: ${text || "it printed no error"}`;
  const hint = textAt(exec, "installHint")?.replaceAll(/\s+/g, " ").trim();
  return `the credential plugin ${command} is not installed${hint ? `: ${hint}` : ""}`;
}
