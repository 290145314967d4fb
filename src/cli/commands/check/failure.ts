import { formatJsonText, toLine } from "../../../model/visible-text.ts";
import type { FormatName } from "../../../format/index.ts";
import type { CycleResult } from "../../../model/report.ts";
import type { Io } from "../../io/io.ts";
import { buildResultDocument, writeOutputFiles } from "../../session/result.ts";
import { buildFailedError } from "../../session/session.ts";
import type { CheckValues } from "./definition.ts";

/** The formats in which a failure has a form. */
const DOCUMENT_FORMATS: readonly FormatName[] = ["json", "preflight-v1-json"];

/** Says why there is no result, and writes it where a document is wanted. */
export async function printFailure(
  result: Extract<CycleResult, { kind: "failed" }>,
  values: CheckValues,
  io: Io,
): Promise<1> {
  const { message } = result.failure;
  if (io.stopSignal.aborted) throw buildFailedError(message, io);
  const document = formatJsonText(buildResultDocument(result, values, io.now()));
  const { stdout, files } = values.output;
  const { written = [], others = [] } = Object.groupBy(files, ({ format }) =>
    DOCUMENT_FORMATS.includes(format) ? "written" : "others",
  );
  await writeOutputFiles(written, () => document);
  if (DOCUMENT_FORMATS.includes(stdout) && !values.quiet) io.out(document);
  io.err(`preflight: ${toLine(message)}\n`);
  for (const { file } of others) io.err(`preflight: ${toLine(file)} was not written\n`);
  return 1;
}
