import { TABLE_MINOR } from "../../data-checks/kinds/kind-table.ts";
import { type JsonObject, findOwn, textAt } from "../../model/json.ts";
import type { ManifestFinding, ManifestTarget, ManifestUnknown, ManifestVerdict } from "../../model/manifest.ts";
import { getGroup } from "../../model/resource.ts";
import { FIRST_KNOWN_RELEASE, getKubernetesMinor } from "../../model/version.ts";
import { findNearestName } from "../../model/text.ts";
import { type ApiLife, findLife, listKinds, listOwnVersions } from "./api-lives.ts";
import { describeEnd, describeReplacement } from "./replacements.ts";

const PATH = ["apiVersion"];
const NOT_JUDGED: ManifestVerdict = { applies: false };
/** A life of `since` 0 may have begun with it, and what earlier minors deprecate or accept is in no table. */
const FIRST_MINOR = getKubernetesMinor(FIRST_KNOWN_RELEASE);

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
  return !group.includes(".") || OWN_GROUPS.has(group);
}

const OWN_GROUPS = new Set(listOwnVersions().map(getGroup));

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
    to === undefined ? describeEnd(apiVersion, kind, kubernetes) : describeReplacement(object, apiVersion, kind, to);
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
  if (deprecated === undefined || kubernetes < deprecated)
    return kubernetes < FIRST_MINOR ? buildEarlierRelease(kubernetes) : SERVED;
  const end = removedIn === undefined ? "a later release removes it" : `1.${removedIn} removes it`;
  const message = `Kubernetes deprecates ${apiVersion} ${kind} since 1.${deprecated}, and ${end}.`;
  return found({ risk: "DeprecatedKubernetesAPI", effect: "later", path: PATH, message, ...replacement });
}

const SERVED: ManifestVerdict = { applies: true, findings: [], unknowns: [] };

function buildEarlierRelease(kubernetes: number): ManifestVerdict {
  const message = `It is not known what Kubernetes 1.${kubernetes} takes: what this preflight knows begins with 1.${FIRST_MINOR}.`;
  return { applies: true, findings: [], unknowns: [{ reason: "EarlierRelease", path: PATH, message }] };
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

/** What the newest release that is known doesn't serve in this version, a later one may serve. */
function judgeUnheardOf(apiVersion: string, kind: string, { kubernetes, platform }: ManifestTarget): ManifestVerdict {
  if (/alpha\d+$/.test(apiVersion)) return optional(apiVersion, kind, undefined);
  const what = `${apiVersion} ${kind}`;
  const moved = platform === "openshift" && apiVersion === "v1" ? findOwn(MOVED, kind) : undefined;
  if (moved === undefined && kubernetes > TABLE_MINOR) {
    const message = `It is not known whether Kubernetes 1.${kubernetes} serves ${what}: 1.${TABLE_MINOR} doesn't.`;
    const unknown: ManifestUnknown = { reason: "LaterRelease", path: PATH, message };
    return { applies: true, findings: [], unknowns: [unknown] };
  }
  const served = moved === undefined ? findServed(apiVersion, kind) : moveTo(moved);
  return found({
    risk: "KindNotServed",
    effect: "refused",
    path: PATH,
    message: moved === undefined ? `No Kubernetes serves ${what}.` : `OpenShift 4 doesn't serve ${what}.`,
    ...served,
  });
}

/** The groups of OpenShift's kinds that OpenShift 3 also served as v1. Their fields are the same. */
const MOVED: Readonly<Record<string, string>> = {
  BuildConfig: "build.openshift.io",
  ClusterResourceQuota: "quota.openshift.io",
  DeploymentConfig: "apps.openshift.io",
  Group: "user.openshift.io",
  ImageStream: "image.openshift.io",
  OAuthClient: "oauth.openshift.io",
  Project: "project.openshift.io",
  ProjectRequest: "project.openshift.io",
  Route: "route.openshift.io",
  SecurityContextConstraints: "security.openshift.io",
  Template: "template.openshift.io",
  User: "user.openshift.io",
};

function moveTo(group: string): Pick<ManifestFinding, "remedy" | "edits"> {
  const value = `${group}/v1`;
  return { remedy: `Write ${value}: no other field changes.`, edits: [{ kind: "set", path: PATH, value }] };
}

function findServed(apiVersion: string, kind: string): Pick<ManifestFinding, "remedy"> & Partial<ManifestFinding> {
  const version = listOwnVersions().find((one) => listKinds(one).includes(kind) && !/(?:alpha|beta)/.test(one));
  if (version !== undefined) return { remedy: `Write apiVersion: ${version}.` };
  const near = findNearestName(kind, listKinds(apiVersion), MOST_WRONG);
  if (near !== undefined) return { remedy: `Write kind: ${near}.`, path: ["kind"] };
  return { remedy: `Write an apiVersion and a kind that "kubectl api-resources" lists.` };
}

/** Letters: with more of them it is another name. */
const MOST_WRONG = 2;
