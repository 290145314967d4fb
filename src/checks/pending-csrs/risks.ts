import { getCommandName, quoteArgument } from "../../model/commands.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("pending-csrs", {
  KubeletCertificateRequestsPending: {
    see: ({ detail }, { platform }) => [
      `${getCommandName(platform)} describe csr/${quoteArgument(detail?.["request"] ?? "")}`,
    ],
    fixKind: "weakening",
    fix: ({ detail }, { platform }) => [
      `${getCommandName(platform)}${platform === "openshift" ? " adm" : ""} certificate approve ${quoteArgument(detail?.["request"] ?? "")}`,
    ],
  },
});
