import type { Check } from "../model/check.ts";
import * as registry from "./registry.ts";

/** Every check there is, sorted by id, as the exports of a module are sorted by name. */
export const checks: readonly Check[] = Object.values(registry);
