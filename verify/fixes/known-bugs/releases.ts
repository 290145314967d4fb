import type { Fixture } from "./fake-cluster.ts";

const ALWAYS: Fixture = { hit: [], miss: [], versionsOnly: true };

export const RELEASES_FIXTURES: Readonly<Record<string, Fixture>> = {
  "pre-release": ALWAYS,
  "duplicate-release": ALWAYS,
  "patches-older-release": ALWAYS,
  "precondition-check": ALWAYS,
  "hyphen-prefix": ALWAYS,
};
