import { isLaterPreflight } from "../../../model/program-version.ts";
import { formatJsonText } from "../../../model/visible-text.ts";
import { type IndexedPack, readIndex } from "../../checks/pack-index.ts";
import type { Io } from "../../io/io.ts";
import { formatColumns } from "../../process/terminal-text.ts";
import type { ListPacksValues } from "./pack-definition.ts";

export async function run({ index, output }: ListPacksValues, io: Io): Promise<0> {
  const packs = await readIndex(index);
  io.out(output === "json" ? formatJsonText(packs) : `${formatTable(packs)}\n`);
  return 0;
}

function formatTable(packs: readonly IndexedPack[]): string {
  const rows = packs.map(({ name, version, checks, requires, digest }) => [
    name,
    version,
    String(checks.length),
    formatRequirement(requires?.preflight),
    digest,
  ]);
  return formatColumns([["PACK", "VERSION", "CHECKS", "PREFLIGHT", "DIGEST"], ...rows], "");
}

function formatRequirement(version: string | undefined): string {
  if (version === undefined) return "any";
  return isLaterPreflight(version) ? `${version} (later than this one)` : version;
}
