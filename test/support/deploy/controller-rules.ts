import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import type { Alert } from "../../../tools/alerts/alert.ts";

type Rule = { readonly spec: { readonly groups: readonly { readonly rules: readonly Alert[] }[] } };

const DEPLOY = join(import.meta.dirname, "../../../deploy");

/** The groups of the controllers' PrometheusRules. */
export const CONTROLLER_GROUPS = ["controller-with-monitoring", "status-controller-with-monitoring"].flatMap(
  (folder) => {
    const text = readFileSync(join(DEPLOY, folder, "prometheusrule.yaml"), "utf8");
    const rule: Rule = JSON.parse(JSON.stringify(load(text)));
    return rule.spec.groups;
  },
);

export const CONTROLLER_ALERTS: readonly Alert[] = CONTROLLER_GROUPS.flatMap(({ rules }) => rules);
