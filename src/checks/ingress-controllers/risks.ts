import type { Finding } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("ingress-controllers", {
  IngressControllerBlocksUpdate: { message: { reason: formatSharedReason } },
  RoutesRejectedByTargetRouters: {},
});

const MAX_REASON_LENGTH = 300;

/** The operator's reason, if all objects have the same short one. A full stop inside it would read as the end of our sentence. */
function formatSharedReason(findings: readonly Finding[]): string {
  const messages = new Set(findings.map(({ message }) => message.replace(/^[^:]*:? ?/, "")));
  const [why = ""] = messages;
  const text = why.replace(/\.$/, "").replaceAll(/[.!?](?=\s)/g, ";");
  return messages.size === 1 && text !== "" && text.length <= MAX_REASON_LENGTH ? ` (${text})` : "";
}
