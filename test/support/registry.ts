import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createAuthority, noOpenssl, type CertificateAuthority } from "../../verify/api-server/certificates.ts";
import { findFreePort } from "../../verify/shared/free-port.ts";
import { waitUntil } from "./test-server.ts";

const PROGRAM = "docker-registry";

export const noRegistry =
  noOpenssl ||
  (spawnSync(PROGRAM, ["--version"]).status === 0
    ? false
    : "there is no docker-registry (Debian's package) to pull from");

export const PASSWORD = { username: "admin", password: "open sesame" };
/** The bcrypt hash of the password above: the registry reads no other kind. */
const HTPASSWD = "admin:$2b$05$abcdefghijklmnopqrstuupx2xBUC4954936wVIjyyPHmUBFu0wCW\n";

export type TokenIssuer = { readonly realm: string; readonly certFile: string };
export type RegistryAuth = "none" | "password" | TokenIssuer;

export type Registry = {
  /** "127.0.0.1:41234" */
  readonly host: string;
  /** The folder of its blobs: `sha256/ab/abcd.../data`. */
  readonly blobs: string;
  readonly blobFile: (digest: string) => string;
  readonly push: PushTarget;
};

export type PushTarget = {
  readonly send: (
    method: string,
    path: string,
    body?: Uint8Array,
    type?: string,
  ) => Promise<{ readonly status: number; readonly location: string }>;
};

export type RegistryOptions = {
  readonly authority: CertificateAuthority;
  readonly auth?: RegistryAuth;
  readonly token?: string;
};

/** A certificate authority in a folder that is removed when the test ends. */
export function createTestAuthority(t: TestContext): CertificateAuthority {
  return createAuthority(createTestFolder(t));
}

export function createTestFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-registry-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a registry that serves TLS on a loopback port; it is stopped when the test ends. */
export async function startRegistry(
  t: TestContext,
  { authority, auth = "none", token }: RegistryOptions,
): Promise<Registry> {
  const folder = createTestFolder(t);
  const port = await findFreePort();
  const { certFile, keyFile } = authority.issue("registry");
  writeFileSync(join(folder, "htpasswd"), HTPASSWD);
  mkdirSync(join(folder, "data"));
  const config = {
    version: "0.1",
    log: { level: "error" },
    storage: { filesystem: { rootdirectory: join(folder, "data") } },
    http: { addr: `127.0.0.1:${port}`, tls: { certificate: certFile, key: keyFile } },
    ...buildAuth(auth, folder),
  };
  writeFileSync(join(folder, "config.yml"), JSON.stringify(config));
  const child = spawn(PROGRAM, ["serve", join(folder, "config.yml")], { stdio: "ignore" });
  running.add(child);
  t.after(() => stop(child));
  const send = createSender(t, port, authority.ca.cert, token ?? (auth === "password" ? buildBasic() : undefined));
  await waitUntil(
    async () => (await send("GET", "/v2/").catch(() => undefined)) !== undefined,
    "the registry does not start",
  );
  const blobs = join(folder, "data/docker/registry/v2/blobs");
  const blobFile = (digest: string): string => {
    const hex = digest.slice("sha256:".length);
    return join(blobs, "sha256", hex.slice(0, 2), hex, "data");
  };
  return { host: `127.0.0.1:${port}`, blobs, blobFile, push: { send } };
}

function buildAuth(auth: RegistryAuth, folder: string): object {
  if (auth === "none") return {};
  if (auth === "password") return { auth: { htpasswd: { realm: "preflight", path: join(folder, "htpasswd") } } };
  const { realm, certFile: rootcertbundle } = auth;
  return { auth: { token: { realm, service: "registry", issuer: "preflight", rootcertbundle } } };
}

function buildBasic(): string {
  return `Basic ${Buffer.from(`${PASSWORD.username}:${PASSWORD.password}`).toString("base64")}`;
}

const running = new Set<ChildProcess>();
// A test that runs out of time has no end of its own.
process.once("exit", () => {
  for (const child of running) child.kill();
});

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.kill()) await ended;
}

function createSender(t: TestContext, port: number, ca: string, authorization: string | undefined): PushTarget["send"] {
  const agent = new Agent({ ca, keepAlive: true });
  t.after(() => agent.destroy());
  return (method, path, body, type = "application/octet-stream") =>
    new Promise((resolve, reject) => {
      const url = new URL(path, `https://127.0.0.1:${port}`);
      const headers = {
        "content-type": type,
        "content-length": body?.length ?? 0,
        ...(authorization ? { authorization } : {}),
      };
      const sent = request(url, { method, agent, headers }, (response) => {
        response.resume();
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? "" }),
        );
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(body);
    });
}
