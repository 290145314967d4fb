import { type Read, onlyOn } from "../../model/read.ts";
import { authorityReads } from "./cluster-authorities.ts";
import { egressReads } from "../client/cluster-egress.ts";
import { mirrorReads } from "./cluster-mirrors.ts";

/**
 * What leads to release images, update services and signature stores. A runner in the cluster needs none of it: its release is a folder.
 */
export const sourceReads: readonly Read[] = [...mirrorReads, ...authorityReads, ...egressReads].map((read) =>
  onlyOn("openshift", read),
);
