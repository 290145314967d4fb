import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { at, type JsonObject, type Json } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { type Each, type Get, each, get, valuesOf } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { keepCgroupV1 } from "./kernel-arguments.ts";
import { cgroupV1Removed } from "./risks.ts";

type CgroupMode = "v1" | "v2" | "default" | "unreadable";
type Reads = { readonly mode: Get<CgroupMode> };
type FollowUpReads = { readonly configs: Each<string> };

const NODE_CONFIG: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" };

export default defineCheck<Reads, Partial<FollowUpReads>>({
  id: "cgroup-v1",
  name: "CgroupV1Removed",
  title: "The nodes use cgroup v2",
  risks: [cgroupV1Removed],
  applies: { kind: "crosses", minor: "4.19" },
  needsManifests: false,
  reads: () => ({ mode: get("config.openshift.io/v1/nodes", "cluster", keepCgroupMode) }),
  mayRead: buildConfigReads,
  // With cgroupMode v1 all nodes have it, whatever their kernel arguments are.
  follow: ({ mode }) => (mode.kind === "found" && mode.value === "v1" ? {} : buildConfigReads()),
  evaluate: ({ mode }, context, { configs }) =>
    mode.kind === "absent" && mode.what === "resource"
      ? { notApplicable: "The API server serves no nodes.config.openshift.io." }
      : judge(mode.kind === "found" ? mode.value : "default", configs ? valuesOf(configs) : [], context),
});

function buildConfigReads(): FollowUpReads {
  return { configs: each("machineconfiguration.openshift.io/v1/machineconfigs", keepCgroupV1) };
}

function keepCgroupMode(object: JsonObject): CgroupMode {
  const mode: Json = at(object, "spec", "cgroupMode") ?? "";
  if (mode === "v1" || mode === "v2") return mode;
  return mode === "" ? "default" : "unreadable";
}

function judge(mode: CgroupMode, configs: readonly string[], context: Context): Judgement {
  const path = "spec.cgroupMode";
  return {
    findings: mode === "v1" ? [{ risk: cgroupV1Removed.name, object: NODE_CONFIG, path, message: "It is v1." }] : [],
    notices: buildArgumentNotices(configs, context),
    unknowns:
      mode === "unreadable"
        ? [{ reason: "NotUnderstood", where: `nodes.config.openshift.io cluster ${path}`, message: "it is no mode" }]
        : [],
  };
}

/** Whether a pool uses such a MachineConfig, and what comes of it beside the target's own arguments, is not decided here. */
function buildArgumentNotices(configs: readonly string[], { target }: Context): readonly string[] {
  if (configs.length === 0) return [];
  return [
    `Kernel arguments ask for cgroup v1, which ended with 4.18, in MachineConfig ${summarizeNames(configs)}: nodes of a pool that uses it are not to be taken to ${target.text} before the argument systemd.unified_cgroup_hierarchy is gone.`,
  ];
}
