import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildCertificateNotices,
  keepAuthorities,
  formatDegradation,
  formatDegradations,
} from "../../src/checks/machine-config-pools/pool.ts";
import { parseMaxUnavailable } from "../../src/checks/shared/node.ts";
import { isControlPlaneOnlyStep } from "../../src/checks/machine-config-pools/check.ts";
import type { Json } from "../../src/model/json.ts";
import { parseVersion } from "../../src/model/version.ts";

test("parses maxUnavailable as the machine-config operator does", () => {
  const values: readonly (readonly [Json | undefined, number])[] = [
    [undefined, 1],
    [null, 1],
    [0, 1],
    [1, 1],
    [7, 7],
    ["0%", 1],
    ["10%", 1],
    ["34%", 3],
    ["+50%", 5],
    ["100%", 10],
    ["200%", 20],
  ];
  for (const [value, nodes] of values)
    assert.deepEqual(parseMaxUnavailable(value, 10), { kind: "nodes", nodes }, JSON.stringify(value));
});

test("recognizes the values that prevent every node from being updated", () => {
  for (const value of [-1, 1.5, "-10%", "", "%", "5", "10 %", "all", true, [1], {}])
    assert.equal(parseMaxUnavailable(value, 10).kind, "unusable", JSON.stringify(value));
});

test("recognizes the later steps of a Control Plane Only update, across the change from 4 to 5", () => {
  const steps: readonly (readonly [string, string, boolean])[] = [
    ["4.18.5", "4.19.2", false],
    ["4.18.5", "4.20.2", false],
    ["4.19.5", "4.20.2", true],
    ["4.19.5", "4.21.2", false],
    ["4.21.5", "4.22.2", true],
    ["4.21.5", "5.0.2", false],
    ["4.22.5", "5.0.2", false],
    ["4.22.5", "4.23.2", false],
    ["4.23.5", "5.1.2", true],
    ["5.0.5", "5.1.2", true],
    ["5.0.5", "5.2.2", true],
    ["5.0.5", "5.3.2", false],
    ["5.1.5", "5.2.2", true],
    ["5.2.5", "5.3.2", false],
    ["5.3.5", "5.4.2", true],
  ];
  for (const [from, to, expected] of steps) {
    const source = parseVersion(from);
    const target = parseVersion(to);
    assert.ok(source && target);
    assert.equal(isControlPlaneOnlyStep({ source, target }), expected, `${from} to ${to}`);
  }
});

test("names the authorities of kubelets whose newest certificate ends within a day", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const build = (subject: string, notAfter: string, bundleFile = "KubeAPIServerServingCAData") => ({
    subject,
    notAfter,
    bundleFile,
  });
  const soon = "2026-03-02T11:59:59.999Z";
  const later = "2026-03-02T12:00:00Z";
  const operator = "openshift-kube-apiserver-operator";
  const table: readonly (readonly [certificates: readonly ReturnType<typeof build>[], names: string | undefined])[] = [
    [[build("CN=a", soon)], "a"],
    [[build("CN=a", later)], undefined],
    [[build("CN=a", "soon")], undefined],
    [[build("CN=a", soon, "Other")], undefined],
    [[build("O=x,CN=a", soon)], undefined],
    [[build("CN=a,O=x", soon), build(`CN=${operator}_b@1767225600`, soon)], "a and b"],
    [[build("CN=a", soon), build(`CN=${operator}_a@1767225600`, later)], undefined],
    [[build("CN=a_b_c", soon)], "b_c"],
    [[build("CN=_b", soon)], "b"],
  ];
  for (const [controllerCertificates, names] of table) {
    const [notice] = buildCertificateNotices(keepAuthorities({ status: { controllerCertificates } }), now);
    assert.equal(/ expire within a day: (.*?)\. /.exec(notice ?? "")?.[1], names);
  }
});

test("says of a degraded pool what its nodes report, the first of them by name", () => {
  const report = (node: string, text: string): string => `Node ${node} is reporting: "${text}"`;
  const drain = "failed to drain node : worker-c after 1 hour. Please see machine-config-controller logs";
  const table: readonly (readonly [message: string, text: string])[] = [
    ["It is odd. More.", 'The operator reports "It is odd"'],
    ["It is odd.More", 'The operator reports "It is odd.More"'],
    [" It is odd", 'The operator reports "It is odd"'],
    [report("a", "disk failed. Again."), 'Node a: "disk failed"'],
    [report("a", String.raw`unexpected \"x\"\non disk`), "Node a: \"unexpected 'x' on disk\""],
    [report("a", drain), "Node a: failed to drain after 1 hour"],
    [report("a", `it ${drain}`), `Node a: "it failed to drain node : worker-c after 1 hour"`],
    [`${report("b", "odd")}, ${report("a", "old")}`, '2 nodes are degraded, first a: "old"'],
    [`${report("b", drain)}, ${report("a", drain)}`, "2 nodes can't be drained, first a: failed to drain after 1 hour"],
    [`${report("b", "odd")}, ${report("a", drain)}`, "2 nodes are degraded, first a: failed to drain after 1 hour"],
  ];
  for (const [message, text] of table) assert.equal(formatDegradation(message), text);
  const find = (name: string, message?: string) => ({
    risk: "A",
    object: { apiVersion: "v1", kind: "MachineConfigPool", name },
    message: "",
    ...(message === undefined ? {} : { detail: { message } }),
  });
  assert.equal(formatDegradations([find("web", "odd"), find("api")]), 'The operator reports "odd"');
  assert.equal(
    formatDegradations([find("web", "odd"), find("api", "old")]),
    'web (The operator reports "odd"); api (The operator reports "old")',
  );
});
