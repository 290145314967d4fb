import { parseDocument } from "../../format/document-parser.ts";
import { formatError, FailedError } from "../../model/errors.ts";
import { readDocumentFile } from "../../publish/published-document.ts";
import type { Io } from "../io.ts";

/** Validates a document; 0 where it is valid, 1 with a line for each problem where it isn't. */
export async function validate(operands: readonly string[], io: Io): Promise<number> {
  const file = operands[0] ?? "";
  const read = await parseDocument(await readText(file));
  if (read.kind === "valid") {
    const { executionStatus, risks } = read.document;
    io.out(
      `${file} is a valid preflight-v1-json document (${executionStatus}, ${risks.length} risk${risks.length === 1 ? "" : "s"})\n`,
    );
    return 0;
  }
  io.out(
    `${file} is no valid preflight-v1-json document:\n${read.problems.map((problem) => `  ${problem}\n`).join("")}`,
  );
  return 1;
}

async function readText(file: string): Promise<string> {
  try {
    return await readDocumentFile(file);
  } catch (thrown) {
    throw new FailedError(formatError(thrown));
  }
}
