import { hash } from "node:crypto";
import { type YamlDocuments, parseDocuments } from "../../encoding/yaml.ts";
import { openPrivateFolder, readPrivateFile, removeOldFiles, writePrivateFile } from "../../files/private-folder.ts";
import { type Json, listAt, parseObject } from "../../model/json.ts";

/** The documents of a target's files by their contents, since parsing the YAML of a release takes longer than judging it. */
export type ParsedFiles = {
  /** The documents of a text, or what `select` keeps of them. `content`: the digest of the text. */
  readonly parse: (text: string, content: string, select: (document: Json) => Json) => YamlDocuments;
  /** Keeps what was parsed for the next run. */
  readonly keep: () => void;
};

export const NO_PARSED_FILES: ParsedFiles = { parse: (text) => parseDocuments(text), keep: () => undefined };

/** Where parsed files are kept. `name` changes with the target's folder and with whatever may parse differently. */
export type ParsedFilesPlace = { readonly base: string; readonly name: string; readonly now: Date };

const FOLDERS = ["preflight", "parsed"];
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** Below so many characters parsing takes a few milliseconds. */
const MIN_PARSED = 1_000_000;

/** Opens what an earlier run kept in a folder that only this user can write to. Without one, everything is parsed. */
export function openParsedFiles(place: ParsedFilesPlace): ParsedFiles {
  const kept = readKept(place);
  const lines: string[] = [];
  let parsed = 0;
  return {
    parse(text, content, select) {
      const line = kept.get(content);
      if (line !== undefined) {
        lines.push(line);
        return { kind: "documents", documents: listAt(parseObject(line.slice(content.length)), "documents") };
      }
      const result = parseDocuments(text);
      if (result.kind === "invalid") return result;
      const documents = result.documents.map(select);
      lines.push(`${content} ${JSON.stringify({ documents })}`);
      parsed += text.length;
      return { kind: "documents", documents };
    },
    keep: () => (parsed < MIN_PARSED ? undefined : write(place, lines.join("\n"))),
  };
}

/** The lines that were kept, by the digest that each begins with. */
function readKept({ base, name }: ParsedFilesPlace): ReadonlyMap<string, string> {
  const folder = openPrivateFolder(base, FOLDERS, "leave");
  const text = folder.kind === "private" ? readPrivateFile(folder, name, MAX_BYTES)?.toString("utf8") : undefined;
  const [checksum, ...lines] = text?.split("\n") ?? [];
  if (checksum !== hash("sha256", lines.join("\n"))) return new Map();
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line]));
}

function write({ base, name, now }: ParsedFilesPlace, text: string): void {
  try {
    const folder = openPrivateFolder(base, FOLDERS, "create");
    if (folder.kind !== "private") return;
    writePrivateFile(folder, name, `${hash("sha256", text)}\n${text}`);
    removeOldFiles(folder, MAX_AGE_MS, now);
  } catch {
    // A full disk or a read-only folder costs time at the next run, and nothing else.
  }
}
