import process from "node:process";
import type { VerifySignature } from "../../../controller/signature-verifier.ts";
import { openCluster } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { USER_AGENT } from "../../io/program.ts";
import type { ConnectionValues } from "../../settings/shared-settings.ts";
import { parseCustomStores } from "../../target-release/custom-signature-stores.ts";
import { verifyImage } from "../../target-release/image-signature.ts";

/** Verifies images as `check --to-image` does, with a connection of its own each time, so that no setting of the cluster is an old one. */
export function createImageVerification(values: ConnectionValues, io: Io): VerifySignature {
  return async (digest, clusterVersion, signal) => {
    // The controller has already said what its connection lacks.
    const session = await openCluster(values, io, () => {});
    try {
      const options = { env: io.env, now: io.now(), signal, userAgent: USER_AGENT, machine: process.arch };
      const cluster = { ...session, values: { "signature-store": undefined } };
      return await verifyImage(digest, cluster, options, parseCustomStores(clusterVersion));
    } finally {
      session.close();
    }
  };
}
