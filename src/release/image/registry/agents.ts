import type { Agent } from "node:http";
import { FailedError } from "../../../model/errors.ts";
import { createAgent } from "../../../network/agent.ts";
import { PROXY_FORM, type ProxyChoice, chooseProxy, parseProxy } from "../../../network/proxy.ts";
import type { Proxy } from "../../../network/tunnel.ts";
import type { ClusterEgress, ImageOptions } from "../image-options.ts";
import { type ReadCertificates, openCertificates } from "./certificates.ts";

export type AgentOptions = Pick<ImageOptions, "env" | "caFile" | "authorities"> & {
  /** For update services and signature stores; absent for registries. */
  readonly anonymous?: AnonymousAccess;
};

/**
 * Who sets a cluster's proxy and authorities can read, and change, what is sent by way of them. So they count only where no credentials of
 * the user are sent.
 */
export type AnonymousAccess = { readonly egress?: ClusterEgress; readonly isPlainHttpAllowed?: true };

/** The connections to servers, opened when they are first needed. */
export type Agents = { readonly get: (url: URL) => Promise<Agent>; readonly close: () => void };

/** Throws a FailedError if the file of --registry-ca is unusable. */
export async function openAgents(options: AgentOptions): Promise<Agents> {
  const readCertificates = await openCertificates(options);
  const closing = new AbortController();
  const agents = new Map<string, Promise<Agent>>();
  const open = async (url: URL): Promise<Agent> => {
    const egress = findEgress(url, options.anonymous);
    const proxy = await findProxy(url, options.env, egress, readCertificates);
    const others = [...(options.authorities ?? []), ...(egress?.authorities ?? [])];
    return createAgent(url, proxy, await readCertificates(url.host, others), closing.signal);
  };
  return {
    get(url) {
      const key = `${url.origin} ${hasCredentials(url)}`;
      const agent = agents.get(key) ?? open(url);
      agents.set(key, agent);
      return agent;
    },
    close() {
      closing.abort();
      for (const agent of agents.values())
        void agent.then(
          (opened) => opened.destroy(),
          () => undefined,
        );
    },
  };
}

/** What counts of a cluster for an address. One with a password in it is none without credentials. */
export function findEgress(url: URL, anonymous: AnonymousAccess | undefined): ClusterEgress | undefined {
  return hasCredentials(url) ? undefined : anonymous?.egress;
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/** The environment's proxy may get credentials of the user, so the cluster's authorities don't count for it. */
async function findProxy(
  server: URL,
  env: AgentOptions["env"],
  egress: ClusterEgress | undefined,
  readCertificates: ReadCertificates,
): Promise<Proxy | undefined> {
  const choice = chooseProxy(server, env, egress?.proxy);
  if (choice.kind !== "proxy") return undefined;
  const url = requireProxy(choice);
  const { ca } = await readCertificates(url.host, choice.origin === "cluster" ? (egress?.authorities ?? []) : []);
  return { url, ...(ca === undefined ? {} : { ca }) };
}

function requireProxy({ address, origin }: Extract<ProxyChoice, { kind: "proxy" }>): URL {
  const url = parseProxy(address);
  if (url) return url;
  throw new FailedError(
    origin === "environment"
      ? `The proxy of the environment is not ${PROXY_FORM}: correct it`
      : `The status of Proxy cluster names a proxy that is not ${PROXY_FORM}: set HTTPS_PROXY to use another`,
  );
}
