import { type Fixture, infrastructure } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");

export const BOOT_IMAGES_FIXTURES: Readonly<Record<string, Fixture>> = {
  "boot-image-afterburn": { hit: [AWS], hitHistory: ["4.2.9", "4.1.20"], miss: [AWS], missHistory: ["4.2.0"] },
  "boot-image-aws-42": { hit: [AWS], hitHistory: ["4.2.33"], miss: [AWS], missHistory: ["4.3.0"] },
  // Enough releases that the operator may have dropped the first ones.
  "boot-image-podman-authfile": {
    hit: [],
    hitHistory: Array.from({ length: 50 }, (_, i) => `4.9.${50 - i}`),
    miss: [],
    missHistory: ["4.9.1"],
  },
  "boot-image-os-release": { hit: [], hitHistory: ["4.1.0"], miss: [], missHistory: ["4.3.0"] },
  "boot-image-composefs": { hit: [], hitHistory: ["4.2.0-rc.1"], miss: [], missHistory: ["4.10.0"] },
  "boot-image-scos": { hit: [], miss: [], versionsOnly: true },
};
