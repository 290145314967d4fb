import { readTextFile } from "../../../files/named-file.ts";
import { parseDocument } from "../../../format/document/document-parser.ts";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { ValidateValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { toLine } from "../../../model/visible-text.ts";

/** Validates a document: 0 if it is valid; 1 and a line for each problem if it is not. */
export async function run({ file }: ValidateValues, io: Io): Promise<0 | 1> {
  const read = await parseDocument(await readText(file));
  if (read.kind === "valid") {
    const { executionStatus, risks } = read.document;
    io.out(
      `${toLine(file)} is a valid preflight-v1-json document (${executionStatus}, ${risks.length} risk${risks.length === 1 ? "" : "s"})\n`,
    );
    return 0;
  }
  io.out(
    `${toLine(file)} is not a valid preflight-v1-json document:\n${read.problems.map((problem) => `  ${toLine(problem)}\n`).join("")}`,
  );
  return 1;
}

/** Far larger than any document. */
const MAX_BYTES = 4 << 20;

async function readText(file: string): Promise<string> {
  try {
    return await readTextFile(file, MAX_BYTES);
  } catch (thrown) {
    throw new FailedError(`reading ${file}: ${formatError(thrown)}`);
  }
}
