import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildVariants, type ClusterRecording, readRecording } from "../../verify/fleet/recorded-cluster.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCommand } from "./demo-output.ts";

type Variant = "demo" | "clear" | "forbidden" | "budget" | "network";

/** Invented clusters: which variant of the demo each is, and how many days ago it was checked. */
const CLUSTERS: Readonly<Record<string, readonly [variant: Variant, days: number]>> = {
  "shop-eu": ["budget", 0],
  "shop-us": ["network", 0],
  "shop-staging": ["clear", 0],
  "billing-eu": ["budget", 0],
  "billing-us": ["clear", 0],
  "billing-staging": ["clear", 0],
  "warehouse-eu": ["forbidden", 0],
  "warehouse-us": ["demo", 0],
  "edge-07": ["clear", 3],
};

const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
const NETWORK = "/apis/config.openshift.io/v1/networks/cluster";

/** After the demo's newest object. */
const NOW = Date.parse("2026-03-05T10:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The page of `preflight fleet` about these clusters; the working directory is the project's. */
export async function buildDemoFleetPage(): Promise<string> {
  return withTemporaryFolder("demo-fleet", async (folder) => {
    const [demo = {}, clear = {}, forbidden = {}] = buildVariants(readRecording("demo/cluster.json"));
    const budget = { ...clear, [BUDGETS]: demo[BUDGETS] ?? {} };
    const variants = { demo, clear, forbidden, budget, network: { ...budget, [NETWORK]: demo[NETWORK] ?? {} } };
    for (const [name, [variant, days]] of Object.entries(CLUSTERS)) {
      const result = await checkCluster(join(folder, name), variants[variant], new Date(NOW - days * DAY_MS));
      writeFileSync(join(folder, `${name}.json`), result);
    }
    const files = Object.keys(CLUSTERS).flatMap((name) => ["--from", join(folder, `${name}.json`)]);
    return runCommand(["fleet", ...files, "--group-by", "name=1", "-o", "html"], {
      now: new Date(NOW),
      isOutTerminal: false,
    });
  });
}

async function checkCluster(folder: string, recording: ClusterRecording, now: Date): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, "cluster.json"), JSON.stringify(recording));
  const args = ["check", "--recorded", folder, "--target", "demo/release", "-o", "json"];
  return runCommand(args, { now, isOutTerminal: false });
}
