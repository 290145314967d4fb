import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ApiUsage,
  type RequestingClient,
  isOwnUser,
  isReadOnly,
  mergeClients,
  parseClient,
  selectNamespaces,
  keepRequestCount,
} from "../../src/checks/removed-apis/api-usage.ts";
import { parseRemovalMinor, REMOVALS } from "../../src/model/api-removals.ts";
import { judgeUsages } from "../../src/checks/removed-apis/usage-verdict.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { ReleaseManifest } from "../../src/model/release.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";
import type { Platform } from "../../src/model/version.ts";

test("names a client by its user and program", () => {
  const table: readonly (readonly [user: JsonObject, text: string, namespace: string | undefined])[] = [
    [{ username: "a", userAgent: "helm/v3.17 (linux)" }, "a (helm)", undefined],
    [{ username: "a", userAgent: "my program" }, "a (my)", undefined],
    [{ username: "a" }, "a", undefined],
    [{ userAgent: "helm/v3" }, "a client without a name (helm)", undefined],
    [{ username: "" }, "a client without a name", undefined],
    [{ username: "system:serviceaccount:ci:deployer" }, "system:serviceaccount:ci:deployer", "ci"],
    [{ username: "my:system:serviceaccount:ci:deployer" }, "my:system:serviceaccount:ci:deployer", undefined],
    [{ username: "system:serviceaccount:ci" }, "system:serviceaccount:ci", undefined],
  ];
  for (const [user, text, namespace] of table) {
    const client = parseClient(user, undefined);
    assert.deepEqual([client.text, client.namespace, client.hours], [text, namespace, []]);
  }
  const byVerb: readonly JsonObject[] = [
    { verb: "list", requestCount: 1 },
    { verb: "watch" },
    { verb: "get", requestCount: 0 },
    {},
  ];
  assert.deepEqual(present(parseClient({ byVerb }, 7)), {
    text: "a client without a name",
    verbs: ["list", "watch"],
    hours: [7],
  });
});

test("joins what a client did in several hours, unless a part of it is not known", () => {
  const build = (text: string, verbs: readonly string[], ...hours: readonly number[]) => ({ text, verbs, hours });
  const merged = mergeClients([
    build("b", ["list"], 10),
    build("a", ["watch"], 9, 2),
    build("a", ["list", "watch"], 10, 9),
    build("c", ["list"]),
    build("c", []),
  ]);
  assert.deepEqual(merged, [build("a", ["list", "watch"], 2, 9, 10), build("b", ["list"], 10), build("c", [])]);
});

test("tells clients that only read, the platform's own and its operators", () => {
  const table: readonly (readonly [verbs: readonly string[], boolean])[] = [
    [[], false],
    [["get"], true],
    [["LIST", "get"], true],
    [["list", "watch"], false],
    [["lists"], false],
    [["forget"], false],
  ];
  for (const [verbs, expected] of table) assert.equal(isReadOnly(verbs), expected, verbs.join());
  for (const userAgent of ["cluster-policy-controller/v1", "cluster-version-operator/v1", "target-release-preflight/1"])
    assert.ok(isOwnUser({ userAgent }), userAgent);
  assert.ok(!isOwnUser({ userAgent: "my-cluster-policy-controller/v1" }));
  assert.ok(!isOwnUser({}));
  const build = (apiVersion: string, kind: string, name: string): ReleaseManifest => ({
    apiVersion,
    kind,
    name,
    file: "a.yaml",
    capabilities: [],
  });
  const manifests = [
    build("v1", "Namespace", "openshift-dns"),
    build("v1", "Namespace", "openshift-operators"),
    build("v2", "Namespace", "a"),
    build("v1", "Service", "b"),
  ];
  assert.deepEqual([...selectNamespaces({ manifests })], ["openshift-dns"]);
});

test("parses the release of a removal", () => {
  const table = {
    "1.32": 32,
    "1.0": 0,
    "1.320": 320,
    "1.3200": undefined,
    "1.": undefined,
    "2.32": undefined,
    "11.32": undefined,
    "1.32.1": undefined,
  };
  for (const [text, minor] of Object.entries(table)) assert.equal(parseRemovalMinor(text), minor, text);
  assert.equal(parseRemovalMinor(1.32), undefined);
});

const FLOWS = { group: "flowcontrol.apiserver.k8s.io", version: "v1beta3", resource: "flowschemas" };

function judge(usage: Partial<Extract<ApiUsage, { kind: "usage" }>>, now: string, platform: Platform = "openshift") {
  const [source, target] = platform === "openshift" ? ["4.18.5", "4.19.2"] : ["1.31.5", "1.32.2"];
  const context = buildContext(version(source), release(target), new Date(now), platform);
  const base = {
    kind: "usage",
    api: FLOWS,
    minor: 32,
    hasUnnamedClients: false,
    unnamedVerbs: [],
    clients: [],
  } as const;
  return judgeUsages([{ ...base, ...usage }], [], context);
}

