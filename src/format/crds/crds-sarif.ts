import type { CrdChange, CrdEffect, FilePlace, NotJudged } from "../../model/crd-changes.ts";
import { formatRef } from "../../model/resource.ts";
import { toVisible } from "../../model/visible-text.ts";
import { type CrdsView, EFFECTS, HEADINGS } from "./crds-page.ts";
import { buildSarifMessage, formatSarifRun } from "../programs/sarif.ts";

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
const NOT_JUDGED = "NotJudged";

/** SARIF 2.1.0 (OASIS), with the lines of the new CRDs. */
export function formatCrdsSarif({ report: given, version }: CrdsView & { readonly version: string }): string {
  const report = toVisible(given);
  const rules = [
    ...EFFECTS.map((effect) => ({
      id: RULES[effect],
      shortDescription: { text: HEADINGS[effect] },
      defaultConfiguration: { level: LEVELS[effect] },
    })),
    { id: NOT_JUDGED, shortDescription: { text: "Could not be judged" }, defaultConfiguration: { level: "note" } },
  ];
  const { crds, objects, notJudged, featureSet, profile, leftOut } = report;
  return formatSarifRun({
    tool: { driver: { name: "preflight crds", version, rules } },
    invocations: [{ executionSuccessful: report.unknowns.length === 0 }],
    results: [...report.changes.map(buildResult), ...report.unknowns.map(buildNotJudgedResult)],
    properties: { crds, objects, notJudged, featureSet, profile, leftOut: leftOut.map(({ where }) => where) },
  });
}

function buildNotJudgedResult({ reason, where, message, file }: NotJudged): object {
  return {
    ruleId: NOT_JUDGED,
    ruleIndex: EFFECTS.length,
    level: "note",
    message: buildSarifMessage(`${where}: ${message}.`),
    locations: [
      {
        ...(file === undefined ? {} : { physicalLocation: buildPhysicalLocation({ file, line: 1 }) }),
        logicalLocations: [{ name: where, fullyQualifiedName: where, kind: "resource" }],
      },
    ],
    partialFingerprints: { "change/v1": [reason, where, file ?? "", message].join(" ") },
  };
}

function buildPhysicalLocation({ file, line }: FilePlace): object {
  return {
    artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
    region: { startLine: line },
  };
}

function buildResult(change: CrdChange): object {
  const { effect, crd, version, path, object, message, place } = change;
  const subject = object === undefined ? [crd, version].filter(Boolean).join(" ") : formatRef(object);
  const name = path === undefined ? subject : `${subject} ${path}`;
  const physicalLocation = place && buildPhysicalLocation(place);
  return {
    ruleId: RULES[effect],
    ruleIndex: EFFECTS.indexOf(effect),
    level: LEVELS[effect],
    message: buildSarifMessage(`${name}: ${message}`),
    locations: [
      {
        ...(physicalLocation ? { physicalLocation } : {}),
        logicalLocations: [{ name: crd, fullyQualifiedName: name, kind: "resource" }],
      },
    ],
    partialFingerprints: { "change/v1": [effect, crd, version ?? "", name, message].join(" ") },
  };
}
