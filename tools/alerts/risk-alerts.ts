import { type Check, type RiskText, unknownName } from "../../src/model/check.ts";
import { UNKNOWN_URL } from "../../src/runner/risks.ts";
import { type Alert, PATIENCE, PRECHECK, labels, metric } from "./alert.ts";

/**
 * The cluster-version operator joins the texts of all risks into one condition, and can't write its status where they are too long: so
 * many, and no more, are told one by one.
 */
export const MOST_ALERTS = 50;
export const TOO_MANY = `count(${metric("preflight_risk")}) > ${MOST_ALERTS}`;

/** Told of a risk whose objects no metric names. */
const WHERE = "The runner's document names the objects.";

/** The alerts of a check: one for each of its risks, and one for its not having been able to look. */
export function riskAlerts(check: Check): readonly Alert[] {
  return [...check.risks.map((risk) => riskAlert(check, risk)), unknownAlert(check)];
}

function riskAlert({ id }: Check, { name, title, remediation, url }: RiskText): Alert {
  return alertOf(name, {
    summary: `${PREFIX}: ${ended(title)}`,
    description: `${ended(remediation)} ${WHERE} The check is ${id}.`,
    runbook_url: url,
  });
}

function unknownAlert(check: Check): Alert {
  return alertOf(unknownName(check), {
    summary: `${PREFIX}: It is not known whether this holds: "${check.title}".`,
    description: `The check ${check.id} could not look at all that it needs. The runner's document says at what, and why.`,
    runbook_url: UNKNOWN_URL,
  });
}

/** Not as the controller begins its texts ("5.0.3 -> 5.2.0: "): it must not take an alert's risk for its own. */
const PREFIX = "Preflight of {{ $labels.source }} -> {{ $labels.target }}";

/**
 * Never under the risk's own name: where the operator gets that from elsewhere too, with other text, it calls the two an error. Nothing
 * is wrong as long as nobody updates, so nobody is to be woken: "info".
 */
function alertOf(risk: string, annotations: Alert["annotations"]): Alert {
  return {
    alert: `Preflight${risk}`,
    expr: `max by (source, target) (${metric("preflight_risk", { name: risk })}) > 0\nunless on () (${TOO_MANY})`,
    keep_firing_for: PATIENCE,
    labels: labels("info", PRECHECK),
    annotations,
  };
}

function ended(sentence: string): string {
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
