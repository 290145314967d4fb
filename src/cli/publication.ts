import { type RunFacts, renderDocument, toDocument } from "../format/document.ts";
import { readDocument } from "../format/read-document.ts";
import { preflightId } from "../format/times.ts";
import type { PreflightDocument } from "../model/document.ts";
import { errorText, UsageError } from "../model/errors.ts";
import type { CycleResult } from "../model/report.ts";
import { cleanStale, publish, readPublished } from "../publish/publish.ts";
import type { Target } from "../runner/cycle.ts";
import type { Arguments } from "./arguments.ts";
import type { Io } from "./io.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Output } from "./output.ts";
import type { Readiness } from "./serve.ts";
import { VERSION } from "./version.ts";

export type PublicationInput = {
  readonly output: Output;
  /** Milliseconds. */
  readonly interval: number;
  readonly args: Arguments;
  /** The target as far as it is known now. */
  readonly target: () => Target;
  readonly io: Io;
  readonly log: Log;
  readonly metrics: Metrics;
};

export type Publication = {
  /** Writes the document that follows from a result; false where it could not be written. */
  readonly announce: (result: CycleResult | "running") => Promise<boolean>;
  readonly readiness: Readiness;
  readonly lastCompleted: () => boolean;
};

/** Keeps the last document, from which the next one takes what it must keep. */
export async function publication(input: PublicationInput): Promise<Publication> {
  let previous = await lastDocument(input);
  let state: { readonly written: boolean; readonly result: CycleResult | "running" } = {
    written: false,
    result: "running",
  };
  const run = runFacts(input);
  const announce = async (result: CycleResult | "running"): Promise<boolean> => {
    const document = toDocument({ result, run, ...(previous ? { previous } : {}) });
    const written = await write(renderDocument(document), result, input);
    if (written) previous = document;
    state = { written, result };
    input.metrics.onPublish(
      written,
      result !== "running" && result.kind === "completed" ? result.report.observedAt : undefined,
    );
    return written;
  };
  const readiness: Readiness = () => {
    if (!state.written) return "the document could not be written";
    if (state.result === "running") return "no cycle has ended yet";
    return state.result.kind === "failed" ? `the last cycle failed: ${state.result.failure.reason}` : undefined;
  };
  return { announce, readiness, lastCompleted: () => state.result !== "running" && state.result.kind === "completed" };
}

/** Made once: the run keeps its name whatever its cycles find. */
function runFacts({ args, interval, target, io }: PublicationInput): RunFacts {
  const targetVersion = target().version?.text;
  const image = args.text("release-image");
  return {
    preflightID: preflightId(io.now(), targetVersion),
    runnerVersion: VERSION,
    intervalSeconds: interval / 1_000,
    reportUnknownAsRisk: args.flag("unknown-risks"),
    ...(targetVersion === undefined ? {} : { targetVersion }),
    ...(image === undefined ? {} : { image }),
  };
}

async function lastDocument({ output, log }: PublicationInput): Promise<PreflightDocument | undefined> {
  if (output.kind === "stdout") return undefined;
  try {
    await cleanStale(output.path);
    const text = await readPublished(output.path);
    if (text === undefined) return undefined;
    const read = await readDocument(text);
    if (read.kind === "valid") return read.document;
    log.warn("the last document is not valid and is not used", {
      path: output.path,
      problems: read.problems.slice(0, 3),
    });
  } catch (thrown) {
    log.warn("the last document could not be read", { path: output.path, why: errorText(thrown) });
  }
  return undefined;
}

async function write(
  text: string,
  result: CycleResult | "running",
  { output, io, log }: PublicationInput,
): Promise<boolean> {
  if (output.kind === "stdout") {
    if (result !== "running") io.out(text);
    return true;
  }
  try {
    await publish(output.path, text);
    return true;
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    log.error("the document could not be written", { path: output.path, why: errorText(thrown) });
    return false;
  }
}
