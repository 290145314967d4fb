import type { Logger } from "../../model/logger.ts";
import { UsageError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import { type MonitoringOptions, type MonitoringServer, startMonitoringServer } from "./monitoring-server.ts";
import type { ServingTls } from "./serving-tls.ts";

/** The values of `listenSettings`. */
export type ListenValues = { readonly listen: string | undefined; readonly "listen-cert": string | undefined };

type Monitoring = Omit<MonitoringOptions, "listen" | "tls"> &
  Pick<ServingTls, "readClientAuthorities"> & { readonly log: Logger };

/** Starts the monitoring that the settings ask for. */
export async function startMonitoring(
  { listen, "listen-cert": folder }: ListenValues,
  { log, readClientAuthorities, ...served }: Monitoring,
): Promise<MonitoringServer | undefined> {
  if (listen === undefined && folder !== undefined) throw new UsageError("--listen-cert needs --listen");
  if (listen === undefined) return undefined;
  const warn = (why: string): void => log.warn("the certificates of the metrics could not be read again", { why });
  const tls = folder === undefined ? undefined : { folder, readClientAuthorities, warn };
  return startMonitoringServer({ listen, ...served, ...defined({ tls }) });
}
