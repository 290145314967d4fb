import { buildCheck } from "../data-checks/build-check.ts";
import type { Check } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { DEFINITIONS } from "./definitions.ts";
import * as registry from "./registry.ts";

/** Every check there is, sorted by id. */
export const checks: readonly Check[] = [
  ...Object.values(registry),
  ...DEFINITIONS.map((definition) => buildCheck(definition)),
].toSorted((a, b) => compareText(a.id, b.id));
