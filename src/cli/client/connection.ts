import type { Connection } from "../../cluster/access/connection.ts";
import type { Arguments } from "../command-line/arguments.ts";
import type { Io } from "../io.ts";
import { defined } from "../../model/optional.ts";

/** Where a warning goes: a line on stderr, unless the command writes logs. */
export type Warn = (message: string) => void;

/** The cluster that --kubeconfig and --context name, or the pod's own. Throws a FailedError if there is none. */
export async function connectCluster(args: Arguments, io: Io, warn: Warn = printWarning(io)): Promise<Connection> {
  const { connect } = await import("../../cluster/access/connect.ts");
  const [kubeconfig, context] = [args.text("kubeconfig"), args.text("context")];
  const connection = await connect({ env: io.env, ...defined({ kubeconfig, context }) });
  if (connection.isInsecure) {
    const { server, context: name, origin } = connection;
    warn(`The certificate of ${server} is not verified: context ${name} of ${origin} sets insecure-skip-tls-verify`);
  }
  return connection;
}

function printWarning(io: Io): Warn {
  return (message) => io.err(`warning: ${message}\n`);
}
