import { type Check, type Context, findKubernetesBoundary, isOn } from "../../model/check.ts";
import { type CoveredFault, type CoveredRisk, withSpecial } from "../../model/special-check.ts";
import type { UpdateKind } from "../../model/version.ts";
import { crosses, formatMinor, leavesMinor } from "../../model/version.ts";

/** The checks that apply to one update. */
export type ApplicableChecks = {
  /** Names them, and what they cover. */
  readonly context: Context;
  readonly checks: readonly Check[];
  /** Why others do not. */
  readonly notApplicable: ReadonlyMap<Check, string>;
};

export function selectApplicable(context: Context, all: readonly Check[]): ApplicableChecks {
  const reasons = all.map((check) => [check, findNotApplicableReason(check, context)] as const);
  const checks = reasons.flatMap(([check, reason]) => (reason === undefined ? [check] : []));
  const notApplicable = new Map(reasons.flatMap(([check, reason]) => (reason === undefined ? [] : [[check, reason]])));
  const coveredRisks = findCoveredRisks(checks, context);
  const told = withSpecial({ ...context, checks: checks.map(({ id }) => id) }, { coveredRisks });
  return { context: told, checks, notApplicable };
}

/** Why the check does not apply to this update; undefined if it does. */
export function findNotApplicableReason(check: Check, context: Context): string | undefined {
  const { source, target, update } = context;
  if (context.platform === "kubernetes") {
    const why = findNotOnKubernetesReason(check, context);
    if (why !== undefined || check.applies.kind === "crosses") return why;
  } else if (!isOn("openshift", check)) return "This check concerns Kubernetes without OpenShift.";
  if (context.isHosted && check.hosted?.notApplicable !== undefined) return check.hosted.notApplicable;
  if (check.applies.kind === "crosses") {
    const { minor } = check.applies;
    if (crosses(source, minor, target)) return undefined;
    return `This check concerns a change in ${minor}, which an update from ${source.text} to ${target.text} does not cross.`;
  }
  const appliesToUpdate =
    check.applies.kind === "updates" ? check.applies.kinds.includes(update) : leavesMinor(context);
  if (appliesToUpdate) return undefined;
  return `This check does not apply to ${UPDATE_KIND_TEXT[update]} (${formatMinor(source)} to ${formatMinor(target)}).`;
}

/** A Kubernetes release has no manifests, and a minor of OpenShift stands for the Kubernetes minor that it contains. */
function findNotOnKubernetesReason(check: Check, { kubernetes, release }: Context): string | undefined {
  if (!isOn("kubernetes", check)) return "This is not an OpenShift cluster.";
  const { manifests, problems } = release;
  if (check.basis === "manifests" && manifests.length === 0 && problems.length === 0)
    return "This check needs a folder of manifests (--target), since Kubernetes itself has none.";
  const minor = findKubernetesBoundary(check.applies);
  if (minor === undefined) return undefined;
  if (kubernetes.source < minor && minor <= kubernetes.target) return undefined;
  return `This check concerns a change in Kubernetes 1.${minor}, which an update from 1.${kubernetes.source} to 1.${kubernetes.target} does not cross.`;
}

const UPDATE_KIND_TEXT: Readonly<Record<UpdateKind, string>> = {
  patch: "patch updates",
  minor: "updates to a later minor",
  rollback: "rollbacks",
};

/** The names of other sources for what these checks cover in this update. */
export function findCoveredRisks(checks: readonly Check[], context: Context): readonly CoveredRisk[] {
  return checks.flatMap((check) => [
    ...findPublished(check, context).map((one) => ({ ...one, source: "published" as const, check: check.id })),
    ...check.risks.flatMap(({ name: risk, knownAs: { liftedAs: name } = {} }) =>
      name === undefined ? [] : [{ name, source: "operator" as const, check: check.id, risk }],
    ),
  ]);
}

function findPublished(check: Check, context: Context): readonly CoveredFault[] {
  if (check.special?.covers) return check.special.covers(context);
  return check.risks.flatMap(({ name: risk, knownAs: { published = [] } = {} }) =>
    published.map((name) => ({ name, risk })),
  );
}
