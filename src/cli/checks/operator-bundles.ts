import { type NamedConfigMap, parseChecksAnnotation } from "../../encoding/check-config-map.ts";
import { CSV_RESOURCE, type CheckedOperator, findCheckedOperator } from "../../model/cluster-service-version.ts";
import type { Unknown } from "../../model/check.ts";
import type { Reader } from "../../model/reader.ts";
import { formatGroupResource, parseResource } from "../../model/resource.ts";

/** What one annotation names: of one operator, or of the same one in several namespaces. */
export type OperatorBundle = {
  readonly package: string;
  readonly version: string;
  readonly annotation: string;
  readonly operators: readonly CheckedOperator[];
};

/** The bundles of a cluster, and why there may be more. None without OLM. */
export type FoundBundles = { readonly bundles: readonly OperatorBundle[]; readonly unknowns: readonly Unknown[] };

const RESOURCE = parseResource(CSV_RESOURCE);

export async function readBundles(reader: Reader, signal: AbortSignal): Promise<FoundBundles> {
  let operators: CheckedOperator[] = [];
  let gap: string | undefined;
  const result = await reader.list(
    RESOURCE,
    (held) => {
      operators = [];
      gap = held?.message;
      return (csv) => {
        const operator = findCheckedOperator(csv);
        if (operator !== undefined) operators.push(operator);
      };
    },
    signal,
  );
  const where = formatGroupResource(RESOURCE);
  if (result.kind === "failed")
    return { bundles: [], unknowns: [{ reason: result.reason, where, message: result.message }] };
  const unknowns: readonly Unknown[] =
    result.kind === "listed" && gap !== undefined ? [{ reason: "NotRecorded", where, message: gap }] : [];
  return { bundles: groupOperators(operators), unknowns };
}

/** The ConfigMaps that an annotation names, in the namespace of each operator; undefined if it is not as it must be. */
export function listConfigMaps({ annotation, operators }: OperatorBundle): readonly PlacedConfigMap[] | undefined {
  const named = parseChecksAnnotation(annotation);
  return named && operators.flatMap(({ namespace }) => named.map((one) => ({ ...one, namespace })));
}

export type PlacedConfigMap = NamedConfigMap & { readonly namespace: string };

/** The same operator may be installed in several namespaces: its checks are the same then, and see the workloads of all of them. */
export function groupOperators(operators: readonly CheckedOperator[]): readonly OperatorBundle[] {
  const groups = Map.groupBy(operators, (one) => `${one.package} ${one.annotation}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
    if (first === undefined) return [];
    return [{ package: first.package, version: first.version, annotation: first.annotation, operators: group }];
  });
}
