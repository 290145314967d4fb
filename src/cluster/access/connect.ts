import { createHash } from "node:crypto";
import type { Agent } from "node:http";
import { FailedError, formatError } from "../../model/errors.ts";
import { flagAt, textAt } from "../../model/json.ts";
import { type TlsOptions, createAgent } from "../../network/agent.ts";
import type { RequestAuth, ConnectOptions, Connection } from "./connection.ts";
import { createCredentialSource } from "./credentials.ts";
import { PROXY_FORM, findProxyInEnv, parseProxy } from "../../network/proxy.ts";
import { loadKubeconfig } from "./loading-rules.ts";
import { type KubeContext, selectKubeContext } from "./kube-context.ts";
import { formatProxy } from "../../network/tunnel.ts";

/**
 * Finds a cluster as kubectl would. Sends nothing yet, and runs no credential plugin. Throws a FailedError of one line that names the
 * file if a kubeconfig, or a file that it names, is missing or unusable.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const config = await loadKubeconfig(options);
  const kubeContext = await selectKubeContext(config, options.context);
  const proxy = selectProxy(kubeContext, options.env);
  const agents = createAgentCache(new URL(kubeContext.server), proxy);
  const first = await createAuthSource(kubeContext, options.env, agents);
  if (!kubeContext.user["exec"] && !kubeContext.user["auth-provider"]) await first();
  return {
    server: kubeContext.server,
    context: kubeContext.name,
    origin: config.origin,
    proxy: proxy && formatProxy(proxy),
    isInsecure: isInsecure(kubeContext) ? true : undefined,
    ...createAuthCache(first, () => reloadAuthSource(options, kubeContext, agents)),
    close: agents.close,
  };
}

function isInsecure({ server, cluster }: KubeContext): boolean {
  return server.startsWith("https:") && flagAt(cluster, "insecure-skip-tls-verify") === true;
}

function selectProxy(kubeContext: KubeContext, env: ConnectOptions["env"]): URL | undefined {
  const proxyUrl = textAt(kubeContext.cluster, "proxy-url") || undefined;
  const text = proxyUrl ?? findProxyInEnv(new URL(kubeContext.server), env);
  if (text === undefined) return undefined;
  const proxy = parseProxy(text);
  if (proxy) return proxy;
  const where = proxyUrl ? `proxy-url of the context ${kubeContext.name}` : "proxy of the environment";
  throw new FailedError(`The ${where} is not ${PROXY_FORM}: correct it`);
}

type AuthSource = () => Promise<RequestAuth>;
type AgentCache = {
  readonly getAgent: (tls: TlsOptions) => Agent;
  readonly closeSignal: AbortSignal;
  readonly close: () => void;
};

/** One agent for as long as the certificates stay the same. Requests on a replaced agent may finish. */
function createAgentCache(server: URL, proxy: URL | undefined): AgentCache {
  const closeController = new AbortController();
  let cached: { readonly key: string; readonly agent: Agent } | undefined;
  return {
    closeSignal: closeController.signal,
    getAgent(tls) {
      const key = hashTlsOptions(tls);
      if (cached?.key !== key)
        cached = { key, agent: createAgent(server, proxy && { url: proxy }, tls, closeController.signal) };
      return cached.agent;
    },
    close() {
      closeController.abort();
      cached?.agent.destroy();
    },
  };
}

function hashTlsOptions(tls: TlsOptions): string {
  const hash = createHash("sha256");
  for (const part of [tls.ca, tls.cert, tls.key, tls.passphrase, tls.servername, tls.rejectUnauthorized]) {
    hash.update(typeof part === "string" || Buffer.isBuffer(part) ? part : (JSON.stringify(part) ?? "")).update("\0");
  }
  return hash.digest("base64");
}

async function createAuthSource(
  kubeContext: KubeContext,
  env: ConnectOptions["env"],
  agents: AgentCache,
): Promise<AuthSource> {
  const credentials = await createCredentialSource(kubeContext, env, agents.closeSignal);
  return async () => {
    const { headers, tls } = await credentials();
    try {
      return { headers, agent: agents.getAgent(tls) };
    } catch (error) {
      throw new FailedError(`The certificates of the context ${kubeContext.name} can't be used: ${formatError(error)}`);
    }
  };
}

/** Re-reads the kubeconfig, since a login may have renewed it, but never switches to another server. */
async function reloadAuthSource(
  options: ConnectOptions,
  kubeContext: KubeContext,
  agents: AgentCache,
): Promise<AuthSource> {
  const reloaded = await selectKubeContext(await loadKubeconfig(options), kubeContext.name);
  if (reloaded.server === kubeContext.server) return createAuthSource(reloaded, options.env, agents);
  throw new FailedError(
    `The context ${kubeContext.name} now names another server, ${reloaded.server}: start preflight again`,
  );
}

/** Concurrent requests share one reading of the credentials, and one renewal. */
function createAuthCache(
  first: AuthSource,
  reload: () => Promise<AuthSource>,
): Pick<Connection, "getAuth" | "renewAuth"> {
  let current = Promise.resolve(first);
  let pending: Promise<RequestAuth> | undefined;
  const sources = new WeakMap<RequestAuth, Promise<AuthSource>>();
  const getAuth = (): Promise<RequestAuth> => {
    pending ??= fetchAuth().finally(() => (pending = undefined));
    return pending;
  };
  return { getAuth, renewAuth };

  async function fetchAuth(): Promise<RequestAuth> {
    const source = current;
    const auth = await (await source)();
    sources.set(auth, source);
    return auth;
  }

  async function renewAuth(refused: RequestAuth): Promise<RequestAuth> {
    if (sources.get(refused) === current) {
      const previous = current;
      current = reload();
      current.catch(() => (current = previous));
      pending = undefined;
    }
    return getAuth();
  }
}
