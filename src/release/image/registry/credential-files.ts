import { spawn } from "node:child_process";
import { join } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { type JsonObject, isObject, objectAt, parseObject, textAt } from "../../../model/json.ts";
import { joinNames } from "../../../model/text.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `origin`: the file or the helper, for messages. */
export type RegistryCredentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string; readonly origin: string }
  | { readonly kind: "identityToken"; readonly token: string; readonly origin: string }
  | { readonly kind: "none"; readonly searched: string };

export type CredentialOptions = { readonly env: Env; readonly authFile?: string; readonly signal: AbortSignal };

export type CredentialFinder = (host: string, repository: string) => Promise<RegistryCredentials>;

/**
 * Finds the credentials for a repository as podman and docker do: in the file of --authfile or REGISTRY_AUTH_FILE alone, else in podman's
 * files, then in docker's. Within a file, a helper for the host comes first, then the longest prefix of HOST/REPOSITORY. Each file is
 * read once, since it may be a pipe with the cluster's pull secret.
 */
export function createCredentialFinder(options: CredentialOptions): CredentialFinder {
  const given = options.authFile ?? (options.env["REGISTRY_AUTH_FILE"] || undefined);
  const paths = given === undefined ? listDefaultFiles(options.env) : [given];
  const configs = new Map<string, Promise<JsonObject | undefined>>();
  return async (host, repository) => {
    for (const path of paths) {
      const reading = configs.get(path) ?? readAuthFile(path, given !== undefined);
      configs.set(path, reading);
      const config = await reading;
      const found = config && (await findInFile(config, path, host, repository, options));
      if (found) return found;
    }
    return { kind: "none", searched: joinNames(paths) };
  };
}

function listDefaultFiles(env: Env): readonly string[] {
  const home = env["HOME"];
  const folders: readonly (readonly [string | undefined, string])[] = [
    [env["XDG_RUNTIME_DIR"], "containers/auth.json"],
    [env["XDG_CONFIG_HOME"] || (home && join(home, ".config")), "containers/auth.json"],
    [env["DOCKER_CONFIG"] || (home && join(home, ".docker")), "config.json"],
  ];
  return folders.flatMap(([folder, name]) => (folder ? [join(folder, name)] : []));
}

/** A pull secret has a few KiB. */
const MAX_BYTES = 16 << 20;

async function readAuthFile(path: string, isRequired: boolean): Promise<JsonObject | undefined> {
  try {
    const text = await readTextFile(path, MAX_BYTES);
    const config = parseObject(text.trim() === "" ? "{}" : text);
    if (config) return config;
  } catch (thrown) {
    const code = errorCode(thrown) ?? formatError(thrown);
    if (!isRequired && code === "ENOENT") return undefined;
    throw new FailedError(`the credentials in ${path} can't be read (${code})`);
  }
  throw new FailedError(`the credentials in ${path} can't be read: it is not a JSON object`);
}

async function findInFile(
  config: JsonObject,
  path: string,
  host: string,
  repository: string,
  { env, signal }: CredentialOptions,
): Promise<RegistryCredentials | undefined> {
  const keys = listKeys(host, repository);
  const helper = keys.map((key) => textAt(config, "credHelpers", key)).find((name) => name);
  if (helper) return runCredentialHelper(helper, host, env, signal);
  const auths = normalizeKeys(objectAt(config, "auths"));
  for (const key of keys) {
    const credentials = parseEntry(auths.get(key), path);
    if (credentials) return credentials;
  }
  const store = textAt(config, "credsStore");
  return store ? runCredentialHelper(store, host, env, signal) : undefined;
}

/** "quay.io/org/release", "quay.io/org", "quay.io". */
function listKeys(host: string, repository: string): readonly string[] {
  const parts = [host, ...repository.split("/")];
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/** Docker also writes keys such as "https://registry.example.com/v2/". */
function normalizeKeys(auths: JsonObject): ReadonlyMap<string, JsonObject> {
  const normalized = new Map<string, JsonObject>();
  for (const [key, entry] of Object.entries(auths)) {
    const name = key
      .replace(/^https?:\/\//, "")
      .replace(/(?<!\/)\/+$/, "")
      .replace(/\/v[12]$/, "");
    if (isObject(entry) && (key === name || !normalized.has(name))) normalized.set(name, entry);
  }
  return normalized;
}

function parseEntry(entry: JsonObject | undefined, origin: string): RegistryCredentials | undefined {
  const token = textAt(entry, "identitytoken");
  if (token) return { kind: "identityToken", token, origin };
  const plain = Buffer.from(textAt(entry, "auth") ?? "", "base64").toString("utf8");
  const colon = plain.indexOf(":");
  if (colon > 0)
    return {
      kind: "password",
      username: plain.slice(0, colon),
      password: plain.slice(colon + 1).replace(/(?<!\0)\0+$/, ""),
      origin,
    };
  const username = textAt(entry, "username");
  const password = textAt(entry, "password");
  return username && password !== undefined ? { kind: "password", username, password, origin } : undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_LENGTH = 1 << 20;
/** What a helper gives as the name of the user if its secret is an identity token. */
const TOKEN_USER = "<token>";

/** Runs `docker-credential-NAME get`; undefined if the helper has no credentials for the host. Throws a FailedError if it fails otherwise. */
async function runCredentialHelper(
  name: string,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<RegistryCredentials | undefined> {
  if (!/^[\w.-]+$/.test(name)) throw new FailedError(`"${name}" is not the name of a credential helper`);
  const origin = `docker-credential-${name}`;
  const { code, output } = await runProgram(origin, host, env, signal);
  if (code !== 0 && /credentials not found/i.test(output)) return undefined;
  const answer = code === 0 ? parseObject(output) : undefined;
  const username = textAt(answer, "Username");
  const secret = textAt(answer, "Secret");
  if (username === undefined || secret === undefined)
    throw new FailedError(`${origin} gave no credentials for ${host}: run "echo ${host} | ${origin} get" to see why`);
  if (username === TOKEN_USER) return { kind: "identityToken", token: secret, origin };
  return secret === "" ? undefined : { kind: "password", username, password: secret, origin };
}

async function runProgram(
  program: string,
  input: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["get"], { env, signal, timeout: TIMEOUT_MS, stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (output.length > MAX_OUTPUT_LENGTH) child.kill();
    });
    child.on("error", (thrown) =>
      reject(
        new FailedError(`the credential helper ${program} can't be run (${errorCode(thrown) ?? formatError(thrown)})`),
      ),
    );
    child.on("close", (code) => resolve({ code, output }));
    // A helper that ends without reading its input is judged by its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
