import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAuthority } from "../api-server/certificates.ts";
import type { Random } from "../schema/random/random.ts";
import { findFreePort } from "../shared/free-port.ts";
import { createTemporaryFolder } from "../shared/temporary-folder.ts";
import type { ChurnWorld, StartReplica } from "./world.ts";

/** How often each trouble came. `scraped` and `unscraped`: an answer over TLS, and none, as from a replica that was just killed. */
export type TroubleCounts = { stores: number; clocks: number; scraped: number; unscraped: number };

export type Troubles = {
  readonly startReplica: StartReplica;
  readonly counts: TroubleCounts;
  /** Until the signal aborts. Rejects if a replica shows metrics to somebody without a certificate. */
  readonly run: (world: ChurnWorld, signal: AbortSignal) => Promise<void>;
};

/** Less than the lease of the operator's stand-in lasts. */
const MAX_PAUSE_MS = 1_500;
/** Less than what is taken for a document of the future. */
const MAX_LATE_MS = 120_000;

/** A slow etcd, controllers whose clocks jump, and scrapes of both over TLS, beside the steps of a schedule. */
export async function createTroubles(random: Random): Promise<Troubles> {
  const folder = createTemporaryFolder();
  const authority = createAuthority(folder);
  const { certFile, keyFile } = authority.issue("controller");
  const served = join(folder, "served");
  mkdirSync(served);
  cpSync(certFile, join(served, "tls.crt"));
  cpSync(keyFile, join(served, "tls.key"));
  const ports = [await findFreePort(), await findFreePort()] as const;
  const counts: TroubleCounts = { stores: 0, clocks: 0, scraped: 0, unscraped: 0 };
  const scrape = (port: number): Promise<void> =>
    getStatus(port, authority.ca.cert).then((status) => {
      if (status === 200) throw new Error("a controller showed its metrics to somebody without a certificate");
      counts[status === undefined ? "unscraped" : "scraped"] += 1;
    });
  return {
    counts,
    startReplica(replica) {
      counts.clocks += 1;
      return {
        flags: ["--listen", `127.0.0.1:${ports[replica]}`, "--listen-cert", served],
        env: { CLOCK_LATE_MS: `${random.below(MAX_LATE_MS)}` },
        nodeFlags: ["--import", join(import.meta.dirname, "late-clock.mjs")],
      };
    },
    async run({ stage }, signal) {
      const etcd = Number(readFileSync(stage.cluster.env["ETCD_PIDFILE"] ?? "", "utf8"));
      while (!signal.aborted) {
        await sleep(500 + random.below(4_000));
        await pause(etcd, 200 + random.below(MAX_PAUSE_MS - 200));
        counts.stores += 1;
        for (const port of ports) await scrape(port);
      }
    },
  };
}

async function pause(pid: number, ms: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    await sleep(ms);
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** Undefined without an answer. */
function getStatus(port: number, ca: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: "/metrics", ca, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", () => resolve(undefined)).on("timeout", () => sent.destroy());
    sent.end();
  });
}
