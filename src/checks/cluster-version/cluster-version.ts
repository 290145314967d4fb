import { findCondition } from "../../model/object.ts";
import { type Json, type JsonObject, at, listAt, textAt, objectAt, objectsAt } from "../../model/json.ts";
import { quote, quoteText, joinNames, sortNames } from "../../model/text.ts";
import type { Finding, Context } from "../../model/check.ts";
import { CLUSTER_VERSION, formatRef } from "../../model/resource.ts";
import { type ConditionTexts, parseConditionTexts } from "../shared/conditions.ts";
import { type Get, type ReadResults, get, valuesOf } from "../../model/read.ts";
import { buildMirrorReads } from "../shared/release-mirrors.ts";
import { MIRRORED_SIGNATURES, SIGNATURES_LABEL, SIGNATURES_NAMESPACE, toSignatureKey } from "../../model/release.ts";
import { findRetrievalFailure } from "../../model/cluster-version.ts";

/** What ClusterVersion says of the cluster's own state. An operator that has just started lacks conditions. */
export type ClusterVersion = {
  readonly failing?: ConditionTexts;
  readonly invalid?: ConditionTexts;
  readonly progressing?: ConditionTexts;
  readonly releaseAccepted?: ConditionTexts;
  readonly upgradeable?: ConditionTexts;
  /** The conditions of a type such as UpgradeableClusterOperators that are False: there are some if Upgradeable has several reasons. */
  readonly upgradeableParts: readonly ConditionTexts[];
  /** The newest entry of the history. */
  readonly lastUpdate?: { readonly version: string; readonly isComplete: boolean };
  /** The release that the operator applies, and the releases that it applied, the newest first. */
  readonly desired: AppliedRelease;
  readonly history: readonly AppliedRelease[];
  readonly releaseSource: ReleaseAccess;
  /** The version that an administrator requested; "" if the request names only an image. */
  readonly requestedVersion: string;
};

type AppliedRelease = { readonly version: string; readonly image: string };

export function keepClusterVersion(object: JsonObject): ClusterVersion {
  return {
    failing: parseCondition(object, "Failing"),
    invalid: parseCondition(object, "Invalid"),
    progressing: parseCondition(object, "Progressing"),
    releaseAccepted: parseCondition(object, "ReleaseAccepted"),
    upgradeable: parseCondition(object, "Upgradeable"),
    lastUpdate: parseLastUpdate(object),
    upgradeableParts: selectUpgradeableParts(object),
    desired: parseRelease(at(object, "status", "desired")),
    history: listAt(object, "status", "history").map(parseRelease),
    releaseSource: keepReleaseSource(object),
    requestedVersion: textAt(object, "spec", "desiredUpdate", "version") ?? "",
  };
}

function parseCondition(object: JsonObject, type: string): ConditionTexts | undefined {
  const condition = findCondition(object, type);
  return condition && parseConditionTexts(condition);
}

function selectUpgradeableParts(object: JsonObject): readonly ConditionTexts[] {
  return objectsAt(object, "status", "conditions")
    .filter((one) => /^Upgradeable[A-Z]/.test(textAt(one, "type") ?? "") && textAt(one, "status") === "False")
    .map(parseConditionTexts);
}

function parseRelease(release: Json | undefined): AppliedRelease {
  return { version: textAt(release, "version") ?? "", image: textAt(release, "image") ?? "" };
}

function parseLastUpdate(object: JsonObject): ClusterVersion["lastUpdate"] {
  const last = at(object, "status", "history", 0);
  const version = textAt(last, "version");
  return version === undefined ? undefined : { version, isComplete: textAt(last, "state") === "Completed" };
}

/** An operator that has just started has no condition yet. */
export function isUpdating({ progressing, lastUpdate }: ClusterVersion): boolean {
  return progressing ? progressing.status === "True" : lastUpdate?.isComplete === false;
}

const MAX_QUOTE_LENGTH = 300;

/** `RetrievePayload, "the update cannot be verified"`. */
export function formatCondition(
  { reason, message }: Pick<ConditionTexts, "reason" | "message">,
  maxLength = MAX_QUOTE_LENGTH,
): string {
  return quote(message, maxLength) === "" ? reason : `${reason}, ${quoteText(message, maxLength)}`;
}

