import type { PlantedFault } from "../fault.ts";
import { unavailableApis } from "./api-services.ts";
import { waitingKubelets } from "./certificate-requests.ts";
import { expiredCertificates } from "./certificates.ts";
import { failingConversions } from "./conversions.ts";
import { changedDefinitions } from "./definitions.ts";
import { blockedDrains } from "./drain-blocked.ts";
import { olderGatewayCrds } from "./gateway-crds.ts";
import { oldCgroups, unknownCapabilities } from "./refused-values.ts";
import { removedApis } from "./removed-apis.ts";
import { failingWebhooks } from "./webhooks.ts";

/** What is planted in every played update to which it applies. */
export const FAULTS: readonly PlantedFault[] = [
  blockedDrains,
  changedDefinitions,
  expiredCertificates,
  failingConversions,
  failingWebhooks,
  oldCgroups,
  olderGatewayCrds,
  removedApis,
  unavailableApis,
  unknownCapabilities,
  waitingKubelets,
];
