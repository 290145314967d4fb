import { type JsonObject, textAt, type Json, compareText, listAt } from "../../model/json.ts";
import { decodeDataUrl } from "../../model/data-url.ts";

/** The OCI runtime that CRI-O uses by default, and the file that sets it. */
export type ContainerRuntime =
  | { readonly kind: "named"; readonly name: string; readonly file: string }
  | { readonly kind: "default" }
  | { readonly kind: "unreadable"; readonly file: string };

/** A configuration that the operator rendered for a pool. */
export type RenderedConfig = { readonly name: string; readonly runtime: ContainerRuntime };

/** CRI-O reads its drop-ins in the order of their names; the last one that sets a value wins. */
const DROP_INS = "/etc/crio/crio.conf.d/";

export function keepRenderedConfig(object: JsonObject): RenderedConfig | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  if (!name.startsWith("rendered-")) return undefined;
  return { name, runtime: findRuntimeSetting(selectFiles(object, DROP_INS)) };
}

export function findRuntimeSetting(files: readonly IgnitionFile[]): ContainerRuntime {
  for (const { path, text } of files.toReversed()) {
    const setting = text === undefined ? "unreadable" : findSetting(text);
    if (setting === "unreadable") return { kind: "unreadable", file: path };
    if (setting !== undefined) return { kind: "named", name: setting.runtime, file: path };
  }
  return { kind: "default" };
}

type RuntimeSetting = { readonly runtime: string } | "unreadable" | undefined;

/** The value of default_runtime in the table crio.runtime of a TOML file. */
function findSetting(text: string): RuntimeSetting {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  let table = "";
  let setting: RuntimeSetting;
  for (const line of lines) {
    const header = /^\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) table = header.replaceAll(/[\s"']/g, "");
    else if (line.startsWith("[[")) table = "";
    else setting = parseSetting(line, table) ?? setting;
  }
  return setting;
}

function parseSetting(line: string, table: string): RuntimeSetting {
  const key = /^[\w.\s"'-]+(?==)/.exec(line)?.[0].replaceAll(/[\s"']/g, "");
  if (key === undefined || [table, key].filter((part) => part !== "").join(".") !== "crio.runtime.default_runtime")
    return undefined;
  const value = /=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line);
  const runtime = value?.[1] ?? value?.[2];
  return runtime === undefined ? "unreadable" : { runtime };
}

/** A file of an Ignition config; its text is undefined if it can't be decoded. */
type IgnitionFile = { readonly path: string; readonly text: string | undefined };

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
