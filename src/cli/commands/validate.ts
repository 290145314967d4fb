import { readTextFile } from "../../files/named-file.ts";
import { parseDocument } from "../../format/document/document-parser.ts";
import { type PreflightDocument, COMPLETENESS_NOT_STATED, describeFuture } from "../../model/document.ts";
import { failWith } from "../../model/errors.ts";
import type { ValidateValues } from "./definitions.ts";
import type { Io } from "../io/io.ts";
import { toLine } from "../../model/visible-text.ts";

/** Far larger than any document. */
const MAX_BYTES = 4 << 20;

/** Validates a document: 0 if it is valid; 1 and a line for each problem if it is not; 4 if it is, but of the future. */
export async function run({ file }: ValidateValues, io: Io): Promise<0 | 1 | 4> {
  const read = await parseDocument(
    await readTextFile(file, MAX_BYTES).catch(failWith(`reading ${file}, which should be a document`)),
  );
  if (read.kind === "valid") {
    const { executionStatus, risks } = read.document;
    io.out(
      `${toLine(file)} is a valid preflight-v1-json document (${executionStatus}, ${risks.length} risk${risks.length === 1 ? "" : "s"})\n`,
    );
    const future = describeFuture(read.document, io.now());
    const notes = [...(future === undefined ? [] : [future]), ...listGaps(read.document)];
    io.out(notes.map((note) => `  ${note}\n`).join(""));
    return future === undefined ? 0 : 4;
  }
  io.out(
    `${toLine(file)} is not a valid preflight-v1-json document:\n${read.problems.map((problem) => `  ${toLine(problem)}\n`).join("")}`,
  );
  return 1;
}

/** Only a completed document has something to be complete about. */
function listGaps({ executionStatus, complete }: PreflightDocument): readonly string[] {
  return executionStatus === "completed" && complete === undefined ? [COMPLETENESS_NOT_STATED] : [];
}
