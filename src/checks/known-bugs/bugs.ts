import { AUTHENTICATION_BUGS } from "./bugs/authentication.ts";
import { AWS_BUGS } from "./bugs/aws.ts";
import { AZURE_BUGS } from "./bugs/azure.ts";
import { BOOT_IMAGES_BUGS } from "./bugs/boot-images.ts";
import { CAPABILITY_BUGS } from "./bugs/capabilities.ts";
import { CERTIFICATES_BUGS } from "./bugs/certificates.ts";
import { CONSOLE_BUGS } from "./bugs/console.ts";
import { CONTROL_PLANE_BUGS } from "./bugs/control-plane.ts";
import { HOSTED_BUGS } from "./bugs/hosted.ts";
import { IPSEC_BUGS } from "./bugs/ipsec.ts";
import { MACHINE_CONFIG_BUGS } from "./bugs/machine-config.ts";
import { MULTUS_BUGS } from "./bugs/multus.ts";
import { NETWORKS_BUGS } from "./bugs/networks.ts";
import { NODES_BUGS } from "./bugs/nodes.ts";
import { OPERATORS_BUGS } from "./bugs/operators.ts";
import { PLATFORMS_BUGS } from "./bugs/platforms.ts";
import { RELEASES_BUGS } from "./bugs/releases.ts";
import { STORAGE_BUGS } from "./bugs/storage.ts";
import { UNDECIDABLE_BUGS } from "./bugs/undecidable.ts";
import { WORKLOADS_BUGS } from "./bugs/workloads.ts";
import type { BugEntry, KnownBug } from "./known-bug.ts";

const ENTRIES: readonly BugEntry[] = [
  ...AUTHENTICATION_BUGS,
  ...AWS_BUGS,
  ...AZURE_BUGS,
  ...BOOT_IMAGES_BUGS,
  ...CAPABILITY_BUGS,
  ...CERTIFICATES_BUGS,
  ...CONSOLE_BUGS,
  ...CONTROL_PLANE_BUGS,
  ...HOSTED_BUGS,
  ...IPSEC_BUGS,
  ...MACHINE_CONFIG_BUGS,
  ...MULTUS_BUGS,
  ...NETWORKS_BUGS,
  ...NODES_BUGS,
  ...OPERATORS_BUGS,
  ...PLATFORMS_BUGS,
  ...RELEASES_BUGS,
  ...STORAGE_BUGS,
  ...UNDECIDABLE_BUGS,
  ...WORKLOADS_BUGS,
];

/** Every known bug, whatever it affects. */
export const KNOWN_BUGS: readonly KnownBug[] = ENTRIES.map((entry) => ({ certainty: "risk", ...entry }));
