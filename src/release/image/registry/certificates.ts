import { join } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import { readEntries } from "../../../files/named-folder.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { compareText } from "../../../model/json.ts";
import type { TlsOptions } from "../../../network/agent.ts";
import {
  getSystemAuthorities,
  isCertificate,
  parseCertificates,
  splitCertificates,
} from "../../../network/certificates.ts";
import type { HostAuthorities, ImageOptions } from "../image-options.ts";

/** All authorities of a system together have less than 1 MiB. */
const MAX_BYTES = 16 << 20;

/** `others`: those of a cluster. */
export type ReadCertificates = (host: string, others: readonly HostAuthorities[]) => Promise<TlsOptions>;

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
