import { createHash } from "node:crypto";
import type { Agent } from "node:http";
import { FailedError, errorText } from "../model/errors.ts";
import { textAt } from "../model/json.ts";
import { makeAgent } from "./agent.ts";
import type { Access, ConnectOptions, Connection } from "./connection.ts";
import { type TlsOptions, authenticate } from "./credentials.ts";
import { proxyOfEnv } from "./proxy.ts";
import { findKubeconfig } from "./source.ts";
import { type Target, chooseTarget } from "./target.ts";
import { proxyText } from "./tunnel.ts";

/**
 * Finds a cluster as kubectl would. Nothing is sent to it yet, and no credential plugin runs. Throws a FailedError of one line that names
 * the file, where a kubeconfig or something that it names is missing or unusable.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const config = await findKubeconfig(options);
  const target = await chooseTarget(config, options.context);
  const proxy = proxyFor(target, options.env);
  const agents = agentKeeper(new URL(target.server), proxy);
  const first = await signIn(target, agents);
  if (!target.user["exec"] && !target.user["auth-provider"]) await first();
  return {
    server: target.server,
    context: target.context,
    from: config.from,
    ...(proxy ? { proxy: proxyText(proxy) } : {}),
    ...renewable(first, () => signInAgain(options, target, agents)),
    close: agents.close,
  };
}

const PROXIES = new Set(["http:", "https:", "socks5:", "socks5h:"]);

function proxyFor(target: Target, env: ConnectOptions["env"]): URL | undefined {
  const given = textAt(target.cluster, "proxy-url") || undefined;
  const text = given ?? proxyOfEnv(new URL(target.server), env);
  if (text === undefined) return undefined;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy && PROXIES.has(proxy.protocol)) return proxy;
  const where = given ? `proxy-url of the context ${target.context}` : "proxy of the environment";
  throw new FailedError(`The ${where} is no http, https or socks5 URL: correct it`);
}

type SignedIn = () => Promise<Access>;
type Agents = { readonly agentFor: (tls: TlsOptions) => Agent; readonly close: () => void };

/** One agent as long as the certificates stay the same; what an older one has under way is left to end. */
function agentKeeper(server: URL, proxy: URL | undefined): Agents {
  const closing = new AbortController();
  let kept: { readonly key: string; readonly agent: Agent } | undefined;
  return {
    agentFor(tls) {
      const key = fingerprint(tls);
      if (kept?.key !== key) kept = { key, agent: makeAgent(server, proxy, tls, closing.signal) };
      return kept.agent;
    },
    close() {
      closing.abort();
      kept?.agent.destroy();
    },
  };
}

function fingerprint(tls: TlsOptions): string {
  const hash = createHash("sha256");
  for (const part of [tls.ca, tls.cert, tls.key, tls.passphrase, tls.servername, tls.rejectUnauthorized]) {
    hash.update(typeof part === "string" || Buffer.isBuffer(part) ? part : (JSON.stringify(part) ?? "")).update("\0");
  }
  return hash.digest("base64");
}

async function signIn(target: Target, agents: Agents): Promise<SignedIn> {
  const credentials = await authenticate(target);
  return async () => {
    const { headers, tls } = await credentials();
    try {
      return { headers, agent: agents.agentFor(tls) };
    } catch (error) {
      throw new FailedError(`The certificates of the context ${target.context} can't be used: ${errorText(error)}`);
    }
  };
}

/** Reads the configuration again, since a login may have renewed it, but never goes to another server. */
async function signInAgain(options: ConnectOptions, target: Target, agents: Agents): Promise<SignedIn> {
  const again = await chooseTarget(await findKubeconfig(options), target.context);
  if (again.server === target.server) return signIn(again, agents);
  throw new FailedError(`The context ${target.context} now names another server, ${again.server}: start again`);
}

/** Requests that come at the same time share one look at the credentials, and one renewal. */
function renewable(first: SignedIn, signInOnceMore: () => Promise<SignedIn>): Pick<Connection, "access" | "renew"> {
  let current = Promise.resolve(first);
  let asking: Promise<Access> | undefined;
  const given = new WeakMap<Access, Promise<SignedIn>>();
  const access = (): Promise<Access> => {
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
  return { access, renew };

  async function ask(): Promise<Access> {
    const from = current;
    const got = await (await from)();
    given.set(got, from);
    return got;
  }

  async function renew(refused: Access): Promise<Access> {
    if (given.get(refused) === current) {
      const before = current;
      current = signInOnceMore();
      current.catch(() => (current = before));
      asking = undefined;
    }
    return access();
  }
}
