import type { Fixture } from "./things.ts";

export const MACHINE_CONFIG: Readonly<Record<string, Fixture>> = {};
