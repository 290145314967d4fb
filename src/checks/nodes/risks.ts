import type { Finding } from "../../model/check.ts";
import { buildPrefix, quoteArgument } from "../../model/commands.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("nodes", {
  ControlPlaneNodeNotReady: {},
  MachineConfigPoolCapacityUsedUp: {
    message: { nodes: formatNodes, waiting: formatWaiting },
    fixKind: "safe",
    fix: ({ detail }, { platform }) => {
      const names = (detail?.["cordoned"] ?? "").split(", ").filter((name) => name !== "");
      return names.map((name) => `${buildPrefix(platform)} adm uncordon ${quoteArgument(name)}`);
    },
  },
});

const MAX_POOLS = 3;

/** The update waits for some pools only. */
function formatWaiting(findings: readonly Finding[]): string {
  return findings.some(({ detail }) => detail?.["isRequired"] === "true") ? ", and the update can't complete" : "";
}

function formatNodes(findings: readonly Finding[]): string {
  return findings
    .slice(0, MAX_POOLS)
    .map(({ detail }) => detail?.["nodes"] ?? "")
    .join("; ");
}
