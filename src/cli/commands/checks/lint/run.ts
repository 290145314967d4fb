import { type SourceText, compareFaults, loadChecks } from "../../../../data-checks/load.ts";
import type { CheckText, CheckFault } from "../../../../data-checks/fault.ts";
import type { CheckSource } from "../../../../model/check-origin.ts";
import { formatCount } from "../../../../model/count.ts";
import type { Io } from "../../../io/io.ts";
import { VERSION } from "../../../io/program.ts";
import { printResult } from "../../../session/print.ts";
import { isBugList } from "../../../checks/known-bugs-set.ts";
import { listTakenNames } from "../../../checks/taken-names.ts";
import { readCheckTexts } from "../check-files.ts";
import { isError, judgeTexts } from "../judged-texts.ts";
import type { LintChecksValues } from "./definition.ts";
import { faultFormats } from "./formats.ts";
import { findManifestTexts } from "./release-manifest.ts";
import { listTextWarnings } from "./text-warnings.ts";

/** Loads the checks as --checks does, and those of manifests as a release's, and says all that is wrong with them. */
export async function run({ files, as, output, strict }: LintChecksValues, io: Io): Promise<0 | 3 | 4> {
  const texts = await readCheckTexts(files);
  const source = as === "site" ? { kind: as } : { kind: as, release: "" };
  const faults = (await listFaults(texts, source)).toSorted(compareFaults);
  const report = { version: VERSION, files: texts.length, faults };
  await printResult(output, (name) => faultFormats[name](report), io);
  io.err(formatSummary(faults, texts.length));
  if (faults.some(isError)) return 3;
  return strict && faults.length > 0 ? 4 : 0;
}

async function listFaults(texts: readonly CheckText[], source: CheckSource): Promise<readonly CheckFault[]> {
  if (isBugList(texts)) return (await judgeTexts(texts)).faults;
  const manifests = texts.map((text) => findManifestTexts(text));
  const own = texts.filter((_, i) => manifests[i] === undefined);
  const shipped = manifests.flatMap((one) => one ?? []);
  const byName = new Map(shipped.map((one) => [one.source.name, one]));
  const ofRelease = await listSourceFaults(
    shipped.map(({ source }) => source),
    { kind: "payload", release: "" },
  );
  return [
    ...(await listSourceFaults(own, source)),
    ...ofRelease.map((fault) => byName.get(fault.file)?.locate(fault) ?? fault),
  ];
}

async function listSourceFaults(texts: readonly SourceText[], source: CheckSource): Promise<readonly CheckFault[]> {
  const { faults } = await loadChecks(texts, source, listTakenNames());
  const warnings = await Promise.all(texts.flatMap((text) => ("text" in text ? [listTextWarnings(text)] : [])));
  return [...faults, ...warnings.flat()];
}

function formatSummary(faults: readonly CheckFault[], files: number): string {
  const errors = faults.filter(isError).length;
  const warnings = faults.length - errors;
  const found = [
    ...(errors > 0 ? [formatCount(errors, "error")] : []),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ];
  return `${found.join(" and ") || "No mistakes"} in ${formatCount(files, "file")}.\n`;
}
