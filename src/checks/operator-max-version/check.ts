import { defineCheck } from "../../model/check.ts";
import { type Each, each } from "../../model/read.ts";
import { type Operator, keepOperator } from "./operator.ts";
import { declarationInvalid, incompatibleWithNext, incompatibleWithTarget } from "./risks.ts";
import { judgeOperators } from "./verdict.ts";

export default defineCheck<{ readonly operators: Each<Operator> }>({
  id: "operator-max-version",
  name: "OperatorMaxOpenShiftVersion",
  title: "Installed operators declare to work on the target",
  risks: [incompatibleWithNext, incompatibleWithTarget, declarationInvalid],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  reads: () => ({ operators: each("operators.coreos.com/v1alpha1/clusterserviceversions", keepOperator) }),
  evaluate: ({ operators }, context) =>
    operators.kind === "absent"
      ? { notApplicable: "The API server serves no ClusterServiceVersions: OLM is not there." }
      : judgeOperators(operators.values, context),
});
