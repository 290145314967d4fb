import type { Finding } from "../../model/check.ts";
import { buildPatchCommand, buildPrefix } from "../../model/commands.ts";
import { textAt } from "../../model/json.ts";
import { type Get, get } from "../../model/read.ts";
import { buildConfigMapRef } from "../../model/resource.ts";
import type { Platform } from "../../model/version.ts";

const ACKS = buildConfigMapRef("openshift-config", "admin-acks");

/** Whether a gate is acknowledged, for which only the text "true" counts. */
export function buildAckRead(gate: string): Get<boolean> {
  return get("v1/configmaps", `${ACKS.namespace}/${ACKS.name}`, (acks) => textAt(acks, "data", gate) === "true");
}

/** The detail of findings in a cluster without the ConfigMap of the acknowledgements, which a patch doesn't create. */
const ABSENT = { acks: "absent" };

export function noteAbsentAcks(findings: readonly Finding[], isAbsent: boolean): readonly Finding[] {
  if (!isAbsent) return findings;
  return findings.map((finding) => ({ ...finding, detail: { ...finding.detail, ...ABSENT } }));
}

/** The commands that acknowledge a gate. */
export function buildAcknowledgement({ detail }: Finding, platform: Platform, gate: string): readonly string[] {
  const patch = buildPatchCommand(platform, ACKS, { data: { [gate]: "true" } });
  if (detail?.["acks"] !== ABSENT.acks) return [patch];
  return [`${buildPrefix(platform, ACKS.namespace)} create configmap ${ACKS.name}`, patch];
}
