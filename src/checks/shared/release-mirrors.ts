import { type Json, type JsonObject, at, isList, textAt } from "../../model/json.ts";
import { each } from "../../model/read.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

/** The repository whose images the target's policy requires to be signed. */
export const RELEASES = "quay.io/openshift-release-dev/ocp-release";

/** A mirrored source of release images. `unreadable`: an entry whose source can't be parsed. */
export type ReleaseMirror = {
  readonly object: ObjectRef;
  readonly path: string;
  readonly kind: "releases" | "unreadable";
};

export function buildMirrorReads() {
  return {
    sets: each("config.openshift.io/v1/imagedigestmirrorsets", keepDigestMirrors),
    policies: each("operator.openshift.io/v1alpha1/imagecontentsourcepolicies", keepContentSources),
  };
}

/** Keeps the mirrors of release images. ImageTagMirrorSets don't matter: nodes pull release images by digest. */
export function keepDigestMirrors(object: JsonObject): readonly ReleaseMirror[] | undefined {
  return keepMirrors(object, "imageDigestMirrors");
}

export function keepContentSources(object: JsonObject): readonly ReleaseMirror[] | undefined {
  return keepMirrors(object, "repositoryDigestMirrors");
}

function keepMirrors(object: JsonObject, field: string): readonly ReleaseMirror[] | undefined {
  const ref = refOf(object);
  const list = at(object, "spec", field) ?? [];
  if (!isList(list)) return [{ object: ref, path: `spec.${field}`, kind: "unreadable" }];
  const mirrors = list.flatMap((entry, i) => {
    const of = parseMirrorKind(entry);
    return of === undefined ? [] : [{ object: ref, path: `spec.${field}[${i}]`, kind: of }];
  });
  return mirrors.length === 0 ? undefined : mirrors;
}

function parseMirrorKind(entry: Json): ReleaseMirror["kind"] | undefined {
  const source = textAt(entry, "source");
  const mirrors = at(entry, "mirrors") ?? [];
  if (source === undefined || !isList(mirrors)) return "unreadable";
  return mirrors.length > 0 && coversReleases(source) ? "releases" : undefined;
}

/** A source is a host, a host with a namespace, a repository, or all hosts below a domain ("*.example.com"). */
export function coversReleases(source: string): boolean {
  if (source.startsWith("*.")) return RELEASES.slice(0, RELEASES.indexOf("/")).endsWith(source.slice(1));
  return RELEASES === source || RELEASES.startsWith(`${source}/`);
}