const client = (text: string, verbs: readonly string[], ...hours: readonly number[]): RequestingClient => ({
  text,
  verbs,
  hours,
});

test("says who needs a removed API, what they do and when they last did", () => {
  const table: readonly (readonly [hours: readonly number[], now: string, lastSeen: string | undefined])[] = [
    [[], "10:30", undefined],
    [[9], "10:30", "09:00 to 10:00 UTC"],
    [[9, 10, 11], "10:30", "10:00 to 11:00 UTC"],
    [[11, 12], "10:30", "12:00 to 13:00 UTC"],
    [[23], "00:10", "23:00 to 00:00 UTC"],
    [[1, 23], "00:10", "23:00 to 00:00 UTC"],
  ];
  for (const [hours, now, lastSeen] of table) {
    const { findings = [] } = judge({ clients: [client("a", ["watch"], ...hours)] }, `2026-03-01T${now}:00Z`);
    assert.equal(findings[0]?.detail?.["lastSeen"], lastSeen);
  }
  const clients = [client("a", ["watch", "list"]), client("b", ["list"]), client("c", [])];
  const [finding] =
    judge({ clients, hasUnnamedClients: true, unnamedVerbs: ["patch"] }, "2026-03-01T10:00:00Z").findings ?? [];
  assert.match(
    finding?.message ?? "",
    /^Kubernetes 1\.32 and later don't serve it, and a and c requested it \(list, patch, watch\) /,
  );
  assert.match(finding?.message ?? "", / flowcontrol\.apiserver\.k8s\.io\/v1 replaces it\.$/);
  assert.equal(finding?.object.name, "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io");
  const [unnamed] = judge({ hasUnnamedClients: true }, "2026-03-01T10:00:00Z", "kubernetes").findings ?? [];
  assert.match(unnamed?.message ?? "", /serve it, and clients requested it [^(]/);
  assert.equal(unnamed?.object.name, "flowcontrol.apiserver.k8s.io/v1beta3/flowschemas");
});

test("only notices an API that is read, or that nobody requested", () => {
  const read = /requested it .*, but only with get and list, as programs do /;
  const unused = /^\S+ \(Kubernetes 1\.32\) no longer serves \S+\. No client other than OpenShift's own requested it /;
  const table: readonly (readonly [usage: Parameters<typeof judge>[0], notice: RegExp])[] = [
    [{ clients: [client("a", ["list"]), client("b", ["GET"])] }, read],
    [{ hasUnnamedClients: true, unnamedVerbs: ["LIST", "GET"] }, read],
    [{}, unused],
  ];
  for (const [usage, notice] of table) {
    const { findings, notices = [] } = judge(usage, "2026-03-01T10:00:00Z");
    assert.deepEqual(findings, []);
    assert.match(notices.join(), notice);
    assert.equal(notices.length, 1);
  }
  assert.deepEqual(judge({ minor: 33 }, "2026-03-01T10:00:00Z").notices, []);
  const uncounted = REMOVALS.filter(({ api }) => api.version === "v1beta3");
  const context = buildContext(version("1.31.5"), release("1.32.2"), new Date(0), "kubernetes");
  const notice = judgeUsages([], uncounted, context).notices?.join() ?? "";
  assert.match(
    notice,
    /flowschemas and \S+\. No client requested them .*; each API server counts only its own requests/,
  );
  const odd = { kind: "odd", where: "/metrics", message: "odd" } as const;
  const judged = judgeUsages([odd], uncounted, context);
  assert.deepEqual([judged.notices, judged.unknowns?.map(({ message }) => message)], [[], ["odd"]]);
});

test("takes the requests that no named user made for those of clients without a name", () => {
  const user = (requestCount: number, username = "a") => ({ username, requestCount });
  const keep = (requestCount: number, ...byUser: readonly JsonObject[]) => {
    const currentHour = { requestCount, byNode: [{ byUser }] };
    const name = "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io";
    const kept = keepRequestCount({ metadata: { name }, status: { removedInRelease: "1.32", currentHour } });
    return kept?.kind === "usage" && [kept.hasUnnamedClients, kept.clients.map(({ text }) => text).join()];
  };
  assert.deepEqual(keep(1), [true, ""]);
  assert.deepEqual(keep(2, user(1)), [true, "a"]);
  assert.deepEqual(keep(2, user(1), user(1, "b")), [false, "a,b"]);
  assert.deepEqual(keep(0, user(0)), [false, ""]);
  assert.deepEqual(keep(3, user(3, "system:apiserver")), [false, ""]);
});
