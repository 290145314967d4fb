import { formatFixLabel } from "../text/page.ts";
import type { FilePlace } from "../../model/crd-changes.ts";
import type { Effect, Finding } from "../../model/check.ts";
import { formatHalf } from "../../model/halves.ts";
import { formatOrigin, nameOrigin } from "../../model/check-origin.ts";
import type { FindingFile } from "../../model/finding-file.ts";
import type { ReportRisk } from "../../model/report.ts";
import { formatRef } from "../../model/resource.ts";
import { toLine, formatJsonText } from "../../model/visible-text.ts";
import { type Format, type View, type RiskEntry, formatAcceptances, getEffect, listRiskEntries } from "../view/view.ts";

/** SARIF 2.1.0 (OASIS). Objects of a cluster are logical locations; for consumers that ask for files, each also has a path of its own. */
export const formatSarif: Format = (view) => {
  const entries = listRiskEntries(view);
  return formatSarifRun({
    tool: { driver: buildDriver(view, entries) },
    // Consumers that keep alerts compare the runs of one cluster.
    automationDetails: { id: `preflight/${encodeURIComponent(view.report.clusterId ?? "cluster")}/` },
    invocations: [{ executionSuccessful: view.document.complete === true }],
    results: entries.flatMap(buildResults),
  });
};

export function formatSarifRun(run: object): string {
  const $schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  return formatJsonText({ $schema, version: "2.1.0", runs: [run] });
}

const LEVELS: Readonly<Record<Effect, "error" | "warning">> = {
  refused: "error",
  notRecommended: "warning",
  stuck: "error",
  broken: "warning",
};

function getLevel({ risk }: RiskEntry): "error" | "warning" | "note" {
  return risk.unknown ? "note" : LEVELS[getEffect(risk)];
}

function buildDriver({ document }: View, entries: readonly RiskEntry[]): object {
  return {
    name: "preflight",
    semanticVersion: document.runner?.version ?? "0.0.0",
    version: document.runner?.version ?? "0.0.0",
    rules: entries.map((entry) => ({
      id: entry.risk.name,
      shortDescription: { text: entry.risk.title },
      fullDescription: buildSarifMessage(entry.risk.description),
      help: buildSarifMessage(entry.risk.remediation),
      helpUri: entry.risk.url,
      defaultConfiguration: { level: getLevel(entry) },
    })),
  };
}

function buildResults(entry: RiskEntry, ruleIndex: number): readonly object[] {
  const { risk, findings, isAccepted, acceptances } = entry;
  const place = risk.check ?? "preflight";
  const shared = {
    ruleId: risk.name,
    ruleIndex,
    level: getLevel(entry),
    suppressions: isAccepted ? [buildSuppression(formatAcceptances(acceptances, ""))] : undefined,
  };
  if (findings.length === 0)
    return [
      {
        ...shared,
        message: buildSarifMessage(risk.message),
        locations: [buildLocation(["checks", place], { name: place, kind: "module" })],
        partialFingerprints: buildFingerprints(place),
      },
    ];
  return findings.map((finding) => ({ ...shared, ...buildFindingResult(finding, risk) }));
}

function buildSuppression(justification: string): object {
  return { kind: "external", status: "accepted", justification: justification === "" ? undefined : justification };
}

function buildFindingResult(
  { object, path, message, half, fix = [], fixKind, files = [] }: Finding,
  { origin, stage }: ReportRisk,
): object {
  const { apiVersion, kind, namespace, name } = object;
  const ref = formatRef(object);
  const [first, ...others] = files;
  const place = path === undefined ? "" : ` (${path})`;
  const commands =
    fix.length === 0 ? "" : ` ${formatFixLabel(fixKind, origin && nameOrigin(origin))}: ${fix.join(" && ")}`;
  const fullyQualifiedName = `${ref}${path === undefined ? "" : ` ${path}`}`;
  const group = apiVersion.includes("/") ? `.${apiVersion.replace(/\/.*/, "")}` : "";
  return {
    message: buildSarifMessage(`${formatOrigin(origin)}${formatHalf(half)}${ref}${place}: ${message}${commands}`),
    locations: [
      buildLocation(
        [half ?? "objects", namespace ?? "cluster", `${kind}${group}`, name],
        { name, fullyQualifiedName, kind: "resource" },
        first,
      ),
    ],
    relatedLocations: others.length === 0 ? undefined : others.map(buildRelatedLocation),
    partialFingerprints: buildFingerprints(`${formatHalf(half)}${apiVersion} ${ref} ${path ?? ""}`),
    properties: half && { half, stage },
  };
}

/** GitHub refuses a result that names no file, although the path need not exist. `own`: one that does. */
function buildLocation(path: readonly string[], logicalLocation: object, own?: FindingFile): object {
  const physicalLocation =
    own === undefined
      ? {
          artifactLocation: { uri: path.map((part) => encodeURIComponent(toLine(part))).join("/") },
          region: { startLine: 1 },
        }
      : buildFileLocation(own.place);
  return { physicalLocation, logicalLocations: [logicalLocation] };
}

/** A further file with the same object. */
function buildRelatedLocation({ place }: FindingFile): object {
  return { physicalLocation: buildFileLocation(place) };
}

/** Where something stands in a file. */
export function buildFileLocation({ file, line, column }: FilePlace & { readonly column?: number }): object {
  return {
    artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
    region: { startLine: line, startColumn: column },
  };
}

/** What makes two results the same one; GitHub knows only its own name for it. */
function buildFingerprints(text: string): object {
  return { "object/v1": text, primaryLocationLineHash: text };
}

/** A SARIF message. Consumers make a link of "[text](address)", which a text of the cluster must not become. */
export function buildSarifMessage(text: string): { readonly text: string } {
  return { text: text.replaceAll("](", "] (") };
}
