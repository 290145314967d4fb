import { setTimeout as sleep } from "node:timers/promises";
import { measureRates, type Rates } from "./figures.ts";
import type { Account } from "./audit-log.ts";
import { performStep } from "./perform.ts";
import { settle, type Span } from "./play.ts";
import type { Step } from "./schedule.ts";
import { type ChurnWorld, FAST, SHIPPED } from "./world.ts";
import { formatTable } from "../shared/markdown.ts";

const IDLE_MS = 60_000;
const REQUEST_MS = 120_000;
const ROWS: readonly (readonly [Account, string])[] = [
  ["controller", "our controller, two replicas"],
  ["runner", "the runner"],
  ["operator", "the operator's stand-in"],
];

/** Whatever the schedule left, this brings a cluster without faults and with a running operator. */
const CLEAN: readonly Step[] = [
  { kind: "operator", to: "started" },
  { kind: "update", isRunning: false },
  { kind: "offer", isOffered: true },
  { kind: "runner", mode: "runs" },
  { kind: "cause", cause: "operator", isPresent: false },
  { kind: "cause", cause: "budget", isPresent: false },
  { kind: "cause", cause: "published", isPresent: false },
  { kind: "cause", cause: "alert", isPresent: false },
  { kind: "cancel" },
];

/** Measures requests a minute: with the shipped settings, idle and with a request, and during the schedule. */
export async function measureCosts(
  world: ChurnWorld,
  busy: Span,
  { steps, seed }: { readonly steps: number; readonly seed: number },
): Promise<string> {
  for (const step of CLEAN) await performStep(world, step);
  await settle(world);
  await world.setPace(SHIPPED);
  const idle = await letPass(IDLE_MS);
  await performStep(world, { kind: "request", to: "5.1.2", lifted: "leave" });
  await settle(world);
  const requested = await letPass(REQUEST_MS);
  const file = world.stage.cluster.auditLog;
  const columns = await Promise.all([idle, requested, busy].map((span) => measureRates(file, span)));
  const header = ["Requests a minute", "Idle", "With a request", "Busy"];
  const rows = ROWS.map(([account, name]) => [name, ...columns.map((rates) => formatRates(rates.get(account)))]);
  const minutes = Math.round((busy.to - busy.from) / 60_000);
  return [
    formatTable(header, rows),
    "",
    `Busy: ${steps} random steps (seed ${seed}) in ${minutes} minutes, with the document read every ${getFlag("--poll")}, a lease of ${getFlag("--lease-duration")}, a cycle of the runner every ${getFlag("--runner-interval")} and a sync of the operator every ${FAST.operatorMs / 1_000} s. Idle, for ${IDLE_MS / 1_000} s, and with a request, for ${REQUEST_MS / 1_000} s: the defaults but for a cycle of the runner every minute instead of five, and a sync of the operator every ${SHIPPED.operatorMs / 1_000} s; the real operator's are two to four minutes apart.`,
  ].join("\n");
}

function getFlag(name: string): string {
  return FAST.controllerFlags[FAST.controllerFlags.indexOf(name) + 1] ?? "";
}

async function letPass(ms: number): Promise<Span> {
  await sleep(SETTLE_MS);
  const from = Date.now();
  await sleep(ms);
  return { from, to: Date.now() };
}

/** For leases to be taken, and informers to begin. */
const SETTLE_MS = 15_000;

function formatRates(rates: Rates | undefined): string {
  if (!rates) return "-";
  const counts = [
    `${rates.reads.toFixed(1)} reads`,
    `${rates.writes.toFixed(1)} writes`,
    ...(rates.watches > 0 ? [`${rates.watches.toFixed(1)} watches`] : []),
    ...(rates.renewals > 0 ? [`${rates.renewals.toFixed(1)} of the lease`] : []),
  ];
  return counts.join(", ");
}
