import { connectAdminApi } from "../api-server/admin-api.ts";
import { startKubernetes } from "../api-server/control-plane.ts";
import type { Oracle } from "./oracle.ts";
import { compareAnswers } from "./comparison.ts";
import type { Compare } from "./minimise.ts";
import { askPackageRounds } from "./package-rounds.ts";
import { askServerRounds } from "./server-rounds.ts";

/** The minor of the test control plane's server. */
const SERVER_MINOR = 36;

export function compareWithPackages(oracle: Oracle, minor: number): Compare {
  return async (rounds) => compareAnswers(await askPackageRounds(oracle, rounds, minor), "packages");
}

/** On a server of its own, so that no rounds slow down the next ones. */
export const compareWithServer: Compare = async (rounds) => {
  const cluster = await startKubernetes("--audit", "None");
  const api = await connectAdminApi(cluster);
  try {
    return compareAnswers(await askServerRounds(api, rounds, SERVER_MINOR), "server");
  } finally {
    api.close();
    await cluster.discard();
  }
};
