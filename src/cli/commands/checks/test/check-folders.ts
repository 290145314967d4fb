import { dirname } from "node:path";
import type { CheckText, CheckFault } from "../../../../data-checks/fault.ts";
import { loadChecks } from "../../../../data-checks/load.ts";
import { FailedError } from "../../../../model/errors.ts";
import type { Check } from "../../../../model/check.ts";
import { readCheckTexts } from "../check-files.ts";

/** A check in a folder of its own. Names are as the file has them, so that its cases stay true wherever it is from. */
export type CheckFolder = {
  readonly folder: string;
  readonly text: CheckText;
  readonly check: Check;
  readonly faults: readonly CheckFault[];
};

export async function readCheckFolders(path: string): Promise<readonly CheckFolder[]> {
  const byFolder = Map.groupBy(await readCheckTexts([path]), ({ name }) => dirname(name));
  return Promise.all([...byFolder].map(([folder, texts]) => loadFolder(folder, texts)));
}

async function loadFolder(folder: string, texts: readonly CheckText[]): Promise<CheckFolder> {
  const { checks, faults } = await loadChecks(texts, { kind: "embedded" }, new Set());
  const [text] = texts;
  const [check] = checks;
  if (text !== undefined && check !== undefined && checks.length === 1) return { folder, text, check, faults };
  throw new FailedError(
    `${folder} has ${checks.length} checks: cases/ belongs to the one check beside it, so give each a folder of its own`,
  );
}
