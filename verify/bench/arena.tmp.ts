import process from "node:process";
import { writeServerKubeconfig } from "../api-server/kubeconfig.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { measure } from "./processes.ts";
import { startLargeCluster } from "./large-cluster.ts";
const exe = process.argv[2] ?? "dist/preflight";
const pairs = Number(process.argv[3] ?? 3);
const count = Number(process.argv[4] ?? 100000);
await withTemporaryFolder("arena", async (folder) => {
  const cluster = await startLargeCluster({ nodes: 10, pods: count, namespaces: 10, budgets: 10, crds: 10, webhooks: 0 });
  const env = { KUBECONFIG: writeServerKubeconfig(folder, cluster.url), PREFLIGHT_NO_CONFIG: "true" };
  const run = async (more: Record<string, string>) => {
    const begun = performance.now();
    const { code, cpuSeconds, peakMib } = await measure({ file: process.execPath, args: [exe, "check", "--target-version", "v1.36", "--check-timeout", "30m", "--cycle-timeout", "30m"], env: { ...env, ...more } });
    return `${code} cpu ${cpuSeconds.toFixed(2)} peak ${peakMib.toFixed(0)} wall ${((performance.now() - begun) / 1000).toFixed(2)}`;
  };
  for (let i = 0; i < pairs; i++) {
    console.log("none", await run({}), " | 1:", await run({ MALLOC_ARENA_MAX: "1" }), " | 2:", await run({ MALLOC_ARENA_MAX: "2" }));
  }
  cluster.close();
});
