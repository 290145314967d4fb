import type { ConnectOptions, Connection } from "../../cluster/access/connection.ts";
import { rememberObjects } from "../../cluster/access/object-cache.ts";
import type { WatchPlace } from "../../cluster/live/change-watch.ts";
import type { ClusterOrigin } from "../../format/view/view.ts";
import { UsageError } from "../../model/errors.ts";
import type { Reader } from "../../model/reader.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import type { ClusterEgress } from "../../release/image/image-options.ts";
import { formatTime } from "../../model/time.ts";
import type { ClusterValues, ConnectionValues, VerboseValues, PromqlValues } from "../settings/shared-settings.ts";
import { type HostedValues, findGuestFlag } from "../settings/hosted-settings.ts";
import { type Io, warn } from "../io/io.ts";
import { toLine } from "../../model/visible-text.ts";
import { USER_AGENT } from "../io/program.ts";
import { readClusterEgress } from "./cluster-network.ts";
import { createVerboseReader, formatTraffic } from "./verbose-reader.ts";

/** Connects as --kubeconfig and --context say, or with the pod's service account. Throws a FailedError if neither works. */
export async function connectCluster(
  { kubeconfig, context, given }: ConnectionValues & Pick<ConnectOptions, "given">,
  io: Io,
): Promise<Connection> {
  const { connect } = await import("../../cluster/access/connect.ts");
  const connection = await connect({ env: io.env, kubeconfig, context, given });
  if (connection.isInsecure) {
    const { server, context: name, origin } = connection;
    warn(
      `The certificate of ${server} is not verified: context ${name} of ${origin} sets insecure-skip-tls-verify`,
      io,
    );
  }
  return connection;
}

/** A cluster that is open for reading, with what the command says and where it writes. */
export type ClusterSession<Values = unknown> = SessionSource & { readonly values: Values; readonly io: Io };

export type SessionSource = {
  readonly reader: Reader;
  readonly origin: ClusterOrigin;
  /** When an archive was taken: its objects are judged as of then. */
  readonly observedAt?: Date;
  /** Lists the signatures of a live cluster. A recording has those by name alone. */
  readonly listSignatures?: Reader["listSelected"];
  /**
   * How its operator reaches the update service and signature stores, read when it is first needed. Absent for a recorded cluster and an
   * archive, which are looked at in another network.
   */
  readonly readEgress?: () => Promise<ClusterEgress>;
  /** How many reads a live cluster takes at a time, by its answers up to now. */
  readonly findServerLimit?: () => number;
  /** Watches what was read of a live cluster. */
  readonly watchPlace?: WatchPlace;
  readonly close: () => void;
};

export type OpenValues = ConnectionValues & VerboseValues & HostedValues & Partial<ClusterValues & PromqlValues>;

/** Opens a live or recorded cluster or an archive, or throws a FailedError. The code for each is imported when it is needed. */
export async function openCluster<Values extends OpenValues>(values: Values, io: Io): Promise<ClusterSession<Values>> {
  if (values["must-gather"] !== undefined && values.recorded !== undefined)
    throw new UsageError("--must-gather and --recorded are alternatives: give one of them");
  if (values.promql !== undefined && (values["must-gather"] ?? values.recorded) !== undefined)
    throw new UsageError("--promql asks the monitoring of a live cluster: remove it, or --recorded or --must-gather");
  const guestFlag = findGuestFlag(values);
  // The guest has a monitoring of its own.
  const source = await openSource(guestFlag === undefined ? values : { ...values, promql: undefined }, io);
  try {
    const { "hosted-cluster": hosted } = values;
    if (hosted === undefined) return { ...source, reader: rememberObjects(source.reader), values, io };
    const { openHostedCluster } = await import("./hosted-cluster.ts");
    const management = rememberObjects(await openHostedCluster(hosted, source.reader, io.stopSignal));
    const opened = { ...source, reader: management, origin: { ...source.origin, hostedCluster: hosted } };
    if (guestFlag === undefined) return { ...opened, values, io };
    const { openGuest } = await import("./guest.ts");
    return { ...(await openGuest(opened, values, io)), values, io };
  } catch (thrown) {
    source.close();
    throw thrown;
  }
}

/** Opens the cluster that the values name for as long as `use` takes. */
export async function withSession<Values extends OpenValues, Result>(
  values: Values,
  io: Io,
  use: (session: ClusterSession<Values>) => Promise<Result>,
): Promise<Result> {
  const session = await openCluster(values, io);
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

export async function openSource(values: OpenValues, io: Io): Promise<SessionSource> {
  const { recorded, "must-gather": archive } = values;
  if (archive !== undefined) return openArchive(archive, values, io);
  if (recorded === undefined) return openLiveCluster(await connectCluster(values, io), values, io);
  const { createRecordedReader } = await import("../../cluster/recorded/recorded-reader.ts");
  const reader = describeReads(await createRecordedReader(recorded), values, io);
  return { reader, origin: { kind: "recorded", folder: recorded }, close: () => {} };
}

async function openArchive(path: string, values: VerboseValues, io: Io): Promise<SessionSource> {
  const { openMustGather } = await import("../../cluster/must-gather/must-gather.ts");
  const { reader, takenAt, otherClusters, close } = await openMustGather(path, io.stopSignal);
  if (otherClusters.length > 0)
    warn(`${path} also holds archives of other clusters, which are left out: ${otherClusters.join(", ")}`, io);
  const now = io.now();
  return {
    reader: describeReads(reader, values, io),
    origin: { kind: "must-gather", path, takenAt: takenAt && formatTime(takenAt) },
    observedAt: takenAt === undefined || takenAt > now ? now : takenAt,
    close: () => void close(),
  };
}

function describeReads(reader: Reader, { verbose }: VerboseValues, io: Io): Reader {
  return verbose === true ? createVerboseReader(reader, (line) => io.err(`${toLine(line)}\n`)) : reader;
}

/** The reader with queries, if --promql allows them. */
async function allowQueries(reader: Reader, connection: Connection, values: OpenValues, io: Io): Promise<Reader> {
  const { promql: access } = values;
  if (access === undefined) return reader;
  const { addMonitoring } = await import("../../cluster/monitoring/monitoring.ts");
  const described = describeReads(reader, values, io);
  return addMonitoring(reader, { access, reader: described, connection, env: io.env, userAgent: USER_AGENT });
}

export async function openLiveCluster(connection: Connection, values: OpenValues, io: Io): Promise<SessionSource> {
  const { createLiveReader } = await import("../../cluster/live/live-reader.ts");
  const { context, server } = connection;
  const options = { userAgent: USER_AGENT };
  const live = createLiveReader(connection, options);
  const reader = describeReads(await allowQueries(live, connection, values, io), values, io);
  let egress: Promise<ClusterEgress> | undefined;
  return {
    reader,
    origin: { kind: "live", context, server: redactText(server) },
    listSignatures: live.listSelected,
    readEgress: () => (egress ??= readClusterEgress(reader, io.stopSignal)),
    findServerLimit: live.findServerLimit,
    watchPlace: live.watchPlace,
    close() {
      if (values.verbose === true) io.err(`${formatTraffic(live.summarizeTraffic())}\n`);
      live.close();
    },
  };
}
