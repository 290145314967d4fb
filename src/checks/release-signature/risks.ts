import { buildObjectCommand, quoteArgument } from "../../model/commands.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("release-signature", {
  ReleaseSignatureUntrusted: {
    message: { image: (_, { release }) => release.image ?? "The target's image" },
    see: (finding, { platform, release }) => [
      buildObjectCommand(platform, "get", finding.object),
      `oc adm release info ${release.image === undefined ? "<image>" : quoteArgument(release.image)}`,
    ],
  },
});
