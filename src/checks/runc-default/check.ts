import { readRisks } from "../shared/risks.ts";
import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, each, get, valuesOf, type GetResult } from "../../model/read.ts";
import { type Version, getMinorOrdinal } from "../../model/version.ts";
import { type JsonObject, type Json, textAt, compareText, listAt } from "../../model/json.ts";
import { mergeJudgements } from "../shared/judgements.ts";
import { MACHINE_CONFIG_POOLS, buildPoolRef } from "../shared/node.ts";
import { decodeDataUrl } from "../../model/data-url.ts";

/** The first release that supports RHEL 10 in pools, and whose operator refuses runc there. */
const FIRST_WITH_RHEL_10 = { major: 5, minor: 0 } as const;

const GROUP = "machineconfiguration.openshift.io";

/** CRI-O reads its drop-ins in the order of their names; the last one that sets a value wins. */
const DROP_INS = "/etc/crio/crio.conf.d/";

const risks = readRisks("runc-default", {
  RuncConfiguredForRhel10: { fixKind: "disruptive", fix: ({ detail }) => [formatFix(detail?.["file"] ?? "")] },
});

/** The drop-in that the machine-config operator makes of a ContainerRuntimeConfig; any other is in a MachineConfig as it is. */
const OF_RUNTIME_CONFIG = `${DROP_INS}01-ctrcfg-defaultRuntime`;

function formatFix(file: string): string {
  return file === OF_RUNTIME_CONFIG
    ? `oc patch containerruntimeconfig.${GROUP}/<name> --type=merge -p '{"spec":{"containerRuntimeConfig":{"defaultRuntime":"crun"}}}'`
    : `oc delete machineconfig.${GROUP}/<name>`;
}

type FollowUpReads = {
  readonly pools: Each<PoolConfig>;
  readonly rendered: Each<RenderedConfig>;
  readonly streams: Get<string>;
  readonly previewedStreams: Get<string>;
};

export default defineCheck<Readonly<Record<string, never>>, Partial<FollowUpReads>>({
  id: "runc-default",
  title: "Nodes of RHEL 10 don't depend on runc",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  hosted: {
    notApplicable:
      "The control plane is hosted, so NodePools configure the container runtime, on the management cluster.",
  },
  reads: () => ({}),
  mayRead: buildPoolReads,
  // For other targets, a missing permission to read them must not make the check unknown.
  follow: (_, { target }) => (hasRhel10(target) ? buildPoolReads() : {}),
  evaluate(_, context, { pools, rendered, streams, previewedStreams }): Judgement {
    if (!hasRhel10(context.target))
      return { notApplicable: `The nodes of ${context.target.text} run RHEL 9 or earlier, which ships runc.` };
    if (pools?.kind === "absent") return { notApplicable: "The cluster has no machine config pools." };
    if (!pools || !rendered || !streams || !previewedStreams) return {};
    const judgements = pools.values.map((pool) => {
      const major = getRhelMajor(pool, [streams, previewedStreams], context.source);
      return judgePool(pool, valuesOf(rendered).find(({ name }) => name === pool.config)?.runtime, major, context);
    });
    return mergeJudgements(judgements);
  },
});

function hasRhel10(target: Version): boolean {
  return getMinorOrdinal(target) >= getMinorOrdinal(FIRST_WITH_RHEL_10);
}

function buildPoolReads(): FollowUpReads {
  return {
    pools: each(MACHINE_CONFIG_POOLS, keepPoolConfig),
    rendered: each(`${GROUP}/v1/machineconfigs`, keepRenderedConfig),
    streams: get(`${GROUP}/v1/osimagestreams`, "cluster", keepDefaultStream),
    // 4.21 and 4.22 serve it as a preview.
    previewedStreams: get(`${GROUP}/v1alpha1/osimagestreams`, "cluster", keepDefaultStream),
  };
}

function judgePool(
  pool: PoolConfig,
  runtime: ContainerRuntime | undefined,
  major: RhelMajor,
  { target }: Context,
): Judgement {
  const isRunc = runtime?.kind === "named" && runtime.name === "runc";
  if (major === "earlier") return isRunc ? { notices: [buildNotice(pool, target.text)] } : {};
  if (runtime === undefined)
    return buildUnknown(pool, "its rendered configuration doesn't exist, so its container runtime is unknown");
  if (runtime.kind === "unreadable") return buildUnknown(pool, `${runtime.file} of its configuration can't be read`);
  if (!isRunc) return {};
  if (major === "unknown") return buildUnknown(pool, "it uses runc, and the RHEL version of its nodes is unknown");
  return { findings: [buildFinding(pool, runtime.file)] };
}

function buildFinding({ name, config }: PoolConfig, file: string): Finding {
  return {
    risk: risks.RuncConfiguredForRhel10.name,
    object: buildPoolRef(name),
    message: `${file} of its configuration ${config} sets the default runtime to runc.`,
    detail: { file },
  };
}

function buildUnknown({ name }: PoolConfig, message: string): Judgement {
  return { unknowns: [{ reason: "NotUnderstood", where: `MachineConfigPool ${name}`, message }] };
}

function buildNotice({ name }: PoolConfig, target: string): string {
  return `MachineConfigPool ${name} runs its containers with runc, which RHEL 9 of ${target} ships and RHEL 10 doesn't. Change it to crun before you move the pool's nodes to RHEL 10.`;
}

/** The major version of RHEL that a pool's nodes run, or are configured to run. */
type RhelMajor = "rhel-10" | "earlier" | "unknown";

/** The fields of a MachineConfigPool that matter here. */
type PoolConfig = { readonly name: string; readonly config: string; readonly stream: string };

function keepPoolConfig(object: JsonObject): PoolConfig {
  return {
    name: textAt(object, "metadata", "name") ?? "",
    config: textAt(object, "spec", "configuration", "name") ?? "",
    stream: textAt(object, "spec", "osImageStream", "name") ?? "",
  };
}

/** The cluster's default stream: the administrator's choice, or else the operator's. */
function keepDefaultStream(object: JsonObject): string {
  return textAt(object, "spec", "defaultStream") ?? textAt(object, "status", "defaultStream") ?? "";
}

/** The streams of RHEL 10, and of CentOS Stream 10 in OKD. */
const RHEL_10 = new Set(["rhel-10", "centos-10"]);

/** Without a stream, the release with which the cluster was installed decides: RHEL 9 for 4.y, RHEL 10 from 5.0 on. */
function getRhelMajor(pool: PoolConfig, defaults: readonly GetResult<string>[], source: Version): RhelMajor {
  const names = [pool.stream, ...defaults.map((one) => (one.kind === "found" ? one.value : ""))];
  const stream = names.find((name) => name !== "");
  if (stream !== undefined) return RHEL_10.has(stream) ? "rhel-10" : "earlier";
  return source.major <= 4 ? "earlier" : "unknown";
}

/** The OCI runtime that CRI-O uses by default, and the file that sets it. */
type ContainerRuntime =
  | { readonly kind: "named"; readonly name: string; readonly file: string }
  | { readonly kind: "default" }
  | { readonly kind: "unreadable"; readonly file: string };

/** A configuration that the operator rendered for a pool. */
type RenderedConfig = { readonly name: string; readonly runtime: ContainerRuntime };

function keepRenderedConfig(object: JsonObject): RenderedConfig | undefined {
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
