import type { TestContext } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";
import { createFakeClock, writeKubeconfig } from "./cluster/mock-server.ts";
import { type Answers, startFaultServer } from "../../verify/reliability/fault-server.ts";
import type { Fault } from "../../verify/reliability/faults.ts";

/** A cluster that is read live, from a server with a fault at some paths. */
export type FaultyCluster = {
  readonly reader: Reader;
  /** The paths of the lists that were read, and of everything that was. */
  readonly lists: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly strike: (fault: Fault, isStruck: (path: string) => boolean) => void;
  /** The paths that are read meanwhile. */
  readonly watch: (work: () => Promise<unknown>) => Promise<ReadonlySet<string>>;
};

/** For faults that are silent alone: a busy machine is silent for longer than this between two of its answers. */
const SILENCE_MS = 100;
const PATIENCE_MS = 120_000;

/** Of a recording, or of another server. Open until the test ends. Its clock never waits. */
export async function openFaultyCluster(t: TestContext, source: JsonObject | Answers): Promise<FaultyCluster> {
  let strike: Fault["strike"] = ({ send }) => send();
  let isStruck: (path: string) => boolean = () => false;
  const server = await startFaultServer(source, {
    isStruck: (path) => isStruck(path),
    fault: (exchange) => strike(exchange),
    times: Infinity,
  });
  t.after(server.close);
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: server.url } }), env: {} });
  t.after(connection.close);
  const clock = { ...createFakeClock(), sleep: async () => server.restart() };
  const create = (idleTimeoutMs: number): Reader =>
    createLiveReader(connection, { userAgent: "test", clock, idleTimeoutMs });
  const patient = create(PATIENCE_MS);
  const hurried = create(SILENCE_MS);
  let live = patient;
  const seen = { lists: new Set<string>(), paths: new Set<string>() };
  return {
    reader: watchPaths(() => live, seen),
    ...seen,
    strike(fault, next) {
      [strike, isStruck] = [fault.strike, next];
      live = fault.isSilent === true ? hurried : patient;
    },
    async watch(work) {
      const known = [...seen.paths];
      seen.paths.clear();
      await work();
      const paths = new Set(seen.paths);
      for (const path of known) seen.paths.add(path);
      return paths;
    },
  };
}

type SeenPaths = { readonly lists: Set<string>; readonly paths: Set<string> };

function watchPaths(getReader: () => Reader, seen: SeenPaths): Reader {
  return {
    get: (location, ...rest) => {
      seen.paths.add(buildResourcePath(location.resource, location.namespace, location.name));
      return getReader().get(location, ...rest);
    },
    raw: (path, ...rest) => {
      seen.paths.add(path);
      return getReader().raw(path, ...rest);
    },
    list: (resource, ...rest) => {
      const path = buildResourcePath(resource);
      seen.lists.add(path);
      seen.paths.add(path);
      return getReader().list(resource, ...rest);
    },
    forCycle: () => {
      const reader = getReader();
      const ofCycle = reader.forCycle?.() ?? reader;
      return watchPaths(() => ofCycle, seen);
    },
  };
}
