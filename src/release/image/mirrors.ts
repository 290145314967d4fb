import { FailedError } from "../../model/errors.ts";
import { type JsonObject, listAt, objectAt, textAt, textsAt } from "../../model/json.ts";
import { type RegistryReference, isRepositoryPath } from "./reference.ts";

/** Where images of a source are to be found instead: `source` is a host, or a prefix of HOST/REPOSITORY. */
export type Mirror = {
  /** "*.example.com" for every host below; "" for every image. */
  readonly source: string;
  readonly mirror: string;
  /** Whether it serves references by tag, by digest, or both. */
  readonly for: "tags" | "digests" | "all";
  /** The cluster forbids to fall back to the source. */
  readonly isSourceForbidden: boolean;
};

/** Parses --mirror: SOURCE=MIRROR for every repository below SOURCE, or the repository that holds the image. */
export function parseMirror(text: string): Mirror {
  const equals = text.indexOf("=");
  const [source, mirror] = equals < 0 ? ["", text] : [text.slice(0, equals), text.slice(equals + 1)];
  const isComplete = equals < 0 ? isRepositoryPath(mirror) : isPrefix(source) && isPrefix(mirror);
  if (isComplete) return { source, mirror, for: "all", isSourceForbidden: false };
  throw new FailedError(
    `"${text}" is not a mirror: use HOST/REPOSITORY, which has the image, or SOURCE=MIRROR, where SOURCE is a prefix of HOST/REPOSITORY`,
  );
}

function isPrefix(text: string): boolean {
  return isRepositoryPath(`${text}/x`);
}

/** The kinds in which a cluster names its mirrors, and the field with the list. */
export const MIRROR_KINDS = [
  { resource: "config.openshift.io/v1/imagedigestmirrorsets", field: "imageDigestMirrors", for: "digests" },
  { resource: "config.openshift.io/v1/imagetagmirrorsets", field: "imageTagMirrors", for: "tags" },
  {
    resource: "operator.openshift.io/v1alpha1/imagecontentsourcepolicies",
    field: "repositoryDigestMirrors",
    for: "digests",
  },
] as const;

/** The mirrors that one such object names. */
export function parseMirrorSet(object: JsonObject, kind: (typeof MIRROR_KINDS)[number]): readonly Mirror[] {
  return listAt(objectAt(object, "spec"), kind.field).flatMap((entry) => {
    const source = textAt(entry, "source") ?? "";
    if (source === "") return [];
    const isSourceForbidden = textAt(entry, "mirrorSourcePolicy") === "NeverContactSource";
    return textsAt(entry, "mirrors").map((mirror) => ({ source, mirror, for: kind.for, isSourceForbidden }));
  });
}

/**
 * The references to try, in order: the mirrors of the longest source that matches, then the reference itself, unless the cluster forbids
 * it. Mirrors given by hand come first in `mirrors` and are all tried before those of the cluster.
 */
export function selectCandidates(
  reference: RegistryReference,
  mirrors: readonly Mirror[],
): readonly RegistryReference[] {
  const selected = selectMirrors(reference, mirrors);
  const isSourceForbidden = selected.some((one) => one.isSourceForbidden);
  const candidates = selected.flatMap((one) => rewrite(reference, one));
  return removeDuplicates(isSourceForbidden ? candidates : [...candidates, reference]);
}

/** Mirrors of the reference that name no repository, so that they are passed over. */
export function findUnusableMirrors(reference: RegistryReference, mirrors: readonly Mirror[]): readonly Mirror[] {
  return selectMirrors(reference, mirrors).filter((one) => rewrite(reference, one).length === 0);
}

function selectMirrors(reference: RegistryReference, mirrors: readonly Mirror[]): readonly Mirror[] {
  const use = reference.digest === undefined ? "tags" : "digests";
  const matching = mirrors.filter((one) => (one.for === "all" || one.for === use) && isMatch(one.source, reference));
  const longest = Math.max(0, ...matching.filter((one) => one.for !== "all").map(({ source }) => source.length));
  return matching.filter((one) => one.for === "all" || one.source.length === longest);
}

function isMatch(source: string, { host, repository }: RegistryReference): boolean {
  if (source === "") return true;
  if (source.startsWith("*.")) return host.endsWith(source.slice(1));
  const name = `${host}/${repository}`;
  return name === source || name.startsWith(`${source}/`);
}

/** A mirror takes the place of the source's part of the name, or of the host for a wildcard. */
function rewrite(reference: RegistryReference, { source, mirror }: Mirror): readonly RegistryReference[] {
  const name = `${reference.host}/${reference.repository}`;
  const rest = source === "" ? "" : name.slice(source.startsWith("*.") ? reference.host.length : source.length);
  const path = `${mirror}${rest}`;
  const slash = path.indexOf("/");
  if (!isRepositoryPath(path)) return [];
  return [{ ...reference, host: path.slice(0, slash).toLowerCase(), repository: path.slice(slash + 1) }];
}

function removeDuplicates(references: readonly RegistryReference[]): readonly RegistryReference[] {
  return [...new Map(references.map((one) => [`${one.host}/${one.repository}`, one])).values()];
}
