import type { Entry } from "../vocabulary.ts";

/** Faults of the web console. */
export const CONSOLE: readonly Entry[] = [];