/** A finding that a condition of ClusterVersion has a state such as "Failing=True". */
export function buildFinding(
  risk: string,
  state: string,
  condition: Pick<ConditionTexts, "reason" | "message">,
): Finding {
  const { reason, message } = condition;
  return {
    risk,
    object: CLUSTER_VERSION,
    message: `It reports ${state} (${formatCondition(condition)}).`,
    detail: { condition: formatCondition(condition), reason, message },
  };
}

/** What ClusterVersion says of the way in which the cluster gets releases. */
type ReleaseAccess = {
  /** The cluster asks no public update service, or reaches none. */
  readonly isOffline: boolean;
  readonly hasSignatureStores: boolean;
  /** The image of each release that ClusterVersion names. */
  readonly images: ReadonlyMap<string, string>;
};

const PUBLIC_SERVICE = "api.openshift.com";

export function keepReleaseSource(object: JsonObject): ReleaseAccess {
  const upstream = textAt(object, "spec", "upstream") ?? "";
  const isPrivate = upstream !== "" && !upstream.includes(PUBLIC_SERVICE);
  const releases = [
    at(object, "spec", "desiredUpdate"),
    ...listAt(object, "status", "availableUpdates"),
    ...listAt(object, "status", "conditionalUpdates").map((update) => at(update, "release")),
  ];
  return {
    isOffline: isPrivate || findRetrievalFailure(object) !== undefined,
    hasSignatureStores: listAt(object, "spec", "signatureStores").length > 0,
    images: new Map(releases.map((release) => [textAt(release, "version") ?? "", textAt(release, "image") ?? ""])),
  };
}

/** The digest of the target's image ("sha256-" and 64 digits), as it begins the keys of signatures. */
export function findDigest({ images }: ReleaseAccess, { target, release }: Context): string | undefined {
  const image = images.get(target.text) ?? release.image ?? "";
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1];
  return digest === undefined ? undefined : toSignatureKey(digest);
}

type SignatureReads = Partial<ReturnType<typeof buildMirrorReads>> & {
  readonly common?: Get<readonly string[]>;
  readonly own?: Get<readonly string[]>;
};

export function buildSignatureReads(digest: string | undefined): SignatureReads {
  return {
    ...buildMirrorReads(),
    common: buildSignaturesRead(MIRRORED_SIGNATURES),
    ...(digest === undefined ? {} : { own: buildSignaturesRead(digest) }),
  };
}

function buildSignaturesRead(name: string): Get<readonly string[]> {
  return get("v1/configmaps", `${SIGNATURES_NAMESPACE}/${name}`, (configMap) =>
    Object.keys(objectAt(configMap, "binaryData")),
  );
}

/** A ConfigMap may have any name, and only those of the usual tools are read: so this is a notice. One that can't be read isn't missing. */
export function buildSignatureNotices(
  digest: string | undefined,
  { sets, policies, common, own }: Partial<ReadResults<Required<SignatureReads>>>,
  { target }: Context,
): readonly string[] {
  const mirrors = [...(sets ? valuesOf(sets) : []), ...(policies ? valuesOf(policies) : [])].flat();
  const names = sortNames(mirrors.filter(({ kind }) => kind === "releases").map(({ object }) => formatRef(object)));
  const keys = [common, own].flatMap((found) => (found?.kind === "found" ? found.value : []));
  if (names.length === 0 || (digest !== undefined && keys.some((key) => key.startsWith(digest)))) return [];
  const unread = [...(common ? [] : [MIRRORED_SIGNATURES]), ...(digest === undefined || own ? [] : [digest])];
  const doubt =
    unread.length === 0
      ? ""
      : ` (whether one exists is unknown, since ConfigMap ${joinNames(unread.map((name) => `${SIGNATURES_NAMESPACE}/${name}`))} could not be read)`;
  const command = `oc -n ${SIGNATURES_NAMESPACE} get configmaps -l ${SIGNATURES_LABEL} -o yaml`;
  const wanted = digest === undefined ? "sha256- and the digest of its image" : digest;
  return [
    `The cluster pulls releases from mirrors (${joinNames(names)}) and uses no public update service. Unless it reaches the signature stores of the release, the cluster-version operator can't verify ${target.text} without a ConfigMap that has its signature${doubt}: look for a key that begins with ${wanted} ("${command}"). oc-mirror and "oc adm release mirror --apply-release-image-signature" create it.`,
  ];
}
