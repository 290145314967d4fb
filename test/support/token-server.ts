import { X509Certificate, createPrivateKey, sign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import type { CertificateAuthority } from "../../verify/api-server/certificates.ts";
import { type MockServer, serve } from "./cluster/mock-server.ts";
import { PASSWORD, type TokenIssuer } from "./registry.ts";

export type TokenServer = TokenIssuer & {
  readonly server: MockServer;
  /** A token that allows to push. */
  readonly pushToken: string;
};

const LIFETIME_S = 300;

/** A token server in the manner of registries: who has the password, or nobody at all if it is public, may pull. */
export async function startTokenServer(
  t: TestContext,
  authority: CertificateAuthority,
  isPublic = false,
): Promise<TokenServer> {
  const { cert, key, certFile } = authority.issue("token");
  const basic = `Basic ${Buffer.from(`${PASSWORD.username}:${PASSWORD.password}`).toString("base64")}`;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const scope = new URL(request.url ?? "/", "https://localhost").searchParams.get("scope") ?? "";
    const [, repository = ""] = scope.split(":");
    if (!isPublic && request.headers.authorization !== basic) return void response.writeHead(401).end("{}");
    response.end(JSON.stringify({ token: buildToken(repository, ["pull"], cert, key) }));
  };
  const server = await serve(t, answer, { cert, key });
  const pushToken = `Bearer ${buildToken("ocp/release", ["pull", "push"], cert, key)}`;
  return { realm: `${server.url}/token`, certFile, server, pushToken };
}

/** A JWT that names the certificate of its key, as distribution's registry expects it. */
function buildToken(name: string, actions: readonly string[], cert: string, key: string): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { typ: "JWT", alg: "ES256", x5c: [new X509Certificate(cert).raw.toString("base64")] };
  const claims = {
    iss: "preflight",
    sub: "admin",
    aud: "registry",
    exp: now + LIFETIME_S,
    nbf: now - LIFETIME_S,
    iat: now,
    jti: "1",
    access: [{ type: "repository", name, actions }],
  };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: createPrivateKey(key), dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}
