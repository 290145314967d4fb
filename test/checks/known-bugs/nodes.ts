import type { Fixture } from "./things.ts";

export const NODES: Readonly<Record<string, Fixture>> = {};
