import { spawn } from "node:child_process";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { parseObject, textAt } from "../../../model/json.ts";
import type { RegistryCredentials } from "./credential-files.ts";

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_LENGTH = 1 << 20;
/** What a helper gives as the name of the user if its secret is an identity token. */
const TOKEN_USER = "<token>";

/** Runs `docker-credential-NAME get`; undefined if the helper has no credentials for the host. Throws a FailedError if it fails otherwise. */
export async function runCredentialHelper(
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
