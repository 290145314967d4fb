import { decodeDataUrl } from "../../model/data-url.ts";
import { type Json, type JsonObject, compareText, listAt, textAt } from "../../model/json.ts";

/** A file of an Ignition config; its text is undefined if it can't be decoded. */
export type IgnitionFile = { readonly path: string; readonly text: string | undefined };

/** The files of a MachineConfig under a folder, sorted by path. Others are not decoded: they may hold secrets. */
export function selectFiles(config: JsonObject, folder: string): readonly IgnitionFile[] {
  const files = listAt(config, "spec", "config", "storage", "files").flatMap((file) => parseFile(file, folder));
  return files.toSorted((a, b) => compareText(a.path, b.path));
}

function parseFile(file: Json, folder: string): readonly IgnitionFile[] {
  const path = textAt(file, "path") ?? "";
  if (!path.startsWith(folder)) return [];
  const source = textAt(file, "contents", "source") ?? "";
  const compression = textAt(file, "contents", "compression") ?? "";
  return [{ path, text: decode(source, compression) }];
}

/** Doesn't decode compressed or remote contents: the operator writes its own drop-ins inline and uncompressed. */
function decode(source: string, compression: string): string | undefined {
  if (source === "") return "";
  return compression === "" ? decodeDataUrl(source)?.toString("utf8") : undefined;
}
