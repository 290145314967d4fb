import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { readRisks } from "../shared/risks.ts";
import { GATE } from "./gate.ts";

export const risks = readRisks("sigstore-mirrors", {
  ReleaseMirrorsNeedSignatures: {
    fixKind: "weakening",
    fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
  },
});
