import type { Context, Finding } from "../../model/check.ts";
import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("admin-acks", {
  AdminAckMissing: { fixKind: "weakening", fix: acknowledge },
  AdminAckMissingOnTheWay: { fixKind: "weakening", fix: acknowledge },
  AdminGateInvalid: {},
});

function acknowledge(finding: Finding, { platform }: Context): readonly string[] {
  return buildAcknowledgement(finding, platform, finding.detail?.["gate"] ?? "<gate>");
}
