import { buildDocument } from "../../../format/document/document.ts";
import { formatJsonText } from "../../../model/visible-text.ts";
import { parseDocument } from "../../../format/document/document-parser.ts";
import type { PreflightDocument } from "../../../model/document.ts";
import { UsageError, formatError } from "../../../model/errors.ts";
import { type CycleResult, isEndedByUpdate } from "../../../model/report.ts";
import { removeStaleFiles } from "../../../publish/temporary-file.ts";
import { publish, unpublish } from "../../../publish/atomic-file.ts";
import { readPublishedDocument } from "../../../publish/published-document.ts";
import type { Version } from "../../../model/version.ts";
import type { Io } from "../../io/io.ts";
import type { Logger } from "../../../model/logger.ts";
import type { RunnerMetrics } from "./runner-metrics.ts";
import type { Output } from "./run.ts";
import type { Readiness } from "../../io/monitoring-server.ts";
import { buildRunFacts, type RunFactsValues } from "../../session/result.ts";

export type DocumentPublisherInput = {
  readonly output: Output;
  readonly values: RunFactsValues & { readonly interval: number };
  /** The target's version, if it is known. */
  readonly target: Version | undefined;
  readonly io: Io;
  readonly log: Logger;
  readonly metrics: RunnerMetrics;
};

export type DocumentPublisher = {
  /** Writes the document of a result; false if that failed. */
  readonly announce: (result: CycleResult | "running") => Promise<boolean>;
  readonly readiness: Readiness;
  readonly isLastCycleCompleted: () => boolean;
  /** Removes the document, if this run has written it. */
  readonly withdraw: () => Promise<void>;
};

/** Keeps the last document, since the next one carries over parts of it. */
export async function createDocumentPublisher(input: DocumentPublisherInput): Promise<DocumentPublisher> {
  let previous = await readLastDocument(input);
  let hasWritten = false;
  let state: { readonly isWritten: boolean; readonly result: CycleResult | "running" } = {
    isWritten: false,
    result: "running",
  };
  const { values, target, io } = input;
  const run = buildRunFacts(values, io.now(), target?.text, values.interval / 1_000);
  const announce = async (result: CycleResult | "running"): Promise<boolean> => {
    const document = buildDocument({ result, run, previous });
    const isWritten = await writeDocument(formatJsonText(document), result, hasWritten, input);
    if (isWritten) previous = document;
    hasWritten ||= isWritten;
    state = { isWritten, result };
    input.metrics.onPublish(
      isWritten,
      result !== "running" && result.kind === "completed" ? result.report.observedAt : undefined,
    );
    return isWritten;
  };
  const readiness: Readiness = () => {
    if (!state.isWritten) return "the document could not be written";
    if (state.result === "running") return "the first cycle has not completed yet";
    // A runner that an update has ended is as it should be.
    return state.result.kind === "failed" && !isEndedByUpdate(state.result.failure)
      ? `the last cycle failed: ${state.result.failure.reason}`
      : undefined;
  };
  return {
    announce,
    readiness,
    isLastCycleCompleted: () => state.result !== "running" && state.result.kind === "completed",
    withdraw: async () => removeDocument(run.preflightID, input),
  };
}

async function readLastDocument({ output, log }: DocumentPublisherInput): Promise<PreflightDocument | undefined> {
  if (output.kind === "stdout") return undefined;
  try {
    await removeStaleFiles(output.path);
    const text = await readPublishedDocument(output.path);
    if (text === undefined) return undefined;
    const read = await parseDocument(text);
    if (read.kind === "valid") return read.document;
    log.warn("the last document is not valid and is not used", {
      path: output.path,
      problems: read.problems.slice(0, 3),
    });
  } catch (thrown) {
    log.warn("the last document could not be read", { path: output.path, why: formatError(thrown) });
  }
  return undefined;
}

async function removeDocument(preflightID: string, input: DocumentPublisherInput): Promise<void> {
  const { output, log } = input;
  if (output.kind === "stdout" || (await readLastDocument(input))?.preflightID !== preflightID) return;
  try {
    await unpublish(output.path);
    log.info("the document was removed", { path: output.path });
  } catch (thrown) {
    log.error("the document could not be removed", { path: output.path, why: formatError(thrown) });
  }
}

/** A path that can't be a file is a usage error, unless it has been one before: then something has replaced the file, and is reported. */
async function writeDocument(
  text: string,
  result: CycleResult | "running",
  hasWritten: boolean,
  { output, io, log }: DocumentPublisherInput,
): Promise<boolean> {
  if (output.kind === "stdout") {
    if (result !== "running") io.out(text);
    return true;
  }
  try {
    await publish(output.path, text);
    return true;
  } catch (thrown) {
    if (thrown instanceof UsageError && !hasWritten) throw thrown;
    log.error("the document could not be written", { path: output.path, why: formatError(thrown) });
    return false;
  }
}
