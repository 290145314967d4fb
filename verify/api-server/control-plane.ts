import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AuditLine, followAuditLog } from "./audit-lines.ts";
import { runKubectl, runScript } from "./envtest.ts";
import { PLANE_HOST, leaseFromHost } from "./plane-host.ts";
import { type Lease, leasePlane } from "./plane-pool.ts";

export { noControlPlane, SHARED } from "./envtest.ts";

export type ControlPlane = {
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  readonly script: (name: string, ...args: readonly string[]) => Promise<string>;
  /** The file of the audit log. */
  readonly auditLog: string;
  readonly audit: () => Promise<readonly AuditLine[]>;
  /** Gives it back: the next to start one of the same kind in this process gets it as it was at first. */
  readonly down: () => Promise<void>;
  /** Ends it, after work that no later one may see: its API server or its etcd was replaced or killed. */
  readonly discard: () => Promise<void>;
};

/** Starts a control plane seeded like a cluster of a release; `options` are those of seed.sh. */
export function startCluster(release: string, ...options: readonly string[]): Promise<ControlPlane> {
  return startSeeded([], release, options);
}

/** Starts one whose API server behaves as another minor of Kubernetes. */
export function startEmulatedCluster(release: string, minor: number): Promise<ControlPlane> {
  return startSeeded(["--emulate", `1.${minor}`], release, []);
}

/** Starts one with the bodies of requests and responses in its audit log. */
export function startAuditedCluster(release: string, ...options: readonly string[]): Promise<ControlPlane> {
  return startSeeded(["--audit", "RequestResponse"], release, options);
}

/** Starts a control plane of Kubernetes without OpenShift; `options` are those of up.sh. */
export function startKubernetes(...options: readonly string[]): Promise<ControlPlane> {
  return startControlPlane(JSON.stringify(options), () => Promise.resolve(options));
}

function startSeeded(
  options: readonly string[],
  release: string,
  seedOptions: readonly string[],
): Promise<ControlPlane> {
  // The default of seed.sh.
  const isPlain = seedOptions.join(" ") === "--network single";
  const key = JSON.stringify([...options, release, ...(isPlain ? [] : seedOptions)]);
  return startControlPlane(key, async () => {
    const lines = (await runScript("seeded.sh", {}, release, ...seedOptions)).trim().split("\n");
    return [...options, "--etcd-data", lines.at(-1) ?? ""];
  });
}

/** Starts the real kube-controller-manager with these controllers; it ends with the control plane. */
export async function startControllers({ script }: ControlPlane, controllers: readonly string[]): Promise<void> {
  await script("controllers.sh", "--controllers", controllers.join(","));
}

async function startControlPlane(key: string, getOptions: () => Promise<readonly string[]>): Promise<ControlPlane> {
  const { env, giveBack, discard } = await lease(key, getOptions);
  const auditLog = env["AUDIT_LOG"] ?? "";
  return {
    env,
    kubeconfig: env["KUBECONFIG"] ?? "",
    kubectl: (args, input) => runKubectl(env, args, input),
    script: (name, ...args) => runScript(name, env, ...args),
    auditLog,
    audit: followAuditLog(auditLog),
    down: giveBack,
    discard,
  };
}

async function lease(key: string, getOptions: () => Promise<readonly string[]>): Promise<Lease> {
  const host = process.env[PLANE_HOST];
  return host === undefined ? leasePlane(key, getOptions) : leaseFromHost(host, key, await getOptions());
}

/** Writes a release as a payload folder and returns its path. */
export async function createPayload(folder: string, release: string, version: string): Promise<string> {
  await runScript("payload.sh", {}, release, version, folder);
  return folder;
}

/**
 * The same with few CRDs, which takes a second less for each check of it: those that the operator's own image carries, and those with one
 * of these parts in the names of their files.
 */
export async function createSmallPayload(
  folder: string,
  release: string,
  version: string,
  ...parts: readonly string[]
): Promise<string> {
  await createPayload(folder, release, version);
  const manifests = join(folder, "release-manifests");
  const others = (await readdir(manifests)).filter(
    (name) => name.endsWith(".crd.yaml") && !parts.some((part) => name.includes(part)),
  );
  await Promise.all(others.map((name) => rm(join(manifests, name))));
  return folder;
}
