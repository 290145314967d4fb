import type { GivenKubeconfig } from "../../cluster/access/connection.ts";
import { rememberObjects } from "../../cluster/access/object-cache.ts";
import { createHalvesWatch } from "../../cluster/live/change-watch.ts";
import { createHalvesReader, identifyGuest } from "../../cluster/hosted/halves-reader.ts";
import { createApiClient } from "../../cluster/writer/api-client.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { textAt } from "../../model/json.ts";
import { buildResourcePath, parseResource } from "../../model/resource.ts";
import type { Io } from "../io/io.ts";
import { USER_AGENT } from "../io/program.ts";
import { type SessionSource, type OpenValues, connectCluster, openLiveCluster, openSource } from "./connection.ts";

/**
 * Adds the guest that the values name to its management cluster, which is open. Throws a FailedError if it is another cluster; one that
 * does not answer is one of which nothing is known.
 */
export async function openGuest(management: SessionSource, values: OpenValues, io: Io): Promise<SessionSource> {
  const guest = await openGuestSource(values, io);
  try {
    const reader = rememberObjects(guest.reader);
    const identity = await identifyGuest(management.reader, reader, io.stopSignal);
    if (identity.kind === "other")
      throw new FailedError(`this is not the guest of HostedCluster ${values["hosted-cluster"]}: ${identity.message}`);
    return {
      ...management,
      reader: createHalvesReader(management.reader, reader),
      origin: { ...management.origin, guest: guest.origin },
      findServerLimit: guest.findServerLimit ?? management.findServerLimit,
      watchPlace:
        management.watchPlace && guest.watchPlace && createHalvesWatch(management.watchPlace, guest.watchPlace),
      close() {
        guest.close();
        management.close();
      },
    };
  } catch (thrown) {
    guest.close();
    throw thrown;
  }
}

async function openGuestSource(values: OpenValues, io: Io): Promise<SessionSource> {
  const { verbose, promql, "guest-recorded": recorded, "guest-context": context } = values;
  if (recorded !== undefined) return openSource({ verbose, recorded, kubeconfig: undefined, context: undefined }, io);
  const secret = values["guest-secret"];
  const source =
    secret === undefined ? { kubeconfig: values["guest-kubeconfig"] } : { given: await readSecret(secret, values, io) };
  const connection = await connectCluster({ kubeconfig: undefined, context, ...source }, io);
  return openLiveCluster(connection, { verbose, promql, kubeconfig: undefined, context }, io);
}

const SECRETS = parseResource("v1/secrets");
const KEY = "kubeconfig";

/** The one Secret that the user names. Throws a FailedError if it has no kubeconfig. */
async function readSecret(name: string, values: OpenValues, io: Io): Promise<GivenKubeconfig> {
  if ((values.recorded ?? values["must-gather"]) !== undefined)
    throw new UsageError("--guest-secret is read on a live management cluster: name the guest with --guest-recorded");
  if (!/^[a-z0-9.-]+$/.test(name)) throw new UsageError(`--guest-secret "${name}" is not the name of a Secret`);
  const [namespace = ""] = (values["hosted-cluster"] ?? "").split("/");
  const origin = `Secret ${namespace}/${name}`;
  const connection = await connectCluster(values, io);
  try {
    const api = createApiClient(connection, { userAgent: USER_AGENT });
    const answer = await api.read(buildResourcePath(SECRETS, namespace, name), io.stopSignal);
    if (answer.kind !== "ok") throw new FailedError(`${origin} could not be read: ${answer.message}`);
    const text = textAt(answer.object, "data", KEY);
    if (text === undefined) throw new FailedError(`${origin} has no key ${KEY}: name another one with --guest-secret`);
    return { origin, text: Buffer.from(text, "base64").toString("utf8") };
  } finally {
    connection.close();
  }
}
