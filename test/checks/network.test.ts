import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keepAttachment,
  selectCrowdedLists,
  selectDualStackLists,
  keepNetwork,
  formatPath,
  getRunningPlugin,
  findUnreadableCidrs,
} from "../../src/checks/dual-stack/network.ts";
import {
  buildAttachmentNotices,
  buildConvertedNotices,
  buildRangeUnknowns,
} from "../../src/checks/dual-stack/network-findings.ts";
import { buildContext } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";

const services = (...serviceNetwork: readonly string[]) => keepNetwork({ status: { serviceNetwork } });

test("finds the family of an address range in every notation", () => {
  for (const ipv6 of ["fd02::/112", "FD02::/112", "::/0", "::ffff:192.0.2.0/120", "2001:db8:0:1:2:3:4:5/128"]) {
    assert.equal(selectDualStackLists(services("172.30.0.0/16", ipv6)).length, 1, ipv6);
    assert.deepEqual(findUnreadableCidrs(services(ipv6)), []);
  }
});

test("names the paths of entries that are not address ranges", () => {
  const network = keepNetwork({
    status: { serviceNetwork: ["172.30.0.0", "172.30.0.0/16"], clusterNetwork: [{}, { cidr: "10.0.0.0/8" }] },
    spec: { serviceNetwork: [7] },
  });
  assert.deepEqual(findUnreadableCidrs(network), [
    "spec.serviceNetwork[0]",
    "status.clusterNetwork[0]",
    "status.serviceNetwork[0]",
  ]);
});

test("reports several ranges of one family, but not one range of each", () => {
  const network = keepNetwork({
    status: { clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }] },
    spec: { clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "10.132.0.0/14" }] },
  });
  assert.deepEqual(selectCrowdedLists(network).map(formatPath), ["spec.clusterNetwork"]);
});

test("uses the requested plugin if the status reports no plugin", () => {
  assert.equal(getRunningPlugin(keepNetwork({ spec: { networkType: "OpenShiftSDN" } })), "OpenShiftSDN");
  assert.equal(getRunningPlugin(keepNetwork({ spec: { networkType: "A" }, status: { networkType: "B" } })), "B");
});

test("finds Whereabouts wherever a configuration may name it", () => {
  const ipam = { type: "whereabouts" };
  const configs = [
    { type: "macvlan", ipam },
    { plugins: [{ type: "tuning" }, { type: "macvlan", ipam }] },
    { delegates: [{ plugins: [{ ipam }] }] },
  ];
  for (const config of configs) assert.equal(whereaboutsOf(JSON.stringify(config)), "yes");
});

test("doesn't find Whereabouts in the mere word or in an invalid configuration", () => {
  assert.equal(whereaboutsOf(JSON.stringify({ name: "whereabouts", ipam: { type: "static" } })), "no");
  assert.equal(whereaboutsOf(""), "no");
  assert.equal(whereaboutsOf("{whereabouts"), "unreadable");
});

function whereaboutsOf(config: string): string {
  return keepAttachment({ metadata: { namespace: "a", name: "b" }, spec: { config } }).whereabouts;
}

test("notices networks without Whereabouts, and dual-stack clusters, only for the releases that fail on them", () => {
  const attach = (config: string) => keepAttachment({ metadata: { namespace: "a", name: "b" }, spec: { config } });
  const no = attach("{}");
  const yes = attach('{"ipam":{"type":"whereabouts"}}');
  const odd = attach("{");
  const count = (target: string, ...networks: readonly ReturnType<typeof attach>[]): number =>
    buildAttachmentNotices(networks, version(target)).length;
  const targets = ["4.12.17", "4.12.18", "4.12.25", "4.12.26", "4.13.0", "4.13.4", "4.13.5"];
  assert.deepEqual(
    targets.map((target) => count(target, no)),
    [0, 1, 1, 0, 1, 1, 0],
  );
  assert.deepEqual([count("4.12.18"), count("4.12.18", no, yes), count("4.12.18", odd, no)], [0, 0, 0]);
  const single = services("172.30.0.0/16");
  const dual = services("172.30.0.0/16", "fd02::/112");
  const converted = (target: string) => buildConvertedNotices(dual, version(target)).length;
  assert.deepEqual(["4.12.0", "4.12.1", "4.12.4", "4.12.5"].map(converted), [0, 1, 1, 0]);
  assert.deepEqual(buildConvertedNotices(single, version("4.12.1")), []);
  const unknowns = (source: string, target: string) =>
    buildRangeUnknowns(services("odd"), buildContext(version(source), release(target), new Date(0))).length;
  assert.deepEqual([unknowns("4.12.1", "4.12.18"), unknowns("4.12.1", "4.12.21")], [1, 0]);
  assert.deepEqual(
    [unknowns("4.17.1", "4.18.1"), unknowns("4.18.0", "4.18.1"), unknowns("4.17.1", "4.18.9")],
    [1, 0, 0],
  );
});
