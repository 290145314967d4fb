import type { Context, Finding } from "../../model/check.ts";
import { quote } from "../../model/quote.ts";
import { minorPlace, minorText, parseMinor } from "../../model/version.ts";
import { type Data, acksRef, gatesRef, isAcknowledged } from "./config-maps.ts";
import { ackMissing, ackMissingOnTheWay, gateInvalid } from "./risks.ts";

/** The form of a gate's name, by the cluster-version operator's rule, and the release it speaks of: no zero goes before a minor. */
const GATE = /^ack-([45]\.(?:0|[1-9]\d{0,3}))-[^-]/;
const QUOTED = 160;

/** What the gates that the cluster has now ask for. The release that a gate names is compared literally: 4.23 is not 5.0. */
export function askedFindings(gates: Data, acks: Data, context: Context): readonly Finding[] {
  return [...gates].flatMap(([gate, text]) => {
    const minor = GATE.exec(gate)?.[1];
    if (minor === undefined) return [invalid(gate, "its name doesn't begin like ack-4.19-name")];
    const risk = riskOf(minor, context);
    if (risk === undefined) return [];
    if (text === "") return risk === ackMissing.name ? [invalid(gate, "it says nothing")] : [];
    return isAcknowledged(acks, gate)
      ? []
      : [missing(risk, gate, acks, `The release says of it: "${quote(text, QUOTED)}"`)];
  });
}

function riskOf(minor: string, context: Context): string | undefined {
  if (minor === minorText(context.source)) return ackMissing.name;
  return isOnTheWay(minor, context) ? ackMissingOnTheWay.name : undefined;
}

/** Is it a release after the running one and before the target? */
export function isOnTheWay(minor: string, { source, target }: Context): boolean {
  const parsed = parseMinor(minor);
  if (!parsed) return false;
  return minorPlace(source) < minorPlace(parsed) && minorPlace(parsed) < minorPlace(target);
}

/** `about` is a sentence without its period. */
export function missing(risk: string, gate: string, acks: Data, about: string): Finding {
  const present = acks.get(gate);
  const wrong = present === undefined ? "" : ` It is "${quote(present, QUOTED)}", and only "true" counts.`;
  const message = `${gate} is not acknowledged.${wrong} ${about}.`;
  return { risk, object: acksRef, path: `data.${gate}`, message, detail: { gate } };
}

function invalid(gate: string, why: string): Finding {
  const message = `The cluster-version operator can't understand the gate ${gate}: ${why}.`;
  return { risk: gateInvalid.name, object: gatesRef, path: `data.${gate}`, message, detail: { gate } };
}
