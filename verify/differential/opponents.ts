import { connectAdminApi } from "../api-server/admin-api.ts";
import { startKubernetes } from "../api-server/control-plane.ts";
import { compareAnswers } from "./comparison.ts";
import { openHandler } from "./handler-api.ts";
import type { Compare } from "./minimise.ts";
import { askServerRounds } from "./server-rounds.ts";

/** The minor of the test control plane's server. */
const SERVER_MINOR = 36;

/** With the packages of a minor: the handler at a path, started anew so that no rounds slow down the next ones. */
export function compareWithPackages(path: string, minor: number): Compare {
  return async (rounds) => {
    const handler = await openHandler(path);
    try {
      return compareAnswers(await askServerRounds({ api: handler, minor, webhook: handler.webhook }, rounds));
    } finally {
      handler.close();
    }
  };
}

/** With a real server of its own, to which the handler lends its webhook; without one, for rounds that have none. */
export function compareWithServer(path: string | undefined): Compare {
  return async (rounds) => {
    const [cluster, handler] = await Promise.all([
      startKubernetes("--audit", "None"),
      path === undefined ? undefined : openHandler(path),
    ]);
    const api = await connectAdminApi(cluster);
    try {
      return compareAnswers(await askServerRounds({ api, minor: SERVER_MINOR, webhook: handler?.webhook }, rounds));
    } finally {
      api.close();
      handler?.close();
      await cluster.discard();
    }
  };
}
