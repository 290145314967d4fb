import { FailedError } from "../../model/errors.ts";
import type { ListedRelease } from "../../model/route.ts";
import { parseRegistryReference } from "../../release/image/reference.ts";
import { type ImageValues, readImageTarget } from "./image-target.ts";
import { failUnreadable, type TargetWithWarnings } from "./target.ts";
import type { ClusterSession } from "../client/connection.ts";

/** Reads the image that the update service names for a release. It has to be in a registry, and to be the release that the service says it is. */
export async function readListedImage(
  { version, image }: Pick<ListedRelease, "version" | "image">,
  session: ClusterSession<ImageValues>,
): Promise<TargetWithWarnings> {
  const fault = findReferenceFault(image);
  if (fault !== undefined)
    return failUnreadable(`the update service names an image for ${version.text} that can't be read: ${fault}`);
  const target = await readImageTarget(image, session);
  const actual = target.version?.text;
  if (target.kind === "failed" || actual === version.text) return target;
  const found = actual ?? "a release without a version";
  return failUnreadable(`the update service names ${image} as ${version.text}, but it is ${found}`);
}

function findReferenceFault(image: string): string | undefined {
  try {
    parseRegistryReference(image);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof FailedError) return thrown.message;
    throw thrown;
  }
}
