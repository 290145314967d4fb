import { decodeDataUrl } from "../../model/data-url.ts";

/** Programs that a check looks for in units. */
const KEPT_PROGRAMS = ["semodule"];

/** Units are commands, of which checks only need which programs they start. */
export function selectPrograms(unit: string): string {
  return ["REDACTED", ...KEPT_PROGRAMS.filter((program) => unit.includes(program))].join(" ");
}

/** CRI-O's configuration, of which a check needs the default runtime. What can't be decoded stays so. */
export function selectRuntime(source: string): string {
  if (source === "") return "";
  const text = decodeDataUrl(source)?.toString("utf8");
  if (text === undefined) return "REDACTED";
  const lines = text.toWellFormed().split(/\r?\n/);
  const kept = lines.flatMap(selectLine);
  return `data:,${encodeURIComponent([...kept, ...(kept.length < lines.length ? ["# REDACTED"] : [])].join("\n"))}`;
}

/** Tables, and the setting itself. */
function selectLine(line: string): readonly string[] {
  const table = /^\s*\[{1,2}[\w.\s"'-]{1,200}\]{1,2}/.exec(line)?.[0];
  if (table !== undefined) return [table];
  if (/^\s*\[/.test(line)) return ["[REDACTED]"];
  return /^[\w.\s"'-]{0,200}default_runtime["'\s]*=/.test(line) ? [line] : [];
}

const CGROUP_SWITCH = /^systemd\.unified_cgroup_hierarchy=\w{0,10}$/;

/** Keeps the names of kernel arguments, and the value that a check reads. */
export function selectArguments(text: string): string {
  return text.replace(/([^\s=]+)=(\S+)/g, (whole, name: string) =>
    CGROUP_SWITCH.test(whole) ? whole : `${name}=REDACTED`,
  );
}
