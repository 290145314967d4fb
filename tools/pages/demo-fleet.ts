import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildVariants, type ClusterRecording, readRecording } from "../../verify/fleet/recorded-cluster.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { runCommand } from "./demo-output.ts";

/** Invented clusters: which variant of the demo each is, and how many days ago it was checked. */
const CLUSTERS: Readonly<Record<string, readonly [variant: "demo" | "clear" | "forbidden" | "drains", days: number]>> =
  {
    "shop-eu": ["demo", 0],
    "shop-us": ["drains", 0],
    "shop-staging": ["clear", 0],
    billing: ["clear", 0],
    search: ["clear", 0],
    warehouse: ["forbidden", 0],
    "edge-07": ["clear", 3],
  };

/** After the demo's newest object. */
const NOW = Date.parse("2026-03-05T10:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The page of `preflight fleet` about these clusters; the working directory is the project's. */
export async function buildDemoFleetPage(): Promise<string> {
  return withTemporaryFolder("demo-fleet", async (folder) => {
    const [demo = {}, clear = {}, forbidden = {}, drains = {}] = buildVariants(readRecording("demo/cluster.json"));
    const variants = { demo, clear, forbidden, drains };
    for (const [name, [variant, days]] of Object.entries(CLUSTERS)) {
      const result = await checkCluster(join(folder, name), variants[variant], new Date(NOW - days * DAY_MS));
      writeFileSync(join(folder, `${name}.json`), result);
    }
    const files = Object.keys(CLUSTERS).flatMap((name) => ["--from", join(folder, `${name}.json`)]);
    return runCommand(["fleet", ...files, "-o", "html"], { now: new Date(NOW), isOutTerminal: false });
  });
}

async function checkCluster(folder: string, recording: ClusterRecording, now: Date): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, "cluster.json"), JSON.stringify(recording));
  const args = ["check", "--recorded", folder, "--target", "demo/release", "-o", "json"];
  return runCommand(args, { now, isOutTerminal: false });
}
