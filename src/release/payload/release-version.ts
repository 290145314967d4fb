import type { Version } from "../../model/version.ts";
import { findPayloadLayout } from "./payload-layout.ts";
import type { PayloadFailure } from "./payload.ts";
import { readReleaseIdentity } from "./release-identity.ts";

export type ReleaseVersionResult = { readonly kind: "version"; readonly version: Version } | PayloadFailure;

/** The version of a release's folder, without reading its manifests. */
export async function readReleaseVersion(folder: string): Promise<ReleaseVersionResult> {
  const layout = await findPayloadLayout([folder]);
  if (layout.kind === "failed") return layout;
  const identity = readReleaseIdentity(layout.layout, {});
  return identity.kind === "failed" ? identity : { kind: "version", version: identity.version };
}
