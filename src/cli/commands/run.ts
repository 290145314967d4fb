import { systemClock } from "../../cluster/retry.ts";
import { UsageError } from "../../model/errors.ts";
import { parseTargetVersion } from "../../model/kubernetes.ts";
import { loop, type LoopEnd } from "../../runner/loop.ts";
import type { Arguments } from "../arguments.ts";
import { cycles } from "../cycles.ts";
import { parseDuration } from "../duration.ts";
import type { Io } from "../io.ts";
import { jsonLog, type Log } from "../log.ts";
import { makeMetrics, type Metrics } from "../metrics.ts";
import { chooseOutput } from "../output.ts";
import { type Publication, publication } from "../publication.ts";
import { serve, type Serving } from "../serve.ts";
import { checksOf, readingOf } from "../session.ts";

const FORMATS = ["preflight-v1-json"];

/** The runner: cycles at an interval, a document after each, until it is told to stop. */
export async function run(args: Arguments, io: Io): Promise<number> {
  requireFormat(args);
  const interval = parseDuration(args.text("interval") ?? "0", "interval");
  const [checks, reading] = [checksOf(args), readingOf(args)];
  const output = await chooseOutput(args.text("output"), interval);
  const log = jsonLog(io.err, io.now);
  const metrics = makeMetrics(() => io.now().getTime(), interval);
  const source = await cycles({ args, io, checks, reading, metrics, log });
  const published = await publication({ output, interval, args, target: source.target, io, log, metrics });
  const serving = await startServing(args, metrics, published, log);
  try {
    await published.announce("running");
    const end = await loop({
      cycle: source.cycle,
      announce: published.announce,
      interval,
      random: io.random,
      sleep: systemClock.sleep,
      clock: () => io.now().getTime(),
      signal: io.stop,
    });
    log.info("stopped", { why: end });
    return exitCode(end, published, args);
  } finally {
    source.close();
    await serving?.close();
  }
}

function requireFormat(args: Arguments): void {
  const format = args.text("format");
  if (format === undefined)
    throw new UsageError("give a command, or --format=preflight-v1-json to start the runner; see 'preflight --help'");
  if (!FORMATS.includes(format))
    throw new UsageError(`--format "${format}" is not known: known is ${FORMATS.join(", ")}`);
}

async function startServing(
  args: Arguments,
  metrics: Metrics,
  published: Publication,
  log: Log,
): Promise<Serving | undefined> {
  const listen = args.text("listen");
  if (listen === undefined) return undefined;
  const serving = await serve(listen, metrics, published.readiness);
  log.info("listening", { address: serving.address });
  return serving;
}

/** A runner that was told to stop did what it should; one that ran one cycle says whether that cycle ran and was written. */
function exitCode(end: LoopEnd, published: Publication, args: Arguments): number {
  const version = args.text("target-version");
  if (end !== "stopped" && version !== undefined && parseTargetVersion(version) === undefined) return 2;
  if (end === "stopped") return 0;
  return end === "announced" && published.lastCompleted() ? 0 : 1;
}
