import type { Fixture } from "./things.ts";

export const CONSOLE: Readonly<Record<string, Fixture>> = {};
