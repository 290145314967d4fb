import { type Check, type RiskText, getRemediation, getUnknownRiskName } from "../../src/model/check.ts";
import { ALERT_ALIAS_PREFIX } from "../../src/lift/objects/cluster-version.ts";
import { formatMark } from "../../src/model/cluster-version-risks.ts";
import type { UNSEEN_RISK_TITLES } from "../../src/model/unseen.ts";
import { type Alert, NAMESPACE, PRECHECK_LABEL, formatRunbookUrl } from "./alert.ts";

/**
 * The cluster-version operator joins the texts of all risks into one condition, and can't write its status if they are too
 * long. Up to this number, each risk has its own alert.
 */
export const MAX_ALERTS = 50;
export const TOO_MANY_RISKS = `count(preflight_risk{namespace="${NAMESPACE}"}) > ${MAX_ALERTS}`;

/** Longer than a runner's restart, and equal to the delay of the alert for an absent runner, so that no risk seems to end in between. */
const ALERT_DELAY = "10m";

/** Where the objects are named if the metrics don't show the risk's message. */
const DOCUMENT_HINT = "The runner's document names the objects.";

/** The alerts of a check: one for each of its risks, and one if it could not complete. */
export function buildRiskAlerts(check: Check): readonly Alert[] {
  return [...check.risks.map((risk) => buildRiskAlert(check, risk)), buildUnknownAlert(check)];
}

function buildRiskAlert({ id }: Check, risk: RiskText): Alert {
  const { name, title, url } = risk;
  return buildAlert(name, {
    summary: `${SUMMARY_PREFIX}${addPeriod(title)}`,
    description: `${formatMessage(name, `${addPeriod(getRemediation(risk))} ${DOCUMENT_HINT}`)} The check is ${id}.`,
    runbook_url: url,
  });
}

function buildUnknownAlert(check: Check): Alert {
  return buildAlert(getUnknownRiskName(check), {
    summary: `${SUMMARY_PREFIX}The check "${check.title}" could not be completed.`,
    description: formatMessage(
      getUnknownRiskName(check),
      `The check ${check.id} could not be completed. The runner's document names the objects and the reasons.`,
    ),
    runbook_url: formatRunbookUrl("incomplete"),
  });
}

/** What was not seen and no check reports. A runner is asked about one update, so that it reports no minors between. */
const UNSEEN_SUMMARIES: Readonly<Record<Exclude<keyof typeof UNSEEN_RISK_TITLES, "PreflightMinorsBetween">, string>> = {
  PreflightChecksLeftOut: "Checks that apply to the update were left out.",
  PreflightNothingChecked: "None of the checks applies to the update.",
};

export function buildUnseenAlerts(): readonly Alert[] {
  return Object.entries(UNSEEN_SUMMARIES).map(([name, summary]) =>
    buildAlert(name, {
      summary: `${SUMMARY_PREFIX}${summary}`,
      description: formatMessage(name, `${summary} The runner's document says more.`),
      runbook_url: formatRunbookUrl("incomplete"),
    }),
  );
}

/**
 * The risk's message, if the runner shows it (--risk-messages). A query, since a label of the alert would end it and begin another whenever
 * the text changes.
 */
function formatMessage(risk: string, otherwise: string): string {
  const labels = `namespace='${NAMESPACE}',name='${risk}',source='%s',target='%s'`;
  const message = `printf "preflight_risk_message{${labels}}" $labels.source $labels.target | query`;
  return `{{ with ${message} }}{{ . | first | label "message" }}{{ else }}${otherwise}{{ end }}`;
}

/** By this mark, the controller and the checks recognize the risk that the cluster-version operator makes of an alert. */
const SUMMARY_PREFIX = formatMark({ source: "{{ $labels.source }}", target: "{{ $labels.target }}" }, "alert");

/**
 * The alert has the risk's name, so that accepting the name once covers every source. The label keeps the alert's former name for routes
 * and silences that match it. Nothing is wrong as long as nobody updates, so the severity is "info" and pages nobody.
 */
function buildAlert(risk: string, annotations: Alert["annotations"]): Alert {
  return {
    alert: risk,
    expr: `max by (source, target) (preflight_risk{namespace="${NAMESPACE}",name="${risk}"}) > 0\nunless on () (${TOO_MANY_RISKS})`,
    keep_firing_for: ALERT_DELAY,
    // Platform alerts name their namespace, even if the expression drops that label.
    labels: { namespace: NAMESPACE, [PRECHECK_LABEL]: "true", alias: `${ALERT_ALIAS_PREFIX}${risk}`, severity: "info" },
    annotations,
  };
}

function addPeriod(sentence: string): string {
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
