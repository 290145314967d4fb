import { defineCheck } from "../../model/check.ts";
import { type Each, each } from "../../model/read.ts";
import { type InstalledOperator, keepInstalledOperator } from "./installed-operator.ts";
import {
  operatorMaxOpenShiftVersionInvalid,
  operatorIncompatibleWithNextMinor,
  operatorIncompatibleWithTarget,
} from "./risks.ts";
import { judgeOperators } from "./verdict.ts";

export default defineCheck<{ readonly operators: Each<InstalledOperator> }>({
  id: "operator-max-version",
  name: "OperatorMaxOpenShiftVersion",
  title: "Installed operators declare support for the target",
  risks: [operatorIncompatibleWithNextMinor, operatorIncompatibleWithTarget, operatorMaxOpenShiftVersionInvalid],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  reads: () => ({ operators: each("operators.coreos.com/v1alpha1/clusterserviceversions", keepInstalledOperator) }),
  evaluate: ({ operators }, context) =>
    operators.kind === "absent"
      ? { notApplicable: "The API server serves no ClusterServiceVersions: OLM is not installed." }
      : judgeOperators(operators.values, context),
});
