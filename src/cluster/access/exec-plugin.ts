import { type ChildProcess, spawn } from "node:child_process";
import { readFileBytes } from "../../files/named-file.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { flagAt, isObject, listAt, objectAt, parseObject, textAt } from "../../model/json.ts";
import { type KubeContext, MAX_CREDENTIAL_BYTES } from "./kube-context.ts";

/** What a credential plugin printed: a token, or a certificate with its key, or both. */
export type ExecCredentials = { readonly token?: string; readonly cert?: string; readonly key?: string };

type Env = Readonly<Record<string, string | undefined>>;
type Credential = ExecCredentials & { readonly expirationTimestamp?: string };

/** Runs a plugin, and again once what it printed has expired. Rejects with an Error that says what is wrong; the signal ends the plugin. */
export function createExecSource(
  exec: JsonObject,
  env: Env,
  signal: AbortSignal,
  now: () => number = Date.now,
): () => Promise<ExecCredentials> {
  let cached: Credential | undefined;
  return async () => {
    if (cached === undefined || hasExpired(cached, now())) cached = parseCredential(await runPlugin(exec, env, signal));
    return cached;
  };
}

function hasExpired({ expirationTimestamp }: Credential, now: number): boolean {
  return expirationTimestamp !== undefined && !(Date.parse(expirationTimestamp) > now);
}

/** Throws an Error as client-go does. What was printed may be a secret, so that no message repeats it. */
function parseCredential(text: string): Credential {
  const printed = parseObject(text);
  if (printed === undefined || !isObject(printed["status"]))
    throw new Error("it printed no ExecCredential with a status");
  const status = objectAt(printed, "status");
  const token = textAt(status, "token") || undefined;
  const cert = textAt(status, "clientCertificateData") || undefined;
  const key = textAt(status, "clientKeyData") || undefined;
  if ((cert === undefined) !== (key === undefined))
    throw new Error("it printed a certificate without its key, or a key without its certificate");
  if (token === undefined && cert === undefined) throw new Error("it printed neither a token nor a certificate");
  return { token, cert, key, expirationTimestamp: textAt(status, "expirationTimestamp") || undefined };
}

const MAX_OUTPUT_LENGTH = 1 << 20;

async function runPlugin(exec: JsonObject, env: Env, signal: AbortSignal): Promise<string> {
  const command = textAt(exec, "command") ?? "";
  if (command === "") throw new Error("its exec section names no command");
  const args = listAt(exec, "args").map(String);
  const child = spawn(command, args, {
    env: { ...env, ...buildVariables(exec) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    const stop = (): void => end("it was stopped");
    const end = (why: string): void => {
      endPlugin(child);
      reject(new Error(why));
    };
    const tooMuch = (): void => end("it printed more than 1 MiB");
    const out = collectText(child.stdout, tooMuch);
    const err = collectText(child.stderr, tooMuch);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    child.once("error", reject);
    child.once("close", (code, name) => {
      signal.removeEventListener("abort", stop);
      if (code === 0) resolve(out());
      else reject(new Error(err() || (name === null ? "" : `it ended with ${name}`)));
    });
  });
}

/** What the plugin itself has started may keep its pipes open: they must not keep this process alive. */
function endPlugin(child: ChildProcess): void {
  child.kill();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

function buildVariables(exec: JsonObject): Readonly<Record<string, string>> {
  const variables = listAt(exec, "env").map((one) => [textAt(one, "name") ?? "", textAt(one, "value") ?? ""]);
  return Object.fromEntries(variables.filter(([name]) => name !== ""));
}

function collectText(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (more: string) => {
    text += more;
    if (text.length > MAX_OUTPUT_LENGTH) onTooMuch();
  });
  return () => text;
}

const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

/** Adds KUBERNETES_EXEC_INFO to a plugin's variables, as client-go does; client-node leaves it out. */
export async function withExecInfo(exec: JsonObject, kubeContext: KubeContext): Promise<JsonObject> {
  const env = listAt(exec, "env");
  if (env.some((variable) => textAt(variable, "name") === "KUBERNETES_EXEC_INFO")) return exec;
  const cluster = flagAt(exec, "provideClusterInfo") ? { cluster: await readClusterInfo(kubeContext) } : {};
  const info = {
    apiVersion: textAt(exec, "apiVersion") ?? "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    spec: { interactive: false, ...cluster },
  };
  return { ...exec, env: [...env, { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }] };
}

async function readClusterInfo(kubeContext: KubeContext): Promise<JsonObject> {
  const info: Record<string, Json> = { server: kubeContext.server };
  for (const key of ["tls-server-name", "insecure-skip-tls-verify", "certificate-authority-data", "proxy-url"]) {
    const value = kubeContext.cluster[key];
    if (value !== undefined) info[key] = value;
  }
  const file = textAt(kubeContext.cluster, "certificate-authority");
  if (file && info["certificate-authority-data"] === undefined) {
    info["certificate-authority-data"] = (await readFileBytes(file, MAX_CREDENTIAL_BYTES)).toString("base64");
  }
  const extension = listAt(kubeContext.cluster, "extensions").find((item) => textAt(item, "name") === EXEC_EXTENSION);
  return { ...info, config: objectAt(extension, "extension") };
}
