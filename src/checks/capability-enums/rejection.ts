import type { Context, Finding } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { compareVersions, getKubernetesMinor } from "../../model/version.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { readRisks } from "../shared/risks.ts";
import type { CapabilityValue } from "./enums.ts";

export const risks = readRisks("capability-enums", {
  CapabilityRejected: { message: { values: formatValues, writes: (_, context) => describeWrites(context) } },
});

function formatValues(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ message }) => /^"([^"]*)"/.exec(message)?.[1] ?? [])));
}

function describeWrites({ source, target }: Context): string {
  const earlier = compareVersions(source, target) < 0 ? source : target;
  return hasFeature("ratcheting", getKubernetesMinor(earlier))
    ? "each write that changes such a field but keeps the value"
    : "every write of ClusterVersion";
}

export function buildFinding({ path, value }: CapabilityValue, { target }: Context): Finding {
  const message = `"${value}" is not a value that ${target.text} accepts here.`;
  return { risk: risks.CapabilityRejected.name, object: CLUSTER_VERSION, path, message };
}
