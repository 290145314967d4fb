import { readFileSync, statSync, writeFileSync } from "node:fs";
import { readCpuSeconds, readPeakMib } from "./processes.ts";

/** What a run cost a test control plane. `grownMib`: resident memory of the API server at its peak, beyond what it had before. */
export type ServerCost = {
  readonly apiServerSeconds: number;
  readonly etcdSeconds: number;
  readonly grownMib: number;
  readonly requests: number;
};

const ADMIN = '"username":"preflight-envtest-admin"';
/** Makes the kernel begin anew with a process's peak. */
const RESET_PEAK = "5";

/** Linux. Watches a control plane of up.sh, given its variables, until the returned function is called. */
export function watchServer(env: Readonly<Record<string, string>>): () => ServerCost {
  const apiServer = readPid(env["APISERVER_PIDFILE"]);
  const etcd = readPid(env["ETCD_PIDFILE"]);
  const auditLog = env["AUDIT_LOG"] ?? "";
  writeFileSync(`/proc/${apiServer}/clear_refs`, RESET_PEAK);
  const before = {
    apiServer: readCpuSeconds(apiServer),
    etcd: readCpuSeconds(etcd),
    mib: readPeakMib(apiServer),
    auditBytes: statSync(auditLog).size,
  };
  return () => ({
    apiServerSeconds: readCpuSeconds(apiServer) - before.apiServer,
    etcdSeconds: readCpuSeconds(etcd) - before.etcd,
    grownMib: readPeakMib(apiServer) - before.mib,
    requests: countRequests(readFileSync(auditLog).subarray(before.auditBytes).toString("utf8")),
  });
}

function readPid(file = ""): number {
  return Number(readFileSync(file, "utf8"));
}

/** The API server's own requests are in the log too. */
function countRequests(audit: string): number {
  return audit.split("\n").filter((line) => line.includes('"stage":"ResponseComplete"') && line.includes(ADMIN)).length;
}
