import type { TestContext } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";
import { createFakeClock, writeKubeconfig } from "./cluster/mock-server.ts";
import { startFaultServer } from "../../verify/reliability/fault-server.ts";
import type { Fault } from "../../verify/reliability/faults.ts";

/** A recorded cluster that is read live, from a server with a fault at some paths. */
export type FaultyCluster = {
  readonly reader: Reader;
  /** The paths of the lists that were read, and of everything that was. */
  readonly lists: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly strike: (fault: Fault, isStruck: (path: string) => boolean) => void;
};

/** Only while the server is silent on purpose: on a busy machine, a healthy one may be silent for as long. */
const SILENCE_MS = 100;

/** Open until the test ends. Its clock never waits. */
export async function openFaultyCluster(t: TestContext, recording: JsonObject): Promise<FaultyCluster> {
  let [fault, isStruck]: [Pick<Fault, "strike" | "isSilent">, (path: string) => boolean] = [
    { strike: ({ send }) => send() },
    () => false,
  ];
  const server = await startFaultServer(recording, {
    isStruck: (path) => isStruck(path),
    fault: (exchange) => fault.strike(exchange),
    times: Infinity,
  });
  t.after(server.close);
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: server.url } }), env: {} });
  t.after(connection.close);
  const clock = { ...createFakeClock(), sleep: async () => server.restart() };
  const patient = createLiveReader(connection, { userAgent: "test", clock });
  const impatient = createLiveReader(connection, { userAgent: "test", clock, idleTimeoutMs: SILENCE_MS });
  const live = (): Reader => (fault.isSilent === true ? impatient : patient);
  const [lists, paths] = [new Set<string>(), new Set<string>()];
  const reader: Reader = {
    get: (location, signal) => {
      paths.add(buildResourcePath(location.resource, location.namespace, location.name));
      return live().get(location, signal);
    },
    raw: (path, ...rest) => {
      paths.add(path);
      return live().raw(path, ...rest);
    },
    list: (resource, ...rest) => {
      const path = buildResourcePath(resource);
      lists.add(path);
      paths.add(path);
      return live().list(resource, ...rest);
    },
  };
  return { reader, lists, paths, strike: (...next) => void ([fault, isStruck] = next) };
}
