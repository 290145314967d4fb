import type { PlantedFault } from "../fault.ts";

/** What is planted in every played update to which it applies. */
export const FAULTS: readonly PlantedFault[] = [];
