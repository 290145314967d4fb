import { dump } from "js-yaml";
import type { PlatformDownload } from "./downloads.ts";
import type { Project } from "./project.ts";

/** The krew index has another "preflight". krew links the file as kubectl-preflight_update, by which it knows its name. */
export const PLUGIN = "preflight-update";
const FILES = ["preflight", "LICENSE", "LICENSE.node", "licenses.txt"];

/** The manifest of the kubectl plugin, with which `kubectl krew install --manifest` installs it. */
export function formatKrewManifest({ version, description }: Project, downloads: readonly PlatformDownload[]): string {
  return dump({
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name: PLUGIN },
    spec: {
      version: `v${version}`,
      shortDescription: "Check whether a cluster is ready for an update",
      description: `${description}.\nIt reads the cluster and the manifests of the target release, and reports the risks that apply.\n`,
      platforms: downloads.map(({ platform, url, sha256 }) => ({
        selector: { matchLabels: { os: platform.oci.os, arch: platform.oci.architecture } },
        uri: url,
        sha256,
        bin: "preflight",
        files: FILES.map((from) => ({ from, to: "." })),
      })),
    },
  });
}
