import type { Context } from "../../model/check.ts";
import { type JsonObject, at, listAt, objectAt, textAt } from "../../model/json.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { type Get, type ReadResults, get, valuesOf } from "../../model/read.ts";
import { buildMirrorReads } from "../shared/release-mirrors.ts";
import {
  MIRRORED_SIGNATURES,
  SIGNATURES_LABEL,
  SIGNATURES_NAMESPACE,
  toSignatureKey,
} from "../../model/release-signatures.ts";
import { formatRef } from "../../model/resource.ts";
import { findRetrievalFailure } from "../../model/update-retrieval.ts";

/** What ClusterVersion says of the way in which the cluster gets releases. */
export type ReleaseAccess = {
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

export type SignatureReads = Partial<ReturnType<typeof buildMirrorReads>> & {
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
