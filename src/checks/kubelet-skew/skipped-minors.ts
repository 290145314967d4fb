import type { Context, Finding } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { kubernetesMinorSkipped } from "./risks.ts";

/** OpenShift's releases lead through each minor by themselves; elsewhere, an administrator picks the next API server. */
export function findSkippedMinors({ platform, source, target, update }: Context): readonly Finding[] {
  if (platform === "openshift" || update !== "minor" || target.minor - source.minor < 2) return [];
  const skipped = Array.from({ length: target.minor - source.minor - 1 }, (_, i) => `1.${source.minor + 1 + i}`);
  const message = `It runs ${formatMinor(source)}, and the update skips ${skipped.join(", ")}.`;
  return [
    {
      risk: kubernetesMinorSkipped.name,
      object: { apiVersion: "v1", kind: "Component", name: "kube-apiserver" },
      message,
      detail: { skipped: skipped.join(" ") },
    },
  ];
}
