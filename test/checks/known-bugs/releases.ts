import type { Fixture } from "./things.ts";

const ALWAYS: Fixture = { hit: [], miss: [], versionsOnly: true };

export const RELEASES: Readonly<Record<string, Fixture>> = {
  "pre-release": ALWAYS,
  "duplicate-release": ALWAYS,
  "patches-older-release": ALWAYS,
  "precondition-check": ALWAYS,
  "hyphen-prefix": ALWAYS,
};
