import type { CrdChange, CrdEffect, CrdsReport } from "../../model/crd-changes.ts";
import { formatRef } from "../../model/resource.ts";
import { HEADINGS } from "./crds-page.ts";

const LEVELS: Readonly<Record<CrdEffect, "error" | "warning" | "note">> = {
  refused: "error",
  rejected: "error",
  frozen: "warning",
  dropped: "warning",
  lost: "warning",
  stricter: "note",
};

/** Names of rules are part of the output: they never change. */
const RULES: Readonly<Record<CrdEffect, string>> = {
  refused: "CrdRefused",
  rejected: "ObjectRejected",
  frozen: "ObjectFieldsFrozen",
  dropped: "ObjectFieldsDropped",
  lost: "SchemaLost",
  stricter: "SchemaStricter",
};
const EFFECTS: readonly CrdEffect[] = ["refused", "rejected", "frozen", "dropped", "lost", "stricter"];

/** SARIF 2.1.0 (OASIS), with the lines of the new CRDs. */
export function formatCrdsSarif(report: CrdsReport, version: string): string {
  const rules = EFFECTS.map((effect) => ({
    id: RULES[effect],
    shortDescription: { text: HEADINGS[effect] },
    defaultConfiguration: { level: LEVELS[effect] },
  }));
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "preflight crds", version, rules } },
        invocations: [{ executionSuccessful: report.unknowns.length === 0 }],
        results: report.changes.map(buildResult),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function buildResult(change: CrdChange): object {
  const { effect, crd, version, path, object, message, place } = change;
  const subject = object === undefined ? [crd, version].filter(Boolean).join(" ") : formatRef(object);
  const name = path === undefined ? subject : `${subject} ${path}`;
  const physicalLocation = place && {
    artifactLocation: { uri: place.file.split("/").map(encodeURIComponent).join("/") },
    region: { startLine: place.line },
  };
  return {
    ruleId: RULES[effect],
    ruleIndex: EFFECTS.indexOf(effect),
    level: LEVELS[effect],
    message: { text: `${name}: ${message}` },
    locations: [
      {
        ...(physicalLocation ? { physicalLocation } : {}),
        logicalLocations: [{ name: crd, fullyQualifiedName: name, kind: "resource" }],
      },
    ],
    partialFingerprints: { "change/v1": [effect, crd, version ?? "", name, message].join(" ") },
  };
}
