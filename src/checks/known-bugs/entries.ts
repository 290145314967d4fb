import { AUTHENTICATION } from "./entries/authentication.ts";
import { BOOT_IMAGES } from "./entries/boot-images.ts";
import { CONSOLE } from "./entries/console.ts";
import { CONTROL_PLANE } from "./entries/control-plane.ts";
import { MACHINE_CONFIG } from "./entries/machine-config.ts";
import { MONITORING } from "./entries/monitoring.ts";
import { NETWORKS } from "./entries/networks.ts";
import { NODES } from "./entries/nodes.ts";
import { OPERATORS } from "./entries/operators.ts";
import { PLATFORMS } from "./entries/platforms.ts";
import { WORKLOADS } from "./entries/workloads.ts";
import type { Entry } from "./vocabulary.ts";

/** Every fault that is known, whatever kind of thing it hits. */
export const ENTRIES: readonly Entry[] = [
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
];
