import type { Finding, Unknown } from "../../model/check.ts";
import type { ImageVerification } from "../../model/release.ts";
import type { Outcome, ReportRisk } from "../../model/report.ts";
import { redactText } from "../../model/secrets/redact-text.ts";

export type UnfinishedRisk = Omit<ReportRisk, "message">;

/** Redacts the texts of an outcome: checks quote conditions, addresses and errors of others, which may hold secrets. */
export function redactOutcome(outcome: Outcome): Outcome {
  switch (outcome.kind) {
    case "notApplicable":
      return { ...outcome, reason: redactText(outcome.reason) };
    case "clear":
      return { ...outcome, notices: outcome.notices.map(redactText) };
    case "risk":
      return { ...outcome, ...redactFindings(outcome) };
    case "unknown":
      return { ...outcome, ...redactFindings(outcome), unknowns: outcome.unknowns.map(redactUnknown) };
  }
}

/** Redacts the texts of a risk, and joins them. */
export function finishRisk(risk: UnfinishedRisk): ReportRisk {
  const description = redactText(risk.description);
  const remediation = redactText(risk.remediation);
  return { ...risk, description, remediation, message: `${description} ${remediation}` };
}

/** Why an image could not be verified names addresses of registries and of signatures. */
export function redactVerification(verification: ImageVerification | undefined): ImageVerification | undefined {
  return verification && { ...verification, message: redactText(verification.message) };
}

type Texts = Pick<Extract<Outcome, { kind: "risk" }>, "findings" | "notices">;

function redactFindings({ findings, notices }: Texts): Texts {
  return { findings: findings.map(redactFinding), notices: notices.map(redactText) };
}

function redactFinding(finding: Finding): Finding {
  const detail = finding.detail && redactDetail(finding.detail);
  const owners = finding.owners?.map((owner) => ({ ...owner, name: redactText(owner.name) }));
  return { ...finding, message: redactText(finding.message), detail, owners };
}

function redactUnknown(unknown: Unknown): Unknown {
  const { where, message, at } = unknown;
  const redacted = { ...unknown, where: redactText(where), message: redactText(message) };
  return at?.detail === undefined ? redacted : { ...redacted, at: { ...at, detail: redactDetail(at.detail) } };
}

function redactDetail(detail: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, redactText(value)]));
}
