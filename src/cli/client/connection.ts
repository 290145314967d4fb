import type { Connection } from "../../cluster/access/connection.ts";
import type { Arguments } from "../command-line/arguments.ts";
import type { Io } from "../io.ts";
import { defined } from "../../model/optional.ts";

/** The way to the cluster that --kubeconfig and --context name, else the pod's own; a FailedError says why there is none. */
export async function connectCluster(args: Arguments, io: Io): Promise<Connection> {
  const { connect } = await import("../../cluster/access/connect.ts");
  const [kubeconfig, context] = [args.text("kubeconfig"), args.text("context")];
  return connect({
    env: io.env,
    ...defined({ kubeconfig, context }),
  });
}
