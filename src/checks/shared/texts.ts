import { readFolderFiles } from "../../encoding/data-folder.ts";
import { type CheckFault, type PlacedFault, formatFault } from "../../data-checks/format/fault.ts";
import { type RiskFile, parseRiskFile } from "../../data-checks/format/risk-file.ts";
import { findTextFaults } from "../../data-checks/found-risks.ts";
import type { ComputedValues } from "../../data-checks/run/risk-text.ts";
import { findNearestName } from "../../model/text.ts";

const FILES = await readRiskFiles(new URL("../", import.meta.url));

/** The texts of the files CHECK/risks.yaml, by check. The bundle has them in place of this module, and nothing to judge: see build.mjs. */
export const TEXTS = Object.fromEntries(Object.entries(FILES).map(([id, { risks }]) => [id, risks]));

/** By check; rejects with every fault and its place. */
export async function readRiskFiles(folder: URL): Promise<Readonly<Record<string, RiskFile>>> {
  const files = readFolderFiles(folder, "*/risks.yaml").map(async ({ name, text }) => {
    const [id = ""] = name.split("/");
    return [id, await parseRiskFile({ name: `src/checks/${name}`, text })] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/** Throws if the texts of a check and what TypeScript computes for them don't fit. */
export function judgeTexts(
  id: string,
  computed: Readonly<Record<string, ComputedValues>>,
  files: Readonly<Record<string, RiskFile>> = FILES,
): void {
  const file = files[id];
  if (file === undefined) throw new Error(`there is no src/checks/${id}/risks.yaml`);
  const faults = findFaults(file, computed);
  if (faults.length > 0) throw new Error(faults.map(formatFault).join("\n"));
}

function findFaults(
  { risks, locate }: RiskFile,
  computed: Readonly<Record<string, ComputedValues>>,
): readonly CheckFault[] {
  const names = risks.map(({ name }) => name);
  const own = risks.flatMap((risk, i): readonly PlacedFault[] => {
    const place = ["risks", i];
    const values = computed[risk.name];
    if (values !== undefined) return findTextFaults(risk, place, values);
    const nearest = findNearestName(risk.name, Object.keys(computed));
    const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
    const message = "the check has no such risk";
    return [{ severity: "error", place: [...place, "name"], message, hint }];
  });
  const missing = Object.keys(computed)
    .filter((name) => !names.includes(name))
    .map((name): PlacedFault => ({ severity: "error", place: ["risks"], message: `${name} is missing` }));
  return [...own, ...missing].map(locate);
}
