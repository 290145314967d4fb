import type { Entry } from "../vocabulary.ts";

/** Faults of monitoring. */
export const MONITORING: readonly Entry[] = [];
