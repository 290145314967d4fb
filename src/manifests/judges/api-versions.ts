import { TABLE_MINOR } from "../../data-checks/kinds/kind-table.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ManifestFinding, ManifestTarget, ManifestUnknown, ManifestVerdict } from "../../model/manifest.ts";
import { getGroup } from "../../model/resource.ts";
import { findNearestName } from "../../model/text.ts";
import { type ApiLife, findLife, listKinds, listOwnVersions } from "./api-lives.ts";
import { describeReplacement } from "./replacements.ts";

const PATH = ["apiVersion"];
const NOT_JUDGED: ManifestVerdict = { applies: false };

/** Whether the target serves a kind of Kubernetes in the version that an object has, and how long. */
export function judgeApiVersion(object: JsonObject, target: ManifestTarget): ManifestVerdict {
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const kind = textAt(object, "kind") ?? "";
  if (apiVersion === "" || kind === "" || isListOfObjects(object) || !isOwnGroup(apiVersion)) return NOT_JUDGED;
  const life = findLife(apiVersion, kind, target.platform);
  if (life === undefined) return judgeUnheardOf(apiVersion, kind, target);
  return judgeLife(object, apiVersion, kind, life, target);
}

/** What reads a list takes it for its items. */
function isListOfObjects(object: JsonObject): boolean {
  return (textAt(object, "kind") ?? "").endsWith("List");
}

/** A group without a dot is Kubernetes' own, since a CRD can't have one. */
function isOwnGroup(apiVersion: string): boolean {
  const group = getGroup(apiVersion);
  return !group.includes(".") || listOwnVersions().some((one) => getGroup(one) === group);
}

function judgeLife(
  object: JsonObject,
  apiVersion: string,
  kind: string,
  life: ApiLife,
  { kubernetes, platform }: ManifestTarget,
): ManifestVerdict {
  const { since, deprecated, removedIn } = life;
  const to = findSuccessor(kind, life, { kubernetes, platform });
  const replacement =
    to === undefined
      ? { remedy: `Leave it out: nothing replaces ${apiVersion} ${kind} in Kubernetes 1.${kubernetes}.` }
      : describeReplacement(object, apiVersion, kind, to);
  if (removedIn !== undefined && removedIn <= kubernetes) {
    const message = `Kubernetes 1.${removedIn} and later don't serve ${apiVersion} ${kind}.`;
    return found({ risk: "RemovedKubernetesAPIInUse", effect: "refused", path: PATH, message, ...replacement });
  }
  if (kubernetes < since) {
    const message = `Kubernetes serves ${apiVersion} ${kind} from 1.${since} on, and the target runs 1.${kubernetes}.`;
    const remedy = `Leave it out until the cluster runs Kubernetes 1.${since}, or write a version that 1.${kubernetes} serves.`;
    return found({ risk: "KindNotServed", effect: "refused", path: PATH, message, remedy });
  }
  if (life.isOptional) return optional(apiVersion, kind, to);
  if (deprecated === undefined || kubernetes < deprecated) return { applies: true, findings: [], unknowns: [] };
  const end = removedIn === undefined ? "a later release removes it" : `1.${removedIn} removes it`;
  const message = `Kubernetes deprecates ${apiVersion} ${kind} since 1.${deprecated}, and ${end}.`;
  return found({ risk: "DeprecatedKubernetesAPI", effect: "later", path: PATH, message, ...replacement });
}

function found(finding: ManifestFinding): ManifestVerdict {
  return { applies: true, findings: [finding], unknowns: [] };
}

function optional(apiVersion: string, kind: string, to: string | undefined): ManifestVerdict {
  const instead = to === undefined ? "" : ` It serves ${to} in any case.`;
  const message = `The target serves ${apiVersion} ${kind} only if that is enabled there.${instead}`;
  return { applies: true, findings: [], unknowns: [{ reason: "OptionalApi", path: PATH, message }] };
}

/** The newest version that replaces it and that every API server of the target's minor serves. */
function findSuccessor(kind: string, life: ApiLife, { kubernetes, platform }: ManifestTarget): string | undefined {
  return life.successors.find(({ apiVersion, since }) => {
    const own = findLife(apiVersion, kind, platform);
    const isGone = own?.removedIn !== undefined && own.removedIn <= kubernetes;
    return since <= kubernetes && !isGone && own?.isOptional !== true;
  })?.apiVersion;
}

/** What the newest release that is known doesn't serve in this version, a later one may serve, if it is no older version. */
function judgeUnheardOf(apiVersion: string, kind: string, { kubernetes }: ManifestTarget): ManifestVerdict {
  if (/alpha\d+$/.test(apiVersion)) return optional(apiVersion, kind, undefined);
  const what = `${apiVersion} ${kind}`;
  if (kubernetes > TABLE_MINOR) {
    const message = `It is not known whether Kubernetes 1.${kubernetes} serves ${what}: 1.${TABLE_MINOR} doesn't.`;
    const unknown: ManifestUnknown = { reason: "LaterRelease", path: PATH, message };
    return { applies: true, findings: [], unknowns: [unknown] };
  }
  const served = findServed(apiVersion, kind);
  return found({
    risk: "KindNotServed",
    effect: "refused",
    path: served.isKind ? ["kind"] : PATH,
    message: `No Kubernetes serves ${what}.`,
    remedy: served.remedy,
  });
}

function findServed(apiVersion: string, kind: string): { readonly remedy: string; readonly isKind: boolean } {
  const versions = listOwnVersions().filter((one) => listKinds(one).includes(kind) && !/(?:alpha|beta)/.test(one));
  const [version] = versions;
  if (version !== undefined) return { remedy: `Write apiVersion: ${version}.`, isKind: false };
  const near = findNearestName(kind, listKinds(apiVersion), MOST_WRONG);
  if (near !== undefined) return { remedy: `Write kind: ${near}.`, isKind: true };
  return { remedy: `Write an apiVersion and a kind that "kubectl api-resources" lists.`, isKind: false };
}

/** Letters: with more of them it is another name. */
const MOST_WRONG = 2;
