import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, quoteArgument } from "../../model/commands.ts";
import { RELEASE_TRUST } from "../../model/release-signatures.ts";

export const releaseSignatureUntrusted: RiskText = {
  name: "ReleaseSignatureUntrusted",
  effect: "refused",
  title: "The cluster does not trust the signature of the target's image",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  describe: (objects, { target, release }) =>
    `${release.image ?? "The target's image"} is signed, but not by the keys in ${objects}: the cluster-version operator refuses to load ${target.text} from it.`,
  remediation:
    "Find out where the image comes from, and use the one whose digest the update service names for this release. A release of your own has to be signed by a key that the running release trusts.",
  see: (finding, { platform, release }) => [
    buildObjectCommand(platform, "get", finding.object),
    `oc adm release info ${release.image === undefined ? "<image>" : quoteArgument(release.image)}`,
  ],
  example: { object: RELEASE_TRUST },
};
