import type { Check } from "../../model/check.ts";
import type { ImageVerification } from "../../model/release.ts";
import type { CheckSetValues } from "../checks/check-set.ts";
import { replaceKnownBugs } from "../checks/known-bugs.ts";
import type { ClusterSession } from "../client/connection.ts";
import { buildImageOptions, type RegistryValues } from "../settings/release-settings.ts";
import { verifyImage } from "./image-signature.ts";

/** Commands that are given no list, or read no images, lack some of them. */
export type BugListValues = Partial<CheckSetValues & RegistryValues>;

/**
 * Lets the check of known bugs say whether the list of --known-bugs is signed, by the keys that the cluster trusts for releases. It is used
 * in any case: whoever named it trusts it. For one that is at hand, nothing is fetched from the network.
 */
export async function addListSignature(
  checks: readonly Check[],
  session: ClusterSession<BugListValues>,
): Promise<readonly Check[]> {
  const { values, io } = session;
  const { list, signed } = values.checkSet?.knownBugs ?? {};
  if (list === undefined || signed === undefined || !checks.some(({ id }) => id === "known-bugs")) return checks;
  const store = values["signature-store"];
  const verification = await verifyImage(
    signed.digest,
    { ...session, values: { "signature-store": store } },
    buildImageOptions(values, [], io),
    signed.isInRegistry ? [] : "none",
  );
  return replaceKnownBugs(checks, { ...list, signature: describeSignature(verification) });
}

function describeSignature({ status, message }: ImageVerification): string {
  return status === "Unknown" ? `Its signature ${message}.` : `It is ${message}.`;
}
