import type { Connection } from "../cluster/connection.ts";
import type { Arguments } from "./arguments.ts";
import type { Io } from "./io.ts";

/** The way to the cluster that --kubeconfig and --context name, else the pod's own; a FailedError says why there is none. */
export async function connectionOf(args: Arguments, io: Io): Promise<Connection> {
  const { connect } = await import("../cluster/connect.ts");
  const [kubeconfig, context] = [args.text("kubeconfig"), args.text("context")];
  return connect({
    env: io.env,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
}
