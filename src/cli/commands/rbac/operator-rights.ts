import type { Check } from "../../../model/check.ts";
import { CSV_RESOURCE } from "../../../model/cluster-service-version.ts";
import { type Read, each } from "../../../model/read.ts";
import { getReads } from "../../checks/cluster-role.ts";
import { type PlacedConfigMap, listConfigMaps } from "../../checks/operator-bundles.ts";
import type { ClusterOperators } from "../../target-release/cluster-operators.ts";
import { warn } from "../../io/error-report.ts";
import type { Io } from "../../io/io.ts";

/** What it takes to find the checks of a cluster's operators, and these checks. */
type OperatorRights = {
  readonly reads: readonly Read[];
  readonly configMaps: readonly PlacedConfigMap[];
  readonly checks: readonly Check[];
};

export function buildOperatorRights(operators: ClusterOperators | undefined, io: Io): OperatorRights {
  if (operators === undefined) return { reads: [], configMaps: [], checks: [] };
  const { bundles, checks } = operators;
  // What can't be loaded has neither reads nor risks.
  const unread = checks.filter((check) => check.risks.length === 0 && getReads(check).length === 0);
  for (const { id } of unread) warn(`nobody knows what ${id} reads: "preflight check" says why`, io);
  const configMaps = bundles.flatMap((bundle) => listConfigMaps(bundle) ?? []);
  return { checks, configMaps, reads: [each(CSV_RESOURCE, () => undefined)] };
}
