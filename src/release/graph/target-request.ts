import { type MinorVersion, type Version, getPlatform, parseTargetVersion, parseMinor } from "../../model/version.ts";

/** What `--to` names: a release, the newest recommended one of a minor, or the newest recommended one. */
export type TargetRequest =
  | { readonly kind: "release"; readonly version: Version }
  | { readonly kind: "minor"; readonly minor: MinorVersion }
  | { readonly kind: "latest" };

/** Parses "4.20.8", "4.20", "latest", and "v1.36" or "v1.36.2" of Kubernetes; undefined for anything else. */
export function parseTargetRequest(text: string): TargetRequest | undefined {
  if (text === "latest") return { kind: "latest" };
  const minor = parseMinor(text.replace(/^v(?=1\.)/, ""));
  if (minor !== undefined) return { kind: "minor", minor };
  const version = parseTargetVersion(text)?.version;
  return version && { kind: "release", version };
}

/** Whether a request names a version of Kubernetes; "latest" names none. */
export function isKubernetesRequest(request: TargetRequest): boolean {
  if (request.kind === "latest") return false;
  return request.kind === "minor" ? request.minor.major === 1 : getPlatform(request.version) === "kubernetes";
}

/** Whether a release is one that the request names. */
export function matchesRequest(request: TargetRequest, version: Version): boolean {
  switch (request.kind) {
    case "latest":
      return true;
    case "minor":
      return version.major === request.minor.major && version.minor === request.minor.minor;
    case "release":
      return version.text === request.version.text;
  }
}

/** "4.20.8", "4.20", "latest". */
export function formatRequest(request: TargetRequest): string {
  if (request.kind === "latest") return "latest";
  return request.kind === "release" ? request.version.text : `${request.minor.major}.${request.minor.minor}`;
}
