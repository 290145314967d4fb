import { type JsonObject, textAt, textsAt } from "../../model/json.ts";

/** systemd's switch; of several, the kernel's command line counts the last. */
const SWITCH = "systemd.unified_cgroup_hierarchy=";
const OFF = new Set(["0", "no", "false", "off", "n", "f"]);

/** The name of a MachineConfig of the administrator's own whose kernel arguments ask for cgroup v1. */
export function keepCgroupV1(object: JsonObject): string | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  if (isGenerated(name)) return undefined;
  const words = textsAt(object, "spec", "kernelArguments").flatMap((text) => text.trim().split(/\s+/));
  const last = words.findLast((word) => word.startsWith(SWITCH));
  return last !== undefined && OFF.has(last.slice(SWITCH.length).toLowerCase()) ? name : undefined;
}

/** The operator writes such arguments itself, following cgroupMode, and renders all into one for each pool. */
function isGenerated(name: string): boolean {
  return name.startsWith("rendered-") || /^9[78]-.*-generated-kubelet/.test(name);
}
