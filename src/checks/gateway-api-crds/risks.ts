import { buildStorageMigration } from "../../model/commands.ts";
import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { readRisks } from "../shared/risks.ts";
import { GATE } from "./crds.ts";

export const risks = readRisks("gateway-api-crds", {
  GatewayAPICRDsTakenOver: {
    fixKind: "weakening",
    fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
  },
  GatewayAPICRDsDegradeIngress: {},
  GatewayAPIStoredVersionsLost: {
    fixKind: "weakening",
    fix: ({ object, detail }, { platform }) =>
      buildStorageMigration(platform, object, (detail?.["kept"] ?? "<version>").split(",")),
  },
});
