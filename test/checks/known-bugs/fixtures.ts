import { AUTHENTICATION } from "./authentication.ts";
import { AWS_FAULTS } from "./aws.ts";
import { AZURE_FAULTS } from "./azure.ts";
import { BOOT_IMAGES } from "./boot-images.ts";
import { CAPABILITY_FAULTS } from "./capabilities.ts";
import { CERTIFICATES } from "./certificates.ts";
import { CONSOLE } from "./console.ts";
import { CONTROL_PLANE } from "./control-plane.ts";
import { HOSTED_FAULTS } from "./hosted.ts";
import { IPSEC_FAULTS } from "./ipsec.ts";
import { MACHINE_CONFIG } from "./machine-config.ts";
import { MULTUS } from "./multus.ts";
import { NETWORKS } from "./networks.ts";
import { NODES } from "./nodes.ts";
import { OPERATORS } from "./operators.ts";
import { PLATFORMS } from "./platforms.ts";
import { RELEASES } from "./releases.ts";
import { STORAGE } from "./storage.ts";
import { WORKLOADS } from "./workloads.ts";
import type { Fixture } from "./things.ts";

/** A cluster that each entry hits and one that it misses, by the entry's id. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
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
};
