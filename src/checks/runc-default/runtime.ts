import { type JsonObject, textAt } from "../../model/json.ts";
import { type IgnitionFile, filesUnder } from "./ignition.ts";

/** Which OCI runtime CRI-O starts containers with by default, and the file that says so. */
export type Runtime =
  | { readonly kind: "named"; readonly name: string; readonly file: string }
  | { readonly kind: "default" }
  | { readonly kind: "unreadable"; readonly file: string };

/** A configuration as the operator rendered it for a pool. */
export type Rendered = { readonly name: string; readonly runtime: Runtime };

/** CRI-O reads its drop-ins in the order of their names, and the last one counts. */
const DROP_INS = "/etc/crio/crio.conf.d/";

export function keepRendered(object: JsonObject): Rendered | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  if (!name.startsWith("rendered-")) return undefined;
  return { name, runtime: runtimeOf(filesUnder(object, DROP_INS)) };
}

export function runtimeOf(files: readonly IgnitionFile[]): Runtime {
  for (const { path, text } of files.toReversed()) {
    const found = text === undefined ? "unreadable" : settingIn(text);
    if (found === "unreadable") return { kind: "unreadable", file: path };
    if (found !== undefined) return { kind: "named", name: found.runtime, file: path };
  }
  return { kind: "default" };
}

type Setting = { readonly runtime: string } | "unreadable" | undefined;

/** The value of default_runtime in the table crio.runtime of a TOML file. */
function settingIn(text: string): Setting {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  let table = "";
  let setting: Setting;
  for (const line of lines) {
    const header = /^\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) table = header.replaceAll(/[\s"']/g, "");
    else if (line.startsWith("[[")) table = "";
    else setting = settingOf(line, table) ?? setting;
  }
  return setting;
}

function settingOf(line: string, table: string): Setting {
  const key = /^[\w.\s"'-]+(?==)/.exec(line)?.[0].replaceAll(/[\s"']/g, "");
  if (key === undefined || [table, key].filter((part) => part !== "").join(".") !== "crio.runtime.default_runtime")
    return undefined;
  const value = /=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line);
  const runtime = value?.[1] ?? value?.[2];
  return runtime === undefined ? "unreadable" : { runtime };
}
