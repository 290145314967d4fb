import { AUTHENTICATION } from "./entries/authentication.ts";
import { AWS_FAULTS } from "./entries/aws.ts";
import { AZURE_FAULTS } from "./entries/azure.ts";
import { BOOT_IMAGES } from "./entries/boot-images.ts";
import { CAPABILITY_FAULTS } from "./entries/capabilities.ts";
import { CERTIFICATES } from "./entries/certificates.ts";
import { CONSOLE } from "./entries/console.ts";
import { CONTROL_PLANE } from "./entries/control-plane.ts";
import { HOSTED_FAULTS } from "./entries/hosted.ts";
import { IPSEC_FAULTS } from "./entries/ipsec.ts";
import { MACHINE_CONFIG } from "./entries/machine-config.ts";
import { MULTUS } from "./entries/multus.ts";
import { NETWORKS } from "./entries/networks.ts";
import { NODES } from "./entries/nodes.ts";
import { OPERATORS } from "./entries/operators.ts";
import { PLATFORMS } from "./entries/platforms.ts";
import { RELEASES } from "./entries/releases.ts";
import { STORAGE } from "./entries/storage.ts";
import { WORKLOADS } from "./entries/workloads.ts";
import type { Entry } from "./vocabulary.ts";

/** Every fault that is known, whatever kind of thing it hits. */
export const ENTRIES: readonly Entry[] = [
  ...AUTHENTICATION,
  ...AWS_FAULTS,
  ...AZURE_FAULTS,
  ...BOOT_IMAGES,
  ...CAPABILITY_FAULTS,
  ...CERTIFICATES,
  ...CONSOLE,
  ...CONTROL_PLANE,
  ...HOSTED_FAULTS,
  ...IPSEC_FAULTS,
  ...MACHINE_CONFIG,
  ...MULTUS,
  ...NETWORKS,
  ...NODES,
  ...OPERATORS,
  ...PLATFORMS,
  ...RELEASES,
  ...STORAGE,
  ...WORKLOADS,
];
