import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import { createAuthority } from "../api-server/certificates.ts";
import { buildKubeconfig } from "../api-server/kubeconfig.ts";
import { listen } from "../shared/loopback.ts";
import { SERVER_FAULTS } from "./faults.ts";
import { answerFromRecording, buildVariants, parseRequest, type ClusterRecording } from "./recorded-cluster.ts";

export type SimulatedFleet = { readonly kubeconfigs: string; readonly close: () => void };

/** Serves `healthy` clusters and one for each way to fail on loopback, and writes a folder with a kubeconfig for each. */
export async function startFleet(folder: string, healthy: number, demo: ClusterRecording): Promise<SimulatedFleet> {
  const kubeconfigs = join(folder, "kubeconfigs");
  mkdirSync(kubeconfigs, { recursive: true });
  const { ca, issue } = createAuthority(folder);
  const answer = buildListener(demo);
  const plain = await start(createServer(answer));
  const expired = await start(createTlsServer(issue("expired", "IP:127.0.0.1", -1), answer));
  const unknown = await start(createTlsServer(issue("valid"), answer));
  const write = (name: string, cluster: JsonObject, user: JsonObject = { token: "token" }): void =>
    writeFileSync(join(kubeconfigs, name), JSON.stringify(buildKubeconfig({ cluster, user }, "admin")));
  for (let i = 1; i <= healthy; i += 1)
    write(`cluster-${String(i).padStart(4, "0")}`, { server: `http://127.0.0.1:${plain.port}/c/${i}` });
  for (const fault of Object.keys(SERVER_FAULTS))
    write(`fault-${fault}`, { server: `http://127.0.0.1:${plain.port}/c/${fault}` });
  const own = { server: `http://127.0.0.1:${plain.port}/c/1` };
  write("fault-expired-certificate", {
    server: `https://127.0.0.1:${expired.port}/c/1`,
    "certificate-authority": ca.certFile,
  });
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
  const port = await listen(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port, close };
}

function buildPlugin(command: string): JsonObject {
  return { exec: { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" } };
}

function writeScript(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}
