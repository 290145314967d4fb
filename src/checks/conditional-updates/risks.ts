import type { Finding, RiskText } from "../../model/check.ts";
import { quote } from "../../model/quote.ts";
import { summarizeTexts } from "../shared/summaries.ts";

const MAX_LENGTH = 480;

export const conditionalUpdateRiskApplies: RiskText = {
  name: "ConditionalUpdateRiskApplies",
  effect: "notRecommended",
  title: "Published risks of this update apply to the cluster",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  knownAs: { liftedAs: "ConditionalUpdateRisk" },
  describe: (_, { target }, findings) =>
    `The update to ${target.text} is not recommended, because published risks of it apply to this cluster: ${formatRisks(findings)}.`,
  remediation:
    'Read the page of each risk, then remove its cause, choose another target, or accept the risk: "oc adm upgrade --allow-not-recommended --to VERSION" then starts the update.',
};

function formatRisks(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail }, longest) => formatRisk(detail ?? {}, longest));
}

function formatRisk({ name = "", message = "", url = "" }: NonNullable<Finding["detail"]>, longest: number): string {
  return `${name} ("${quote(message, longest).replaceAll('"', "'")}", ${url})`;
}
