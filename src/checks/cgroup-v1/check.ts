import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Json, type JsonObject, at, textAt, textsAt } from "../../model/json.ts";
import { type Each, type Get, each, get, valuesOf } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { cgroupV1Removed } from "./risks.ts";
import { buildNamesNotice } from "../shared/notices.ts";

type CgroupMode = "v1" | "v2" | "default" | "unreadable";
type FirstReads = { readonly mode: Get<CgroupMode> };
type FollowUpReads = { readonly configs: Each<string> };

const NODE_CONFIG: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" };

export default defineCheck<FirstReads, Partial<FollowUpReads>>({
  id: "cgroup-v1",
  name: "CgroupV1Removed",
  title: "The nodes use cgroup v2",
  risks: [cgroupV1Removed],
  applies: { kind: "crosses", minor: "4.19" },
  reads: () => ({ mode: get("config.openshift.io/v1/nodes", "cluster", keepCgroupMode) }),
  mayRead: buildConfigReads,
  // With cgroupMode v1 all nodes use it, whatever their kernel arguments are.
  follow: ({ mode }) => (mode.kind === "found" && mode.value === "v1" ? {} : buildConfigReads()),
  evaluate: ({ mode }, context, { configs }) =>
    mode.kind === "absent" && mode.what === "resource"
      ? { notApplicable: "The API server does not serve nodes.config.openshift.io." }
      : judge(mode.kind === "found" ? mode.value : "default", configs ? valuesOf(configs) : [], context),
});

function buildConfigReads(): FollowUpReads {
  return { configs: each("machineconfiguration.openshift.io/v1/machineconfigs", keepCgroupV1) };
}

/** The switch of systemd; the last one on the kernel's command line counts. */
const SWITCH = "systemd.unified_cgroup_hierarchy=";
const OFF_VALUES = new Set(["0", "no", "false", "off", "n", "f"]);

/** The name of one of the administrator's own MachineConfigs whose kernel arguments select cgroup v1. */
export function keepCgroupV1(object: JsonObject): string | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  if (isGenerated(name)) return undefined;
  const words = textsAt(object, "spec", "kernelArguments").flatMap((text) => text.trim().split(/\s+/));
  const last = words.findLast((word) => word.startsWith(SWITCH));
  return last !== undefined && OFF_VALUES.has(last.slice(SWITCH.length).toLowerCase()) ? name : undefined;
}

/** The operator itself writes such arguments to follow cgroupMode, and renders all of them into one MachineConfig per pool. */
function isGenerated(name: string): boolean {
  return name.startsWith("rendered-") || /^9[78]-.*-generated-kubelet/.test(name);
}

function keepCgroupMode(object: JsonObject): CgroupMode {
  const mode: Json = at(object, "spec", "cgroupMode") ?? "";
  if (mode === "v1" || mode === "v2") return mode;
  return mode === "" ? "default" : "unreadable";
}

function judge(mode: CgroupMode, configs: readonly string[], context: Context): Judgement {
  const path = "spec.cgroupMode";
  return {
    findings:
      mode === "v1" ? [{ risk: cgroupV1Removed.name, object: NODE_CONFIG, path, message: "The mode is v1." }] : [],
    notices: buildArgumentNotices(configs, context),
    unknowns:
      mode === "unreadable"
        ? [
            {
              reason: "NotUnderstood",
              where: `nodes.config.openshift.io cluster ${path}`,
              message: "it is not a known mode",
            },
          ]
        : [],
  };
}

/** A notice, because the effect depends on the pools that use the MachineConfig and on the arguments that the target adds. */
function buildArgumentNotices(configs: readonly string[], { target }: Context): readonly string[] {
  return buildNamesNotice(
    configs,
    (names) =>
      `Kernel arguments of MachineConfig ${names} select cgroup v1, and 4.18 is the last release with it. Remove the argument systemd.unified_cgroup_hierarchy before updating the nodes of any pool that uses them to ${target.text}.`,
  );
}
