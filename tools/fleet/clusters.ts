import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { SERVER_FAULTS } from "./faults.ts";
import { answerFromRecording, buildVariants, parseRequest, type ClusterRecording } from "./recorded-cluster.ts";

export type SimulatedFleet = { readonly kubeconfigs: string; readonly close: () => void };

/** Serves `healthy` clusters and one for each way to fail on loopback, and writes a folder with a kubeconfig for each. */
export async function startFleet(folder: string, healthy: number, demo: ClusterRecording): Promise<SimulatedFleet> {
  const kubeconfigs = join(folder, "kubeconfigs");
  mkdirSync(kubeconfigs, { recursive: true });
  const certificates = createCertificates(folder);
  const listen = buildListener(demo);
  const plain = await start(createServer(listen));
  const expired = await start(createTlsServer(certificates.expired, listen));
  const unknown = await start(createTlsServer(certificates.valid, listen));
  const write = (name: string, cluster: object, user: object = { token: "token" }): void =>
    writeFileSync(join(kubeconfigs, name), JSON.stringify(buildKubeconfig(cluster, user)));
  for (let i = 1; i <= healthy; i += 1)
    write(`cluster-${String(i).padStart(4, "0")}`, { server: `http://127.0.0.1:${plain.port}/c/${i}` });
  for (const fault of Object.keys(SERVER_FAULTS))
    write(`fault-${fault}`, { server: `http://127.0.0.1:${plain.port}/c/${fault}` });
  const own = { server: `http://127.0.0.1:${plain.port}/c/1` };
  const ca = { "certificate-authority": certificates.ca };
  write("fault-expired-certificate", { server: `https://127.0.0.1:${expired.port}/c/1`, ...ca });
  write("fault-unknown-ca", { server: `https://127.0.0.1:${unknown.port}/c/1` });
  write("fault-connection-refused", { server: "http://127.0.0.1:1" });
  write("fault-dns", { server: "https://api.no-such-cluster.invalid:6443" });
  write("fault-exec-missing", own, buildPlugin("/nonexistent/aws"));
  write("fault-exec-failing", own, buildPlugin(writeScript(folder, "failing", "echo login expired >&2; exit 1")));
  // What the kernel does to a process if no memory is left.
  write("fault-out-of-memory", own, buildPlugin(writeScript(folder, "killing", "kill -9 $PPID; sleep 5")));
  writeFileSync(join(kubeconfigs, "fault-not-a-kubeconfig.yaml"), "clusters: [: {");
  const context = { name: "gone", context: { cluster: "gone", user: "gone" } };
  writeFileSync(join(kubeconfigs, "fault-missing-cluster.yaml"), JSON.stringify({ contexts: [context] }));
  writeFileSync(join(kubeconfigs, "fault-no-context.yaml"), "apiVersion: v1\nkind: Config\n");
  const servers = [plain, expired, unknown];
  return { kubeconfigs, close: () => servers.forEach(({ close }) => close()) };
}

function buildListener(demo: ClusterRecording): RequestListener {
  const variants = buildVariants(demo);
  return (request, response) => {
    request.resume();
    const [cluster, path] = parseRequest(request);
    const fault = SERVER_FAULTS[cluster];
    const recording = variants[Number(cluster) % variants.length] ?? demo;
    if (fault) return fault(path, response, demo);
    answerFromRecording(recording, path, response);
  };
}

async function start(server: Server): Promise<{ readonly port: number; readonly close: () => void }> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port, close };
}

function buildKubeconfig(cluster: object, user: object): object {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "admin",
    contexts: [{ name: "admin", context: { cluster: "own", user: "admin" } }],
    clusters: [{ name: "own", cluster }],
    users: [{ name: "admin", user }],
  };
}

function buildPlugin(command: string): object {
  return { exec: { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" } };
}

function writeScript(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

type KeyPair = { readonly key: Buffer; readonly cert: Buffer };

/** A certificate authority, a certificate that is valid and one whose time is over. */
function createCertificates(folder: string): {
  readonly ca: string;
  readonly valid: KeyPair;
  readonly expired: KeyPair;
} {
  const own = join(folder, "certificates");
  mkdirSync(own, { recursive: true });
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", [...args], { cwd: own, stdio: ["ignore", "ignore", "ignore"] });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=simulated", "-days", "2");
  writeFileSync(join(own, "names"), "subjectAltName=IP:127.0.0.1");
  const sign = (name: string, ...time: readonly string[]): KeyPair => {
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/CN=127.0.0.1");
    const signer = ["-CA", "ca.crt", "-CAkey", "ca.key", "-extfile", "names", "-out", `${name}.crt`];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signer, ...time);
    return { key: readFileSync(join(own, `${name}.key`)), cert: readFileSync(join(own, `${name}.crt`)) };
  };
  const past = ["-days", "-1"];
  return { ca: join(own, "ca.crt"), valid: sign("valid", "-days", "1"), expired: sign("expired", ...past) };
}
