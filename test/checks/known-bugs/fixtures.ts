import { AUTHENTICATION } from "./authentication.ts";
import { BOOT_IMAGES } from "./boot-images.ts";
import { CONSOLE } from "./console.ts";
import { CONTROL_PLANE } from "./control-plane.ts";
import { MACHINE_CONFIG } from "./machine-config.ts";
import { MONITORING } from "./monitoring.ts";
import { NETWORKS } from "./networks.ts";
import { NODES } from "./nodes.ts";
import { OPERATORS } from "./operators.ts";
import { PLATFORMS } from "./platforms.ts";
import { WORKLOADS } from "./workloads.ts";
import type { Fixture } from "./things.ts";

/** A cluster that each entry hits and one that it misses, by the entry's id. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  ...AUTHENTICATION,
  ...BOOT_IMAGES,
  ...CONSOLE,
  ...CONTROL_PLANE,
  ...MACHINE_CONFIG,
  ...MONITORING,
  ...NETWORKS,
  ...NODES,
  ...OPERATORS,
  ...PLATFORMS,
  ...WORKLOADS,
};
