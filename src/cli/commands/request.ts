import { CONFIG_MAPS, REQUEST } from "../../controller/places.ts";
import { type Request, requestEdit, requestOf, windowAt } from "../../lift/request.ts";
import { type Payload, payloadOf } from "../../lift/target.ts";
import { isUpdating, sourceOf } from "../../lift/cluster-version.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { Arguments } from "../arguments.ts";
import { type ClusterAccess, clusterVersionOf, send, withCluster } from "../cluster-access.ts";
import type { Io } from "../io.ts";
import { servedIn } from "../served.ts";

/** Asks for a preflight by a ConfigMap. Nothing of ClusterVersion is written, so that no update can follow. */
export async function request(args: Arguments, io: Io): Promise<number> {
  const wanted = wantedOf(args);
  if (windowAt(wanted, io.now()) === "over") throw new UsageError("--until is over already");
  return withCluster(args, io, async (cluster) => {
    const clusterVersion = await clusterVersionOf(cluster);
    if (isUpdating(clusterVersion))
      throw new FailedError("the cluster is updating, which ends every preflight: request one when that is done");
    const payload = payloadOf(clusterVersion, wanted.target);
    if (payload.kind === "refused") throw new FailedError(payload.message);
    const isNew = await send(cluster, requestEdit(await cluster.read(REQUEST), wanted), CONFIG_MAPS, REQUEST);
    const versions = `${sourceOf(clusterVersion) ?? "this cluster's version"} to ${nameOf(payload)}`;
    io.out(
      isNew
        ? `Requested a preflight from ${versions}.\n`
        : `info: A preflight from ${versions} is requested already.\n`,
    );
    if (payload.kind === "unverified")
      io.err("info: ClusterVersion does not offer this release, so it is unverified: it is run as it is.\n");
    await warnOfNoController(cluster, io);
    return 0;
  });
}

/** The options are the keys of the ConfigMap, and are judged as those. */
function wantedOf(args: Arguments): Request {
  const flags = ["to", "to-image", "not-before", "until"] as const;
  const data = Object.fromEntries(flags.flatMap((flag) => pair(flag, args.text(flag))));
  const read = requestOf({ data });
  if (read.kind === "request") return read.request;
  const problems = read.kind === "invalid" ? read.problems : [];
  throw new UsageError(
    problems.join("; ").replaceAll(/\b(to-image|not-before|until|to)\b(?=:| and| exclude| or| must)/g, "--$1"),
  );
}

function pair(flag: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[flag, value]];
}

function nameOf(payload: Exclude<Payload, { kind: "refused" }>): string {
  return payload.kind === "offered" ? payload.version : payload.image;
}

async function warnOfNoController(cluster: ClusterAccess, io: Io): Promise<void> {
  if ((await servedIn(cluster, io.now())) === "no")
    io.err("warning: No preflight controller runs in this cluster, so nobody serves the request yet.\n");
}
