import { listKindRows, removeVersion } from "../../data-checks/kinds/kind-table.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ManifestJudge, ManifestTarget, ManifestVerdict } from "../../model/manifest.ts";
import { judgeApiVersion } from "./api-versions.ts";
import { judgeFields } from "./fields.ts";
import { findRuleFaults } from "./object-rules.ts";

/** Judges objects of Kubernetes' own kinds, as the API server of a target would. A CRD is judged elsewhere, as are its objects. */
export function createBuiltInJudge(target: ManifestTarget): ManifestJudge {
  return (object) => {
    if (textAt(object, "kind") === DEFINITION && textAt(object, "apiVersion") === "apiextensions.k8s.io/v1")
      return { applies: false };
    const verdict = judgeApiVersion(object, target);
    const type = isServed(verdict) ? findType(object) : undefined;
    if (!verdict.applies || type === undefined) return verdict;
    const { findings, unknowns } = judgeFields(object, type, target.kubernetes);
    return {
      applies: true,
      findings: [...verdict.findings, ...findings, ...findRuleFaults(object, type)],
      unknowns: [...verdict.unknowns, ...unknowns],
    };
  };
}

const DEFINITION = "CustomResourceDefinition";

/** Of what is not served, or perhaps not, no field is judged. */
function isServed(verdict: ManifestVerdict): boolean {
  if (!verdict.applies || verdict.unknowns.length > 0) return false;
  return verdict.findings.every(({ effect }) => effect !== "refused");
}

function findType(object: JsonObject): string | undefined {
  const kind = textAt(object, "kind") ?? "";
  return listKindRows(textAt(object, "apiVersion") ?? "").find(({ type }) => removeVersion(type) === kind)?.type;
}
