import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readDocument } from "../format/read-document.ts";
import type { DocumentState } from "../lift/runner-state.ts";
import { errorText } from "../model/errors.ts";
import { readPublished } from "../publish/read-published.ts";

/** What is found at the document's path, to which nothing is ever written from here. */
export async function documentState(path: string): Promise<DocumentState> {
  try {
    const text = await readPublished(path);
    if (text === undefined) return await withoutDocument(path);
    const read = await readDocument(text);
    if (read.kind === "valid") return { kind: "read", document: read.document };
    return { kind: "invalid", problems: read.problems };
  } catch (thrown) {
    return { kind: "unreadable", message: errorText(thrown) };
  }
}

/** The runner makes its folder itself, but not the volume in which that is. */
async function withoutDocument(path: string): Promise<DocumentState> {
  const folder = dirname(path);
  const volume = basename(folder).startsWith(".") ? dirname(folder) : folder;
  const found = await stat(volume).catch(() => undefined);
  if (found?.isDirectory()) return { kind: "missing" };
  return { kind: "unreadable", message: `there is no folder ${volume}` };
}
