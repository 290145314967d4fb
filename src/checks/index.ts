import { buildCheck } from "../data-checks/build-check.ts";
import type { Check } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { DEFINITIONS } from "./definitions.ts";
import { addStage } from "./node-checks.ts";
import * as registry from "./registry.ts";

/** Every check there is, sorted by id. */
export const checks: readonly Check[] = [
  ...Object.values(registry),
  ...DEFINITIONS.map((definition) => buildCheck(definition)),
]
  .map(addStage)
  .toSorted((a, b) => compareText(a.id, b.id));
