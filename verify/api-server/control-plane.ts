import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { FEWER_COLLECTIONS } from "./go.ts";

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** The folder of the test control plane, next to the project's own. */
export const SHARED = resolve(process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../shared"));
const ENVTEST = join(SHARED, "envtest");

/** Why tests that need a real control plane can't run here, or false: for node:test's `skip`. */
export const noControlPlane: string | false = existsSync(join(ENVTEST, "up.sh"))
  ? false
  : "there is no ../shared/envtest (set PREFLIGHT_SHARED to its parent folder)";

export type AuditLine = {
  readonly verb: string;
  readonly uri: string;
  readonly agent: string;
  readonly user: string;
  readonly code: number;
};

export type ControlPlane = {
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  readonly script: (name: string, ...args: readonly string[]) => Promise<string>;
  /** The file of the audit log. */
  readonly auditLog: string;
  readonly audit: () => Promise<readonly AuditLine[]>;
  readonly down: () => Promise<void>;
};

/** Starts a control plane seeded like a cluster of a release; `options` are those of seed.sh. */
export async function startCluster(release: string, ...options: readonly string[]): Promise<ControlPlane> {
  return startControlPlane("--etcd-data", await seedCluster(release, options));
}

/** Starts one whose API server behaves as another minor of Kubernetes. */
export async function startEmulatedCluster(release: string, minor: number): Promise<ControlPlane> {
  return startControlPlane("--emulate", `1.${minor}`, "--etcd-data", await seedCluster(release, []));
}

/** Starts one with the bodies of requests and responses in its audit log. */
export async function startAuditedCluster(release: string, ...options: readonly string[]): Promise<ControlPlane> {
  return startControlPlane("--audit", "RequestResponse", "--etcd-data", await seedCluster(release, options));
}

async function seedCluster(release: string, options: readonly string[]): Promise<string> {
  return (await runScript("seeded.sh", {}, release, ...options)).trim().split("\n").at(-1) ?? "";
}

/** Starts a control plane of Kubernetes without OpenShift; `options` are those of up.sh. */
export function startKubernetes(...options: readonly string[]): Promise<ControlPlane> {
  return startControlPlane(...options);
}

/** Starts the real kube-controller-manager with these controllers; it ends with the control plane. */
export async function startControllers({ script }: ControlPlane, controllers: readonly string[]): Promise<void> {
  await script("controllers.sh", "--controllers", controllers.join(","));
}

async function startControlPlane(...options: readonly string[]): Promise<ControlPlane> {
  const lines = await runScript("up.sh", {}, ...options);
  const env = Object.fromEntries(
    [...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name ?? "", value ?? ""]),
  );
  const kubeconfig = env["KUBECONFIG"] ?? "";
  const auditLog = env["AUDIT_LOG"] ?? "";
  return {
    env,
    kubeconfig,
    kubectl: (args, input) => runKubectl(env, args, input),
    script: (name, ...args) => runScript(name, env, ...args),
    auditLog,
    audit: async () => parseAudit(await readFile(auditLog, "utf8")),
    down: async () => void (await runScript("down.sh", env)),
  };
}

async function runScript(
  name: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { stdout } = await execute(join(ENVTEST, name), [...args], {
    env: { ...FEWER_COLLECTIONS, ...process.env, ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout;
}

function runKubectl(env: Readonly<Record<string, string>>, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(env["KUBEBUILDER_ASSETS"] ?? "", "kubectl"), [...args], {
      env: { ...process.env, ...env },
    });
    const texts = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(texts.out) : reject(new Error(`kubectl ${args.join(" ")}: ${texts.err}`)),
    );
    child.stdin.end(input);
  });
}

type AuditEvent = {
  readonly stage?: string;
  readonly verb?: string;
  readonly requestURI?: string;
  readonly userAgent?: string;
  readonly user?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
};

/** The last line may not be written to its end yet. */
function parseAudit(text: string): readonly AuditLine[] {
  const events: readonly AuditEvent[] = text
    .slice(0, text.lastIndexOf("\n"))
    .split("\n")
    .map((line) => JSON.parse(line));
  return events
    .filter((event) => event.stage === "ResponseComplete")
    .map((event) => ({
      verb: event.verb ?? "",
      uri: event.requestURI ?? "",
      agent: event.userAgent ?? "",
      user: event.user?.username ?? "",
      code: event.responseStatus?.code ?? 0,
    }));
}

/** Writes a release as a payload folder and returns its path. */
export async function createPayload(folder: string, release: string, version: string): Promise<string> {
  await runScript("payload.sh", {}, release, version, folder);
  return folder;
}
