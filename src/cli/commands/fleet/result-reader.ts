import { checks } from "../../../checks/index.ts";
import { readTextFile } from "../../../files/named-file.ts";
import { createDocumentParser } from "../../../format/document/document-parser.ts";
import { type FleetContext, buildInvalid, parseClusterResult } from "../../../format/fleet/cluster-result.ts";
import type { Acceptance } from "../../../model/acceptance.ts";
import { getUnknownRiskName } from "../../../model/check.ts";
import { errorCode, formatError } from "../../../model/errors.ts";
import type { FleetCluster } from "../../../model/fleet.ts";

const MAX_BYTES = 64 * 1024 * 1024;

export function createResultContext(now: Date, maxAge: number, acceptances: readonly Acceptance[]): FleetContext {
  return {
    now,
    maxAge,
    acceptances,
    effects: new Map(checks.flatMap(({ risks }) => risks.map(({ name, effect }) => [name, effect] as const))),
    unknownNames: new Map(checks.map((check) => [check.id, getUnknownRiskName(check)])),
    parseDocument: createDocumentParser(),
  };
}

/** A file that can't be read is a result that is not valid. */
export async function readClusterResult(name: string, file: string, context: FleetContext): Promise<FleetCluster> {
  try {
    return await parseClusterResult(name, await readTextFile(file, MAX_BYTES), context);
  } catch (thrown) {
    return buildInvalid(name, `${file} can't be read: ${formatError(thrown)}`);
  }
}

/** Undefined if there is none yet. */
export async function findResultText(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file, MAX_BYTES);
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    return "";
  }
}
