import { parseNodes } from "../../../encoding/yaml-nodes.ts";
import { findOrdinals } from "../../../data-checks/format/applies.ts";
import type { CheckDefinition } from "../../../data-checks/format/definition.ts";
import type { CheckText } from "../../../data-checks/format/fault.ts";
import { type CheckDocument, parseChecks } from "../../../data-checks/format/parse.ts";
import { formatCount } from "../../../model/text.ts";
import type { Platform } from "../../../model/version.ts";
import type { Io } from "../../io/io.ts";
import { writeOutputFile } from "../../session/result.ts";
import { printErrors, readCheckTexts } from "./check-texts.ts";
import type { MigrateChecksValues } from "./definition.ts";

/** Writes checks as the newest format has them; nothing if one of them has a fault. */
export async function run({ files }: MigrateChecksValues, io: Io): Promise<0 | 3> {
  const texts = await readCheckTexts(files);
  const parsed = await Promise.all(texts.map(async (text) => ({ text, ...(await parseChecks(text)) })));
  const faults = parsed.flatMap((one) => [...one.faults, ...one.checks.flatMap((check) => check.faults)]);
  if (printErrors(faults, io)) return 3;
  const changed = parsed.flatMap(({ text, checks }) => {
    const migrated = migrateText(text.text, checks);
    return migrated === text.text ? [] : [{ name: text.name, text: migrated }];
  });
  for (const { name, text } of changed) await writeOutputFile(name, text);
  for (const { name } of changed) io.out(`${name}\n`);
  io.err(formatSummary(changed, texts.length));
  return 0;
}

function formatSummary(changed: readonly CheckText[], files: number): string {
  return changed.length === 0
    ? `${formatCount(files, "file")}: nothing to change.\n`
    : `Changed ${changed.length} of ${formatCount(files, "file")}: run the cases of these checks.\n`;
}

/** Comments and layout stay. */
export function migrateText(text: string, checks: readonly CheckDocument[]): string {
  const starts = (parseNodes(text) ?? []).map(({ offset }) => offset).filter((offset) => offset >= 0);
  const parts = starts.map((start, i) => text.slice(start, starts[i + 1]));
  const migrated = parts.map((part, i) => {
    const spec = checks[i]?.definition?.spec;
    return spec === undefined || hasOwnNames(spec) ? part : replaceOrdinals(part, findOrdinals(spec.applies));
  });
  return [text.slice(0, starts[0]), ...migrated].join("");
}

/** Whether these names mean something of the author's. */
function hasOwnNames({ reads = {}, variables = [] }: CheckDefinition["spec"]): boolean {
  const names = [...Object.keys(reads), ...variables.map(({ name }) => name)];
  return names.includes("source") || names.includes("target");
}

/** The field of a release that counted the minors of the check's own platform, before each platform had one. */
function replaceOrdinals(text: string, platform: Platform): string {
  return text.replaceAll(/(?<![\w.?])(source|target)\.ordinal\b/g, `$1.${platform}`);
}
