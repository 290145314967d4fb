import type { OutgoingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { FailedError, formatError } from "../../model/errors.ts";
import { type Json, type JsonObject, isObject, objectAt, textAt } from "../../model/json.ts";
import { withExecInfo } from "./exec-info.ts";
import { buildImpersonationHeaders } from "./kubeconfig.ts";
import type { KubeContext } from "./kube-context.ts";
import type { TlsOptions } from "../../network/agent.ts";
import { defined } from "../../model/optional.ts";

export type Credentials = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsOptions;
};

/**
 * Gets the credentials of a context from client-node, before each request: it caches tokens, and runs plugins again when they expire.
 * The function rejects with a FailedError of one line.
 */
export async function createCredentialSource(kubeContext: KubeContext): Promise<() => Promise<Credentials>> {
  const config = new KubeConfig();
  const impersonationHeaders = buildImpersonationHeaders(kubeContext.user);
  config.loadFromString(JSON.stringify(await buildClientNodeConfig(kubeContext)));
  return async () => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new FailedError(
        `No credentials for the context ${kubeContext.name}: ${explainFailure(kubeContext, error)}`,
      );
    }
    return { headers: { ...buildHeaders(options), ...impersonationHeaders }, tls: selectTlsOptions(options) };
  };
}

/**
 * The context alone, corrected where client-node differs from client-go: data wins over files, tokenFile is a key of a user and wins
 * over a token, and a plain http server needs no insecure-skip-tls-verify. Proxies are handled here.
 */
async function buildClientNodeConfig(kubeContext: KubeContext): Promise<JsonObject> {
  const { "proxy-url": _proxy, ...cluster } = dropShadowedFiles(kubeContext.cluster, ["certificate-authority"]);
  const insecure = kubeContext.server.startsWith("http:") ? { "insecure-skip-tls-verify": true } : {};
  return {
    clusters: [{ name: "c", cluster: { ...cluster, server: kubeContext.server, ...insecure } }],
    users: [{ name: "u", user: await buildClientNodeUser(kubeContext) }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
}

async function buildClientNodeUser(kubeContext: KubeContext): Promise<JsonObject> {
  const user = dropShadowedFiles(kubeContext.user, ["client-certificate", "client-key"]);
  const tokenFile = textAt(user, "tokenFile");
  if (tokenFile) {
    const { token: _token, ...rest } = user;
    return { ...rest, "auth-provider": { name: "tokenFile", config: { tokenFile } } };
  }
  if (!isObject(user["exec"])) return user;
  return { ...user, exec: await withExecInfo(user["exec"], kubeContext) };
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

function isHeaders(headers: RequestOptions["headers"]): headers is OutgoingHttpHeaders {
  return headers !== undefined && !Array.isArray(headers);
}

function selectTlsOptions(options: RequestOptions): TlsOptions {
  const { ca, cert, key, passphrase, servername, rejectUnauthorized } = options;
  return {
    ...defined({ ca, cert, key, passphrase, servername, rejectUnauthorized }),
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
