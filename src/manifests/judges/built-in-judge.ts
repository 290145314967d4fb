import type { ManifestJudge, ManifestTarget } from "../../model/manifest.ts";
import { judgeApiVersion } from "./api-versions.ts";

/** Judges objects of Kubernetes' own kinds, as the API server of a target would. */
export function createBuiltInJudge(target: ManifestTarget): ManifestJudge {
  return (object) => judgeApiVersion(object, target);
}
