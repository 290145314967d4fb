import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import type { ManifestFinding, ManifestJudge } from "../../model/manifest.ts";
import { type Refusal, judgeDefinition } from "../../schema/crd/index.ts";
import { parseFieldPath } from "../field-paths.ts";

const CRD_REFUSED = "CrdRefused";

/** Judges CustomResourceDefinitions as an API server of Kubernetes 1.`minor` judges their create. */
export function createDefinitionJudge(minor: number): ManifestJudge {
  return (object) => {
    const isDefinition =
      textAt(object, "kind") === "CustomResourceDefinition" &&
      textAt(object, "apiVersion") === "apiextensions.k8s.io/v1";
    if (!isDefinition) return { applies: false };
    const { refusals, undecided } = judgeDefinition(object, undefined, minor);
    const place = ({ path }: Refusal): ManifestFinding["path"] => parseFieldPath(object, toIndex(path, object));
    return {
      applies: true,
      findings: refusals.map((refusal) => ({
        risk: CRD_REFUSED,
        effect: "refused",
        path: place(refusal),
        message: `The API server refuses the definition${describeReason(refusal)}.`,
        remedy: "Correct the definition.",
      })),
      unknowns: undecided.map((one) => ({
        reason: "DefinitionNotJudged",
        path: place(one),
        message: `Whether the API server accepts this field is not known: ${one.reason}.`,
      })),
    };
  };
}

const PREDICATE = /^(?:can't|has|is|may|must) /;

/** Most reasons are predicates of the field; others, such as errors of CEL, are clauses of their own. */
function describeReason({ reason }: Refusal): string {
  return PREDICATE.test(reason) ? `, because this field ${reason}` : `: ${reason}`;
}

/** "spec.versions[v1].schema" to "spec.versions[0].schema". */
function toIndex(path: string, object: JsonObject): string {
  return path.replace(/^spec\.versions\[([^\]]+)\]/, (whole, name: string) => {
    const index = listAt(object, "spec", "versions").findIndex((version) => textAt(version, "name") === name);
    return index < 0 ? whole : `spec.versions[${index}]`;
  });
}
