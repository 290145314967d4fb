import type { Check } from "../model/check.ts";
import bootImageSkew from "./boot-image-skew/check.ts";
import capabilityEnums from "./capability-enums/check.ts";
import crdSkew from "./crd-skew/check.ts";
import dualStack from "./dual-stack/check.ts";

/** Every check there is, sorted by id. */
export const checks: readonly Check[] = [bootImageSkew, capabilityEnums, crdSkew, dualStack];
