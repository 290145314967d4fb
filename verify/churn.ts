/** Plays a random schedule on a control plane with controllers, and writes its figures: `npm run churn -- --steps 500 --seed 1`. */
import { auditSchedule } from "./churn/audit.ts";
import { playSteps } from "./churn/play.ts";
import { buildSchedule } from "./churn/schedule.ts";
import { createTroubles } from "./churn/troubles.ts";
import { startPrometheusStore } from "./churn/prometheus.ts";
import { FAST, startWorld } from "./churn/world.ts";
import { measureCosts } from "./churn/costs.ts";
import { noControlPlane } from "./api-server/control-plane.ts";
import { createRandom } from "./schema/random/random.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { noPrometheus } from "./shared/prometheus.ts";
import { updatePage } from "./shared/markdown.ts";

const { values } = requireFlags({
  command: "npm run churn --",
  about: "Changes a cluster at random, and compares what the controller writes with what happened.",
  flags: {
    steps: { type: "string", default: "500", help: "how many changes" },
    seed: COMMON.seed,
    troubles: { type: "boolean", default: false, help: "with a slow etcd, clocks that jump, and scrapes over TLS" },
    prometheus: { type: "boolean", default: false, help: "with a Prometheus instead of its stand-in" },
    write: COMMON.write,
  },
});
if (values.prometheus && noPrometheus) endWithout(noPrometheus);
if (noControlPlane) endWithout(noControlPlane);
const steps = Number(values.steps);
const seed = Number(values.seed);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const troubles = values.troubles ? await createTroubles(createRandom(seed)) : undefined;
const world = await startWorld(FAST, {
  ...(troubles ? { startReplica: troubles.startReplica } : {}),
  ...(values.prometheus ? { startAlerts: startPrometheusStore } : {}),
});
const stop = new AbortController();
const troubled = troubles?.run(world, stop.signal);
// What it rejects with is awaited at the end.
troubled?.catch(() => {});
try {
  const log = await playSteps(world, buildSchedule(seed, steps), { blockSize: 10, onProgress: say });
  stop.abort();
  await troubled;
  if (troubles) say(`troubles ${JSON.stringify(troubles.counts)}`);
  const { faults, writes } = await auditSchedule(world.stage.cluster.auditLog, log);
  const started = [...world.updates, ...(world.operator?.updates ?? [])];
  for (const [what, times] of [...writes].toSorted(([, a], [, b]) => b - a)) say(`${times} x ${what}`);
  for (const fault of [...faults, ...started.map((target) => `the operator would have updated to ${target}`)])
    say(fault);
  if (faults.length + started.length > 0) process.exitCode = 1;
  if (values.write) {
    const costs = await measureCosts(world, log.span, { steps, seed });
    updatePage("docs/runbooks/slis.md", { requests: costs }, "npm run churn -- --write");
  }
} catch (thrown) {
  for (const { err } of world.controllers) say(err().split("\n").slice(-15).join("\n"));
  throw thrown;
} finally {
  stop.abort();
  await troubled?.catch(() => {});
  await world.stop();
}
