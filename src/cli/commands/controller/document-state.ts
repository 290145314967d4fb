import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { parseDocument } from "../../../format/document/document-parser.ts";
import type { DocumentState } from "../../../lift/progress/runner-state.ts";
import { TOO_LARGE } from "../../../files/named-file.ts";
import { errorCode, formatError } from "../../../model/errors.ts";
import { readPublishedDocument } from "../../../publish/published-document.ts";

/** Reads the document at the path. The controller never writes it. */
export async function readDocumentState(path: string): Promise<DocumentState> {
  try {
    const text = await readPublishedDocument(path);
    if (text === undefined) return await explainMissingDocument(path);
    const read = await parseDocument(text);
    if (read.kind === "valid") return { kind: "read", document: read.document };
    return { kind: "invalid", problems: read.problems };
  } catch (thrown) {
    // The volume is fine, and no runner wrote this.
    if (thrown instanceof Error && errorCode(thrown.cause) === TOO_LARGE)
      return { kind: "invalid", problems: [formatError(thrown)] };
    return { kind: "unreadable", message: formatError(thrown) };
  }
}

/** The runner creates its folder, but not the volume that holds it. */
async function explainMissingDocument(path: string): Promise<DocumentState> {
  const folder = dirname(path);
  const volume = basename(folder).startsWith(".") ? dirname(folder) : folder;
  const entry = await stat(volume).catch(() => undefined);
  if (entry?.isDirectory()) return { kind: "missing" };
  return { kind: "unreadable", message: `the folder ${volume} does not exist` };
}
