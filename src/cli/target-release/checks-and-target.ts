import { FailedError, UsageError } from "../../model/errors.ts";
import type { TargetOffer } from "../../model/route.ts";
import { getPlatform } from "../../model/version.ts";
import { isKubernetesRequest } from "../../release/graph/target-request.ts";
import { selectFromGraph } from "../../release/graph/target-selection.ts";
import { type CheckSelection, type ChosenValues, parseChecks } from "../checks/check-selection.ts";
import type { ClusterSession } from "../client/connection.ts";
import { hasClusterVersion, readClusterUpdateFacts, requireTargetRequest, resolveTarget } from "./target-of-version.ts";
import type { GraphValues } from "./update-graph.ts";
import { type ImageValues, readListedImage, readImageTarget } from "./image-target.ts";
import { readCrds } from "./crds.ts";
import type { TargetValues, TargetWithWarnings } from "./target.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "./target.ts";

/** What a command judges: the selected checks, and a target release or (with --crds) CRDs. */
export type ChecksAndTarget = CheckSelection & { readonly target: TargetWithWarnings; readonly offer?: TargetOffer };

type NameValues = Partial<Readonly<Record<"to" | "to-image" | "crds", string | undefined>>>;
type Values = TargetValues & NameValues & ChosenValues;
/** The values for any release. */
export type ReleaseValues = Values & GraphValues & ImageValues;

/** Each of these flags is a target alone. */
const ALONE = ["to", "to-image", "crds"] as const;
const OTHERS = ["to-image", "target", "target-version", "release-image", "crds"] as const;

function requireOneTarget(values: Values): void {
  const flag = ALONE.find((one) => values[one] !== undefined);
  const other = OTHERS.find((one) => one !== flag && values[one] !== undefined);
  if (flag === undefined || other === undefined) return;
  const role = flag === "crds" ? "replaces the target release with CRDs" : "names the target release";
  throw new UsageError(`--${flag} ${role}: remove --${other}`);
}

/** Whether the target is a release that its version or its image names. */
export function namesRelease(values: NameValues): boolean {
  return values.to !== undefined || values["to-image"] !== undefined;
}

/** The only check that CRDs are enough for. */
const CRD_CHECK = "crd-skew";

/** The target that the values themselves name; undefined for a release, to which a cluster leads. */
export async function readGivenTarget(values: Values): Promise<ChecksAndTarget | undefined> {
  requireOneTarget(values);
  if (values.to !== undefined) requireTargetRequest(values.to);
  if (namesRelease(values)) return undefined;
  const selection = parseChecks(values);
  const { crds } = values;
  if (crds === undefined)
    return { ...selection, target: await readTarget(requireValidVersion(parseTargetOptions(values))) };
  const checks = selection.checks.filter(({ id }) => id === CRD_CHECK);
  if (checks.length === 0) throw new UsageError(`--crds needs the check ${CRD_CHECK}, which --only or --skip excludes`);
  return { checks, leftOut: [], target: await readCrds(crds) };
}

/** The same for a command that is about nothing else: throws a FailedError for a target that can't be read. */
export async function requireGivenTarget(values: Values): Promise<ChecksAndTarget | undefined> {
  const given = await readGivenTarget(values);
  if (given?.target.kind === "failed") throw new FailedError(given.target.failure.message);
  return given;
}

/** Adds what only the cluster knows: the release that --to or --to-image names, or what --graph says of a given target. */
export async function completeTarget(
  given: ChecksAndTarget | undefined,
  opened: ClusterSession<ReleaseValues>,
): Promise<ChecksAndTarget> {
  // Whether or not the guest can be read, its release comes from the HostedCluster.
  const session = { ...opened, reader: opened.reader.management ?? opened.reader };
  if (given !== undefined) return addGraphOffer(given, session);
  const { to, "to-image": image = "" } = session.values;
  const selection = parseChecks(session.values);
  if (to === undefined) return addGraphOffer({ ...selection, target: await readImageTarget(image, session) }, session);
  const request = requireTargetRequest(to);
  if (isKubernetesRequest(request)) return { ...selection, target: await readKubernetesTarget(to, session) };
  const { release, offer } = await resolveTarget(request, session);
  return addOffer({ ...selection, target: await readListedImage(release, session) }, offer);
}

/** Kubernetes has no update service and no manifests: its version is the whole target. */
async function readKubernetesTarget(
  version: string,
  { reader, io }: ClusterSession<GraphValues>,
): Promise<TargetWithWarnings> {
  if (await hasClusterVersion(reader, io.stopSignal))
    throw new UsageError(
      `--to ${version} is a version of Kubernetes, which has no update service: use --target-version ${version}`,
    );
  return readTarget({ folders: [], version, image: undefined });
}

/** For the checks and for the formats. */
function addOffer(given: ChecksAndTarget, offer: TargetOffer): ChecksAndTarget {
  const { target } = given;
  if (target.kind === "failed") return { ...given, offer };
  return { ...given, target: { ...target, recommendation: offer.recommendation }, offer };
}

/** What the graph of --graph publishes for the update counts. Throws a FailedError if it can't be read. */
async function addGraphOffer(given: ChecksAndTarget, session: ClusterSession<GraphValues>): Promise<ChecksAndTarget> {
  const { kind, version } = given.target;
  const hasGraph = session.values.graph !== undefined && kind !== "failed" && version !== undefined;
  if (!hasGraph || getPlatform(version) === "kubernetes") return given;
  const facts = await readClusterUpdateFacts(session.reader, session.io.stopSignal);
  if (facts === undefined) return given;
  const { readUpdateGraph } = await import("./update-graph.ts");
  const request = { kind: "release", version } as const;
  const read = await readUpdateGraph(request, facts, session);
  const selected = selectFromGraph(read, facts.source, facts.channel, request);
  return addOffer(given, selected?.offer ?? { recommendation: { kind: "notOffered" } });
}
