import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../../src/model/check.ts";
import { type CaseFile, listCaseFiles } from "../../src/cases/case-files.ts";

const CHECKS = join(import.meta.dirname, "..", "..", "src", "checks");

export function checkFolder({ id }: Pick<Check, "id">): string {
  return join(CHECKS, id);
}

export function checkFolders(): readonly string[] {
  return readdirSync(CHECKS, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() && entry.name !== "shared" ? [entry.name] : []))
    .toSorted();
}

export function caseFiles(check: Check): readonly CaseFile[] {
  return listCaseFiles(join(checkFolder(check), "cases"), check);
}
