import type { PlayedWorld } from "../fault.ts";
import { changeStatus, must } from "./objects.ts";

/** A resource of an API whose requests the cluster counts. */
export type CountedApi = { readonly group: string; readonly version: string; readonly resource: string };

export const COUNTS = "/apis/apiserver.openshift.io/v1/apirequestcounts";

/** Counts requests of a client as OpenShift does. */
export async function plantRequestCount(
  world: PlayedWorld,
  { group, version, resource }: CountedApi,
  {
    verb = "update",
    removedIn,
    userAgent = "old-client/v1",
  }: { verb?: string; removedIn?: string; userAgent?: string } = {},
): Promise<void> {
  const name = `${resource}.${version}.${group}`;
  const metadata = { name };
  const spec = { numberOfUsersToReport: 10 };
  await must(world, "POST", COUNTS, {
    apiVersion: "apiserver.openshift.io/v1",
    kind: "APIRequestCount",
    metadata,
    spec,
  });
  const username = "system:serviceaccount:demo-a:old-client";
  const byUser = [{ username, userAgent, requestCount: 3, byVerb: [{ verb, requestCount: 3 }] }];
  const hour = { requestCount: 3, byNode: [{ nodeName: "master-0.demo.example.com", requestCount: 3, byUser }] };
  await changeStatus(world, `${COUNTS}/${name}`, (status) => ({
    ...status,
    ...(removedIn === undefined ? {} : { removedInRelease: removedIn }),
    requestCount: 3,
    currentHour: hour,
    last24h: [hour],
  }));
}
