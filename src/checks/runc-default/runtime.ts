import { type JsonObject, textAt } from "../../model/json.ts";
import { type IgnitionFile, selectFiles } from "./ignition.ts";

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
