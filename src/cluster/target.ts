import { FailedError } from "../model/errors.ts";
import { type JsonObject, textAt } from "../model/json.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { isReadable } from "./source.ts";

/** One context of a kubeconfig, with its cluster and its user. */
export type Target = {
  readonly context: string;
  readonly server: string;
  readonly cluster: JsonObject;
  readonly user: JsonObject;
};

/** Throws a FailedError that names the file and what is missing in it. */
export async function chooseTarget(config: Kubeconfig, wanted: string | undefined): Promise<Target> {
  const context = wanted ?? config.currentContext;
  const entry = config.contexts.get(context);
  if (!entry) throw new FailedError(unknownContext(config, context));
  const named = `context ${context} of ${config.from}`;
  const cluster = part(named, "cluster", textAt(entry, "cluster"), config.clusters);
  const server = serverOf(named, cluster);
  const user = anonymous(server, entry) ? {} : part(named, "user", textAt(entry, "user"), config.users);
  await checkFiles(named, cluster, user);
  return { context, server, cluster, user };
}

function unknownContext(config: Kubeconfig, context: string): string {
  const known = [...config.contexts.keys()].toSorted().slice(0, 10).join(", ") || "none";
  if (context === "") return `${config.from} sets no current context: choose one with --context (known: ${known})`;
  return `${config.from} has no context ${context}: choose another one with --context (known: ${known})`;
}

/** As with `kubectl proxy`: a plain server behind which someone else authenticates. */
function anonymous(server: string, context: JsonObject): boolean {
  return server.startsWith("http:") && !textAt(context, "user");
}

function part(
  context: string,
  what: "cluster" | "user",
  name: string | undefined,
  among: ReadonlyMap<string, JsonObject>,
): JsonObject {
  if (!name)
    throw new FailedError(`The ${context} names no ${what}: add one, or choose another context with --context`);
  const found = among.get(name);
  if (!found) {
    throw new FailedError(
      `The ${context} names the ${what} ${name}, which is not there: add it, or choose another context`,
    );
  }
  return found;
}

function serverOf(context: string, cluster: JsonObject): string {
  const text = textAt(cluster, "server") ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new FailedError(`The server of the ${context} is no http or https URL: ${JSON.stringify(text)}`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

const FILES = [
  ["certificate-authority", "certificate authority"],
  ["client-certificate", "client certificate"],
  ["client-key", "client key"],
  ["tokenFile", "token file"],
] as const;

async function checkFiles(context: string, cluster: JsonObject, user: JsonObject): Promise<void> {
  for (const [key, what] of FILES) {
    const file = textAt(key === "certificate-authority" ? cluster : user, key);
    if (!file || hasData(key, cluster, user) || (await isReadable(file))) continue;
    throw new FailedError(`The ${what} ${file} of the ${context} can't be read: correct the path, or log in again`);
  }
  const [cert, key] = ["client-certificate", "client-key"].map((one) => Boolean(user[one] ?? user[`${one}-data`]));
  if (cert === key) return;
  throw new FailedError(
    `The ${context} has a client ${cert ? "certificate without a key" : "key without a certificate"}`,
  );
}

function hasData(key: string, cluster: JsonObject, user: JsonObject): boolean {
  return Boolean(textAt(cluster, `${key}-data`) ?? textAt(user, `${key}-data`));
}
