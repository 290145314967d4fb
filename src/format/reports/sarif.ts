import type { Effect, Finding } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import type { Format, View } from "../view.ts";
import { formatAcceptance, getEffect, listRiskEntries, type RiskEntry } from "../work-order.ts";

/** SARIF 2.1.0 (OASIS). Objects of a cluster are logical locations, since there are no files. */
export const formatSarif: Format = (view) => {
  const entries = listRiskEntries(view);
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: buildDriver(view, entries) },
        invocations: [{ executionSuccessful: view.document.complete === true }],
        results: entries.flatMap(buildResults),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
};

const LEVELS: Readonly<Record<Effect, "error" | "warning">> = { refused: "error", stuck: "error", broken: "warning" };

function getLevel({ risk }: RiskEntry): "error" | "warning" | "note" {
  return risk.unknown ? "note" : LEVELS[getEffect(risk)];
}

function buildDriver({ document }: View, entries: readonly RiskEntry[]): object {
  return {
    name: "preflight",
    version: document.runner?.version ?? "0.0.0",
    rules: entries.map((entry) => ({
      id: entry.risk.name,
      shortDescription: { text: entry.risk.title },
      fullDescription: { text: entry.risk.description },
      help: { text: entry.risk.remediation },
      helpUri: entry.risk.url,
      defaultConfiguration: { level: getLevel(entry) },
    })),
  };
}

function buildResults(entry: RiskEntry, ruleIndex: number): readonly object[] {
  const { risk, findings, isAccepted, acceptances } = entry;
  const shared = {
    ruleId: risk.name,
    ruleIndex,
    level: getLevel(entry),
    ...(isAccepted ? { suppressions: [buildSuppression(acceptances.map(formatAcceptance).join("; "))] } : {}),
  };
  if (findings.length === 0) return [{ ...shared, message: { text: risk.message } }];
  return findings.map((finding) => ({ ...shared, ...buildFindingResult(finding) }));
}

function buildSuppression(justification: string): object {
  return { kind: "external", status: "accepted", ...(justification === "" ? {} : { justification }) };
}

function buildFindingResult({ object, path, message, fix = [] }: Finding): object {
  const name = formatRef(object);
  const commands = fix.length === 0 ? "" : ` Fix: ${fix.join(" && ")}`;
  return {
    message: { text: `${name}${path === undefined ? "" : ` (${path})`}: ${message}${commands}` },
    locations: [
      {
        logicalLocations: [
          { name: object.name, fullyQualifiedName: `${name}${path === undefined ? "" : ` ${path}`}`, kind: "resource" },
        ],
      },
    ],
    partialFingerprints: { "object/v1": `${object.apiVersion} ${name} ${path ?? ""}` },
  };
}
