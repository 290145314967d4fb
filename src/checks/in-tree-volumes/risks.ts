import type { Finding } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("in-tree-volumes", {
  VolumePluginGone: {},
  CSIDriverOfInTreeVolumesMissing: { message: { drivers: formatDrivers } },
});

function formatDrivers(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ detail }) => detail?.["driver"] ?? [])));
}
