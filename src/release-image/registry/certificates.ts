import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { readTextFile } from "../../files/named-file.ts";
import { readEntries } from "../../files/named-folder.ts";
import { FailedError, errorCode, formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import type { TlsOptions } from "../../network/agent.ts";
import type { ImageOptions } from "../image-options.ts";

/** All authorities of a system together have less than 1 MiB. */
const MAX_BYTES = 16 << 20;

/** Finds the certificates for a host: those of --registry-ca, of podman and docker in `certs.d`, and those that a cluster trusts. */
export async function openCertificates({
  env,
  caFile,
  authorities: others = [],
}: ImageOptions): Promise<(host: string) => Promise<TlsOptions>> {
  const given = caFile === undefined ? [] : await readAuthorities(caFile, `--registry-ca ${caFile}`);
  return async (host) => {
    const { authorities, client } = await readHostCertificates(listFolders(env), host);
    const named = others.filter((one) => one.host === "" || one.host === host);
    const ca = [...given, ...authorities, ...named.flatMap(({ pem }) => splitCertificates(pem))];
    return { ...(ca.length === 0 ? {} : { ca: addToSystem(ca) }), ...client };
  };
}

/** The authorities of the system stay trusted, since a registry may refer to other hosts. */
function addToSystem(authorities: readonly string[]): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system"), ...authorities])];
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
  const certificates = splitCertificates(await readText(path, what));
  if (certificates.length > 0) return certificates;
  throw new FailedError(`${what} has no PEM certificate`);
}

function splitCertificates(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_BYTES);
  } catch (thrown) {
    throw new FailedError(`${what} can't be read (${errorCode(thrown) ?? formatError(thrown)})`);
  }
}
