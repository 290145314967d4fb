import { decodeDataUrl } from "../../model/data-url.ts";
import { type Json, type JsonObject, isList, isObject, textAt } from "../../model/json.ts";
import { ITEMS, type MemberPath } from "../../model/needed-fields.ts";
import { getGroup } from "../../model/resource.ts";
import { KEPT_FILES } from "./field-scope.ts";

/** What stays of a text; `file` is the path of the file that it belongs to, or "". */
type SelectText = (text: string, file: string) => string;

const KEEP: SelectText = (text) => text;
const HIDE: SelectText = () => "REDACTED";
const selectFile: SelectText = (source, file) => (file.startsWith(KEPT_FILES) ? selectRuntime(source) : "REDACTED");

const PROVIDER_SPEC: Readonly<Record<string, SelectText>> = {
  "ami.id": KEEP,
  "userDataSecret.name": KEEP,
  apiVersion: KEEP,
  kind: KEEP,
  zone: KEEP,
};

/** Programs that a check looks for in units. */
const KEPT_PROGRAMS = ["semodule"];

const CGROUP_SWITCH = /^systemd\.unified_cgroup_hierarchy=\w{0,10}$/;

/**
 * Fields that hold whatever a person or an operator puts there, such as files, commands, user data and the settings of drivers, by group and
 * kind: their structure stays, and of their texts only those that checks read, by the path below the field. No schema judges these fields.
 */
const OPAQUE_FIELDS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, SelectText>>>>>> = {
  "machineconfiguration.openshift.io/MachineConfig": {
    "spec.config": {
      "ignition.version": KEEP,
      "storage.files.path": KEEP,
      "storage.files.contents.compression": KEEP,
      "storage.files.contents.source": selectFile,
      "systemd.units.name": KEEP,
      "systemd.units.contents": selectPrograms,
    },
    "spec.kernelArguments": { "": selectArguments },
  },
  "machine.openshift.io/Machine": { "spec.providerSpec.value": PROVIDER_SPEC, "status.providerStatus": {} },
  "machine.openshift.io/MachineSet": { "spec.template.spec.providerSpec.value": PROVIDER_SPEC },
  "machine.openshift.io/ControlPlaneMachineSet": {
    "spec.template.machines_v1beta1_machine_openshift_io.spec.providerSpec.value": PROVIDER_SPEC,
  },
  PersistentVolume: {
    spec: {
      accessModes: KEEP,
      "claimRef.name": KEEP,
      "claimRef.namespace": KEEP,
      "csi.driver": KEEP,
      "local.path": KEEP,
      storageClassName: KEEP,
      volumeMode: KEEP,
    },
  },
};

/** Redacts the opaque fields of an object, if its kind has some. */
export function redactOpaqueFields(object: JsonObject): JsonObject {
  return listOpaqueFields(object).reduce((before, [path, kept]) => replaceAt(before, path.split("."), kept), object);
}

function listOpaqueFields(object: JsonObject): readonly (readonly [path: string, kept: KeptTexts])[] {
  const group = getGroup(textAt(object, "apiVersion") ?? "");
  const kind = textAt(object, "kind") ?? "";
  return Object.entries(OPAQUE_FIELDS[group === "" ? kind : `${group}/${kind}`] ?? {});
}

/** Whether a part of the text stays there that preflight's own checks read. */
export function isReducedText(object: JsonObject, path: MemberPath): boolean {
  const place = path.filter((step) => step !== ITEMS).join(".");
  return listOpaqueFields(object).some(([field, kept]) =>
    Object.keys(kept).some((below) => place === (below === "" ? field : `${field}.${below}`)),
  );
}

type KeptTexts = Readonly<Record<string, SelectText>>;

function replaceAt(object: JsonObject, [key = "", ...rest]: readonly string[], kept: KeptTexts): JsonObject {
  const value = object[key];
  if (value === undefined) return object;
  if (rest.length === 0) return { ...object, [key]: selectTexts(value, { path: "", kept, file: "" }) };
  return isObject(value) ? { ...object, [key]: replaceAt(value, rest, kept) } : object;
}

type Place = { readonly path: string; readonly kept: KeptTexts; readonly file: string };

/** Paths pass through lists. */
function selectTexts(value: Json, place: Place): Json {
  const { path, kept, file } = place;
  if (isList(value)) return value.map((item) => selectTexts(item, place));
  if (typeof value === "string" && value !== "")
    return (Object.hasOwn(kept, path) ? kept[path] : HIDE)?.(value, file) ?? "";
  if (!isObject(value)) return value;
  const below = { kept, file: textAt(value, "path") ?? file };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      selectTexts(item, { ...below, path: path === "" ? key : `${path}.${key}` }),
    ]),
  );
}

/** Units are commands, of which checks only need which programs they start. */
function selectPrograms(unit: string): string {
  return ["REDACTED", ...KEPT_PROGRAMS.filter((program) => unit.includes(program))].join(" ");
}

/** CRI-O's configuration, of which a check needs the default runtime. What can't be decoded stays so. */
function selectRuntime(source: string): string {
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

/** Keeps the names of kernel arguments, and the value that a check reads. */
function selectArguments(text: string): string {
  return text.replace(/([^\s=]+)=(\S+)/g, (whole, name: string) =>
    CGROUP_SWITCH.test(whole) ? whole : `${name}=REDACTED`,
  );
}
