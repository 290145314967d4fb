import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { at, type JsonObject, type Json } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { type Each, type Get, each, get, valuesOf } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { keepCgroupV1 } from "./kernel-arguments.ts";
import { cgroupV1 } from "./risks.ts";

type Mode = "v1" | "v2" | "default" | "unreadable";
type Reads = { readonly mode: Get<Mode> };
type Followed = { readonly configs: Each<string> };

const NODE_CONFIG: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" };

export default defineCheck<Reads, Partial<Followed>>({
  id: "cgroup-v1",
  name: "CgroupV1Removed",
  title: "The nodes use cgroup v2",
  risks: [cgroupV1],
  applies: { kind: "crosses", minor: "4.19" },
  needsManifests: false,
  reads: () => ({ mode: get("config.openshift.io/v1/nodes", "cluster", keepMode) }),
  mayRead: configReads,
  // With cgroupMode v1 all nodes have it, whatever their kernel arguments are.
  follow: ({ mode }) => (mode.kind === "found" && mode.value === "v1" ? {} : configReads()),
  evaluate: ({ mode }, context, { configs }) =>
    mode.kind === "absent" && mode.what === "resource"
      ? { notApplicable: "The API server serves no nodes.config.openshift.io." }
      : judge(mode.kind === "found" ? mode.value : "default", configs ? valuesOf(configs) : [], context),
});

function configReads(): Followed {
  return { configs: each("machineconfiguration.openshift.io/v1/machineconfigs", keepCgroupV1) };
}

function keepMode(object: JsonObject): Mode {
  const mode: Json = at(object, "spec", "cgroupMode") ?? "";
  if (mode === "v1" || mode === "v2") return mode;
  return mode === "" ? "default" : "unreadable";
}

function judge(mode: Mode, configs: readonly string[], context: Context): Judgement {
  const path = "spec.cgroupMode";
  return {
    findings: mode === "v1" ? [{ risk: cgroupV1.name, object: NODE_CONFIG, path, message: "It is v1." }] : [],
    notices: argumentNotices(configs, context),
    blind:
      mode === "unreadable"
        ? [{ reason: "NotUnderstood", where: `nodes.config.openshift.io cluster ${path}`, message: "it is no mode" }]
        : [],
  };
}

/** Whether a pool uses such a MachineConfig, and what comes of it beside the target's own arguments, is not decided here. */
function argumentNotices(configs: readonly string[], { target }: Context): readonly string[] {
  if (configs.length === 0) return [];
  return [
    `Kernel arguments ask for cgroup v1, which ended with 4.18, in MachineConfig ${joinSome(configs)}: nodes of a pool that uses it are not to be taken to ${target.text} before the argument systemd.unified_cgroup_hierarchy is gone.`,
  ];
}
