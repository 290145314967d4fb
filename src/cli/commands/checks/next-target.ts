import type { Check } from "../../../model/check.ts";
import { getPlatform } from "../../../model/target-version.ts";
import { type Version, getMinorOrdinal, parseMinor, parseVersion } from "../../../model/version.ts";
import type { CycleTarget } from "../../../runner/updates/prepare-update.ts";
import { buildVersionRelease } from "../../target-release/target.ts";

const NO_MANIFESTS = "a backtest without --target has no manifests";

/** The update that a check is about: across its boundary, if that is ahead of the cluster, and to the next minor otherwise. */
export function buildNextTarget({ applies }: Pick<Check, "applies">): CycleTarget {
  const boundary = applies.kind === "crosses" ? applies.minor : undefined;
  return {
    kind: "read",
    select: (facts) => buildVersionRelease(findNextVersion(facts.version, boundary), undefined, NO_MANIFESTS, facts),
  };
}

export function findNextVersion(source: Version, boundary: string | undefined): Version {
  const crossed = getPlatform(source) === "kubernetes" ? undefined : parseMinor(boundary ?? "");
  const isAhead = crossed !== undefined && getMinorOrdinal(crossed) > getMinorOrdinal(source);
  const text = isAhead ? `${crossed.major}.${crossed.minor}.0` : formatNextMinor(source);
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is not a version`);
  return version;
}

/** 5.0 follows on 4.22, and is the same minor as 4.23. */
function formatNextMinor({ major, minor }: Version): string {
  return major === 4 && minor >= 22 ? `5.${minor - 22}.0` : `${major}.${minor + 1}.0`;
}
