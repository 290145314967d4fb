import { buildDocument } from "../../../format/document/document.ts";
import { formatRunnerReadiness } from "../../../format/programs/readiness-document.ts";
import { formatJsonText } from "../../../model/visible-text.ts";
import { parseDocument } from "../../../format/document/document-parser.ts";
import type { PreflightDocument } from "../../../model/document.ts";
import { UsageError, formatError } from "../../../model/errors.ts";
import { type CycleResult, isEndedByUpdate } from "../../../model/report.ts";
import { publish, removeStaleFiles, unpublish } from "../../../publish/atomic-file.ts";
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
  readonly values: RunFactsValues & { readonly interval: number; readonly also: readonly string[] };
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
    const isPrinted = result === "running" || result === state.result;
    const isWritten = await writeDocument(formatJsonText(document), { isPrinted, hasWritten }, input);
    const isReadinessWritten = await writeReadiness(() => formatRunnerReadiness(result, document), hasWritten, input);
    if (isWritten) previous = document;
    hasWritten ||= isWritten;
    state = { isWritten, result };
    input.metrics.onPublish(
      isWritten,
      result !== "running" && result.kind === "completed" ? result.report.observedAt : undefined,
    );
    return isWritten && isReadinessWritten;
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

async function readLastDocument(input: DocumentPublisherInput): Promise<PreflightDocument | undefined> {
  const { output, log } = input;
  if (output.kind === "stdout") return undefined;
  try {
    for (const path of [output.path, ...listReadinessFiles(input)]) await removeStaleFiles(path);
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
    for (const path of listReadinessFiles(input)) await unpublish(path);
    log.info("the document was removed", { path: output.path });
  } catch (thrown) {
    log.error("the document could not be removed", { path: output.path, why: formatError(thrown) });
  }
}

/** Standard output gets one document, also if what is beside it is tried again. */
async function writeDocument(
  text: string,
  { isPrinted, hasWritten }: { readonly isPrinted: boolean; readonly hasWritten: boolean },
  input: DocumentPublisherInput,
): Promise<boolean> {
  const { output, io } = input;
  if (output.kind === "file") return publishText(output.path, text, "document", hasWritten, input);
  if (!isPrinted) io.out(text);
  return true;
}

/** For another reader than the document's; if it can't be written, the document is no less valid. */
async function writeReadiness(
  format: () => string,
  hasWritten: boolean,
  input: DocumentPublisherInput,
): Promise<boolean> {
  for (const path of listReadinessFiles(input))
    if (!(await publishText(path, format(), "readiness", hasWritten, input))) return false;
  return true;
}

/** Each of them is "readiness=FILE". */
function listReadinessFiles({ values }: DocumentPublisherInput): readonly string[] {
  return values.also.map((one) => one.slice(one.indexOf("=") + 1));
}

/** A path that can't be a file is a usage error, unless it has been one before: then something has replaced the file, and is reported. */
async function publishText(
  path: string,
  text: string,
  what: "document" | "readiness",
  hasWritten: boolean,
  { log }: DocumentPublisherInput,
): Promise<boolean> {
  try {
    await publish(path, text);
    return true;
  } catch (thrown) {
    if (thrown instanceof UsageError && !hasWritten) throw thrown;
    log.error(`the ${what} could not be written`, { path, why: formatError(thrown) });
    return false;
  }
}
