import { AUTHENTICATION_FIXTURES } from "./authentication.ts";
import { AWS_FIXTURES } from "./aws.ts";
import { AZURE_FIXTURES } from "./azure.ts";
import { BOOT_IMAGES_FIXTURES } from "./boot-images.ts";
import { CAPABILITY_FIXTURES } from "./capabilities.ts";
import { CERTIFICATES_FIXTURES } from "./certificates.ts";
import { CONSOLE_FIXTURES } from "./console.ts";
import { CONTROL_PLANE_FIXTURES } from "./control-plane.ts";
import { HOSTED_FIXTURES } from "./hosted.ts";
import { IPSEC_FIXTURES } from "./ipsec.ts";
import { MACHINE_CONFIG_FIXTURES } from "./machine-config.ts";
import { MULTUS_FIXTURES } from "./multus.ts";
import { NETWORKS_FIXTURES } from "./networks.ts";
import { NODES_FIXTURES } from "./nodes.ts";
import { OPERATORS_FIXTURES } from "./operators.ts";
import { PLATFORMS_FIXTURES } from "./platforms.ts";
import { RELEASES_FIXTURES } from "./releases.ts";
import { STORAGE_FIXTURES } from "./storage.ts";
import { UNDECIDABLE_FIXTURES } from "./undecidable.ts";
import { WORKLOADS_FIXTURES } from "./workloads.ts";
import type { Fixture } from "./fake-cluster.ts";

/** A cluster that each entry affects and one that it doesn't, by the entry's id. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  ...AUTHENTICATION_FIXTURES,
  ...AWS_FIXTURES,
  ...AZURE_FIXTURES,
  ...BOOT_IMAGES_FIXTURES,
  ...CAPABILITY_FIXTURES,
  ...CERTIFICATES_FIXTURES,
  ...CONSOLE_FIXTURES,
  ...CONTROL_PLANE_FIXTURES,
  ...HOSTED_FIXTURES,
  ...IPSEC_FIXTURES,
  ...MACHINE_CONFIG_FIXTURES,
  ...MULTUS_FIXTURES,
  ...NETWORKS_FIXTURES,
  ...NODES_FIXTURES,
  ...OPERATORS_FIXTURES,
  ...PLATFORMS_FIXTURES,
  ...RELEASES_FIXTURES,
  ...STORAGE_FIXTURES,
  ...UNDECIDABLE_FIXTURES,
  ...WORKLOADS_FIXTURES,
};
