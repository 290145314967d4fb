import type { Agent } from "node:http";
import { join } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import { readEntries } from "../../../files/named-folder.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { compareText } from "../../../model/json.ts";
import { type TlsOptions, createAgent } from "../../../network/agent.ts";
import {
  getSystemAuthorities,
  isCertificate,
  parseCertificates,
  splitCertificates,
} from "../../../network/certificates.ts";
import { PROXY_FORM, type ProxyChoice, chooseProxy, parseProxy } from "../../../network/proxy.ts";
import type { Proxy } from "../../../network/tunnel.ts";
import type { ClusterEgress, HostAuthorities, ImageOptions } from "../image-options.ts";

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

/** All authorities of a system together have less than 1 MiB. */
const MAX_BYTES = 16 << 20;

/** `others`: those of a cluster. */
type ReadCertificates = (host: string, others: readonly HostAuthorities[]) => Promise<TlsOptions>;

/** Finds the certificates for a host: those of --registry-ca, of podman and docker in `certs.d`, and others. */
export async function openCertificates({
  env,
  caFile,
}: Pick<ImageOptions, "env" | "caFile">): Promise<ReadCertificates> {
  const given = caFile === undefined ? [] : await readAuthorities(caFile, `--registry-ca ${caFile}`);
  return async (host, others) => {
    const { authorities, client } = await readHostCertificates(listFolders(env), host);
    const named = others.filter((one) => one.host === "" || one.host === host);
    const ca = [...given, ...authorities, ...named.flatMap(({ pem }) => parseCertificates(pem))];
    return { ...(ca.length === 0 ? {} : { ca: addToSystem(ca) }), ...client };
  };
}

/** The authorities of the system stay trusted, since a registry may refer to other hosts. */
function addToSystem(authorities: readonly string[]): string[] {
  return [...new Set([...getSystemAuthorities(), ...authorities])];
}

function listFolders(env: ImageOptions["env"]): readonly string[] {
  const config = env["XDG_CONFIG_HOME"] || (env["HOME"] && join(env["HOME"], ".config"));
  return [...(config ? [join(config, "containers/certs.d")] : []), "/etc/containers/certs.d", "/etc/docker/certs.d"];
}

type HostCertificates = {
  readonly authorities: readonly string[];
  readonly client: { readonly cert?: string; readonly key?: string };
};

/** The first folder that has the host counts: `*.crt` are authorities, `NAME.cert` and `NAME.key` authenticate the client. */
async function readHostCertificates(folders: readonly string[], host: string): Promise<HostCertificates> {
  for (const folder of folders) {
    const path = join(folder, host);
    const entries = await readEntries(path).catch(() => undefined);
    if (!entries) continue;
    const names = entries.map(({ name }) => name).toSorted(compareText);
    const authorities: string[] = [];
    for (const name of names.filter((one) => one.endsWith(".crt")))
      authorities.push(...(await readAuthorities(join(path, name), join(path, name))));
    const pair = names.find((name) => name.endsWith(".cert") && names.includes(name.replace(/cert$/, "key")));
    return { authorities, client: pair === undefined ? {} : await readPair(join(path, pair)) };
  }
  return { authorities: [], client: {} };
}

async function readPair(certFile: string): Promise<HostCertificates["client"]> {
  const keyFile = certFile.replace(/cert$/, "key");
  return { cert: await readText(certFile, certFile), key: await readText(keyFile, keyFile) };
}

async function readAuthorities(path: string, what: string): Promise<readonly string[]> {
  const blocks = splitCertificates(await readText(path, what));
  if (blocks.length === 0) throw new FailedError(`${what} has no PEM certificate`);
  const damaged = blocks.findIndex((block) => !isCertificate(block));
  if (damaged < 0) return blocks;
  throw new FailedError(`${what} has a damaged certificate: number ${damaged + 1} of ${blocks.length}`);
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_BYTES);
  } catch (thrown) {
    throw new FailedError(`${what} can't be read (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
