import { FailedError } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { isReadableFile } from "../../files/named-file.ts";

/** One context of a kubeconfig, with its cluster and its user. */
export type KubeContext = {
  readonly name: string;
  readonly server: string;
  readonly cluster: JsonObject;
  readonly user: JsonObject;
};

/** Throws a FailedError that names the file and what it lacks. */
export async function selectKubeContext(config: Kubeconfig, requestedName: string | undefined): Promise<KubeContext> {
  const name = requestedName ?? config.currentContext;
  const entry = config.contexts.get(name);
  if (!entry) throw new FailedError(formatUnknownContext(config, name));
  const label = `context ${name} of ${config.origin}`;
  const cluster = getEntry(label, "cluster", textAt(entry, "cluster"), config.clusters);
  const server = parseServer(label, cluster);
  const user = isAnonymous(server, entry) ? {} : getEntry(label, "user", textAt(entry, "user"), config.users);
  await checkFiles(label, cluster, user);
  return { name, server, cluster, user };
}

function formatUnknownContext(config: Kubeconfig, context: string): string {
  const names = [...config.contexts.keys()].toSorted().slice(0, 10).join(", ");
  if (names === "")
    return `${config.origin} has no context: log in to a cluster, or name another file with --kubeconfig`;
  if (context === "") return `${config.origin} sets no current context: choose one with --context (known: ${names})`;
  return `${config.origin} has no context ${context}: choose another one with --context (known: ${names})`;
}

/** Such as `kubectl proxy`, which authenticates on behalf of its clients. */
function isAnonymous(server: string, context: JsonObject): boolean {
  return server.startsWith("http:") && !textAt(context, "user");
}

function getEntry(
  context: string,
  what: "cluster" | "user",
  name: string | undefined,
  entries: ReadonlyMap<string, JsonObject>,
): JsonObject {
  if (!name)
    throw new FailedError(`The ${context} names no ${what}: add one, or choose another context with --context`);
  const namedEntry = entries.get(name);
  if (!namedEntry) {
    throw new FailedError(
      `The ${context} names the ${what} ${name}, which does not exist: add it, or choose another context`,
    );
  }
  return namedEntry;
}

function parseServer(context: string, cluster: JsonObject): string {
  const text = textAt(cluster, "server") ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new FailedError(`The server of the ${context} is not an http or https URL: ${JSON.stringify(text)}`);
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

/** Of a certificate, a key or a token: the longest bundles have less than 1 MiB. */
export const MAX_CREDENTIAL_BYTES = 16 << 20;

const FILE_KEYS = [
  ["certificate-authority", "certificate authority"],
  ["client-certificate", "client certificate"],
  ["client-key", "client key"],
  ["tokenFile", "token file"],
] as const;

async function checkFiles(context: string, cluster: JsonObject, user: JsonObject): Promise<void> {
  for (const [key, what] of FILE_KEYS) {
    const file = textAt(key === "certificate-authority" ? cluster : user, key);
    if (!file || hasData(key, cluster, user) || (await isReadableFile(file, MAX_CREDENTIAL_BYTES))) continue;
    throw new FailedError(
      `The ${what} ${file} of the ${context} can't be read, or is not a regular file: correct the path, or log in again`,
    );
  }
  const [cert, key] = ["client-certificate", "client-key"].map((part) => Boolean(user[part] ?? user[`${part}-data`]));
  if (cert === key) return;
  throw new FailedError(
    `The ${context} has a client ${cert ? "certificate without a key" : "key without a certificate"}`,
  );
}

function hasData(key: string, cluster: JsonObject, user: JsonObject): boolean {
  return Boolean(textAt(cluster, `${key}-data`) ?? textAt(user, `${key}-data`));
}
