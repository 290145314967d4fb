import type { Fixture } from "./things.ts";

export const MONITORING: Readonly<Record<string, Fixture>> = {};
