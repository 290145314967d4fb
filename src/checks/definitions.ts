import { readFolderFiles } from "../encoding/data-folder.ts";
import type { CheckDefinition } from "../data-checks/format/definition.ts";
import { formatFault } from "../data-checks/format/fault.ts";
import { loadChecks } from "../data-checks/load.ts";
import { getUnknownRiskName } from "../model/check.ts";
import * as registry from "./registry.ts";

/** The checks that are data, of the files CHECK/check.yaml. The bundle has the definitions in place of this module: see build.mjs. */
export const DEFINITIONS: readonly CheckDefinition[] = await readDefinitions(new URL(".", import.meta.url));

/** Rejects with every fault and its place. */
export async function readDefinitions(folder: URL): Promise<readonly CheckDefinition[]> {
  const files = readFolderFiles(folder, "*/check.yaml");
  const texts = files.map(({ name, text }) => ({ name: `src/checks/${name}`, text }));
  const taken = Object.values(registry).flatMap((check) => [
    check.id,
    getUnknownRiskName(check),
    ...check.risks.map(({ name }) => name),
  ]);
  const { definitions, faults } = await loadChecks(texts, { kind: "embedded" }, new Set(taken));
  if (faults.length > 0) throw new Error(faults.map(formatFault).join("\n"));
  return definitions.map(({ definition }) => definition);
}
