import { type RiskText, getRemediation } from "../../model/check.ts";
import {
  CONVERSION_UNAVAILABLE,
  CRD_DELETED,
  CRD_REFUSED,
  FIELDS_DROPPED,
  FIELDS_FROZEN,
  NAMES_CHANGED,
  OBJECT_INVALID,
  SCOPE_OR_KIND_CHANGED,
  SERVED_VERSION_REMOVED,
  STORED_VERSION_REMOVED,
  SUBRESOURCE_REMOVED,
} from "./risk-names.ts";

/** Both the installed and the new CRD have to accept a value that is written before and after. */
const CORRECT_FIELDS =
  "Before you apply them, change these fields to values that both the installed and the new CRD accept.";

/** What to do if single CRDs are checked (`--crds`): no release is the target, and nothing is updated. */
const CRD_REMEDIATIONS: Readonly<Record<string, string>> = {
  [CRD_REFUSED]: "Correct the new CRDs, or report the fault to whoever publishes them.",
  [OBJECT_INVALID]: CORRECT_FIELDS,
  [FIELDS_FROZEN]: CORRECT_FIELDS,
  [FIELDS_DROPPED]: "Before you apply them, find out what replaces these fields, and back up the objects.",
  [STORED_VERSION_REMOVED]:
    "Before you apply them, make sure that spec.versions of the installed CRD has storage: true for a version that the new CRD has too. Then rewrite all objects, and remove the old version from status.storedVersions.",
  [SERVED_VERSION_REMOVED]:
    "Before you apply them, move these clients to a version that both the installed and the new CRD serve.",
  [SCOPE_OR_KIND_CHANGED]:
    "Keep the scope and the kind of the installed CRD, or delete it together with its objects first.",
  [NAMES_CHANGED]:
    "Before you apply them, move these clients to names that both CRDs have, or keep the names in the new CRD.",
  [SUBRESOURCE_REMOVED]:
    "Before you apply them, move the clients that use them to a version that does not need them, or keep them in the new CRD.",
  [CONVERSION_UNAVAILABLE]: "Before you apply them, make sure that the Service exists and has a ready endpoint.",
  [CRD_DELETED]: "Before you apply them, replace what these objects do, or back them up.",
};

export function withCrdRemediation(risk: RiskText): RiskText {
  return {
    ...risk,
    remediation: (context) => {
      const ofFolder = context?.release.crdFolder === undefined ? undefined : CRD_REMEDIATIONS[risk.name];
      return ofFolder ?? getRemediation(risk, context);
    },
  };
}
