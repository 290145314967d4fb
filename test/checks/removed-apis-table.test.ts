import assert from "node:assert/strict";
import { test } from "node:test";
import check from "../../src/checks/removed-apis/check.ts";
import { isRelevantLine, keepMetrics } from "../../src/checks/removed-apis/api-usage.ts";
import { type ApiRemoval, findReplacement, REMOVALS, selectRemovals } from "../../src/model/api-removals.ts";
import { buildContext, type Context } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";
import type { Platform } from "../../src/model/version.ts";

function buildUpdate(source: number, target: number, platform: Platform = "kubernetes"): Context {
  const context = buildContext(version("1.30.0"), release("1.31.0"), new Date(0), platform);
  return { ...context, kubernetes: { source, target } };
}

function findRow(resource: string, apiVersion: string): ApiRemoval {
  const row = REMOVALS.find(({ api }) => api.resource === resource && api.version === apiVersion);
  return row ?? assert.fail(`${resource} ${apiVersion} is not removed`);
}

const TABLE: readonly (readonly [resource: string, version: string, removedIn: number, replacements: string])[] = [
  ["horizontalpodautoscalers", "v2beta1", 25, "v2 from 23"],
  ["cronjobs", "v1beta1", 25, "v1 from 21"],
  ["endpointslices", "v1beta1", 25, "v1 from 21"],
  ["events", "v1beta1", 25, "v1 from 19"],
  ["runtimeclasses", "v1beta1", 25, "v1 from 20"],
  ["poddisruptionbudgets", "v1beta1", 25, "v1 from 21"],
  ["podsecuritypolicies", "v1beta1", 25, ""],
  ["horizontalpodautoscalers", "v2beta2", 26, "v2 from 23"],
  ["flowschemas", "v1beta1", 26, "v1beta2 from 23, v1beta3 from 26, v1 from 29"],
  ["csistoragecapacities", "v1beta1", 27, "v1 from 24"],
  ["prioritylevelconfigurations", "v1beta2", 29, "v1beta3 from 26, v1 from 29"],
  ["flowschemas", "v1beta3", 32, "v1 from 29"],
  ["selfsubjectreviews", "v1beta1", 33, ""],
  ["validatingadmissionpolicies", "v1beta1", 34, "v1 from 30"],
  ["ipaddresses", "v1beta1", 37, "v1 from 33"],
  ["volumeattributesclasses", "v1beta1", 37, "v1 from 34"],
  ["deviceclasses", "v1beta1", 38, "v1beta2 from 33, v1 from 34"],
  ["leasecandidates", "v1beta1", 39, ""],
  ["resourceslices", "v1beta2", 39, "v1 from 34"],
];

test("names the newest version that each target serves in place of a removed one", () => {
  for (const [resource, apiVersion, removedIn, replacements] of TABLE) {
    const row = findRow(resource, apiVersion);
    const named = Array.from({ length: 30 }, (_, i) => findReplacement(row.api, buildUpdate(11, i + 12))?.version);
    const changes = named.flatMap((one, i) => (one === named[i - 1] ? [] : [`${one ?? "none"} from ${i + 12}`]));
    assert.equal(changes.join(", "), replacements, `${resource} ${apiVersion}`);
    const served = new Set([`${row.api.group}/${apiVersion}`]);
    const isSelected = (source: number, target: number): boolean =>
      selectRemovals(served, buildUpdate(source, target)).includes(row);
    const before = removedIn - 1;
    const at = removedIn;
    assert.deepEqual(
      [isSelected(before - 1, before), isSelected(before, at), isSelected(before - 1, at + 1), isSelected(at, at + 1)],
      [false, true, true, false],
      `${resource} ${apiVersion}`,
    );
    assert.ok(!selectRemovals(new Set(["v1"]), buildUpdate(before, at)).includes(row));
  }
});

test("prefers a replacement that the source serves too, and names none that the target removes", () => {
  const find = (resource: string, one: string, source: number, target: number): string | undefined =>
    findReplacement(findRow(resource, one).api, buildUpdate(source, target))?.version;
  assert.equal(find("flowschemas", "v1beta1", 25, 28), "v1beta2");
  assert.equal(find("flowschemas", "v1beta1", 23, 28), "v1beta2");
  assert.equal(find("flowschemas", "v1beta1", 23, 29), "v1");
  assert.equal(find("flowschemas", "v1beta1", 26, 29), "v1beta3");
  assert.equal(find("flowschemas", "v1beta1", 29, 31), "v1");
  assert.equal(find("flowschemas", "v1beta1", 28, 32), "v1");
  assert.equal(findReplacement({ group: "", version: "v1", resource: "pods" }, buildUpdate(25, 26)), undefined);
});

const REQUESTED =
  'apiserver_requested_deprecated_apis{group="g",removed_release="1.40",resource="r",version="v1beta1"} 1';

test("keeps the lines of metrics that it needs", () => {
  const request = (label: string): string => `apiserver_request_total{code="200",${label}} 1`;
  const table: readonly (readonly [line: string, isRelevant: boolean])[] = [
    [REQUESTED, true],
    [`# ${REQUESTED}`, false],
    ["# TYPE apiserver_request_total counter", true],
    ["# TYPE apiserver_request_total_sum counter", false],
    [request('version="v1beta1"'), true],
    [request('version="v2alpha10"'), true],
    [request('version="v10beta1"'), true],
    ['apiserver_request_total{version="v1beta1"} 1', true],
    [request('version="v1"'), false],
    [request('version="v1gamma1"'), false],
    [request('subversion="v1beta1"'), false],
    [request('version="v1beta1-x"'), false],
  ];
  for (const [line, isRelevant] of table) assert.equal(isRelevantLine(line), isRelevant, line);
});

test("takes a sample of metrics as it is, and tells one that it can't parse", () => {
  const cut = (from: string, to = ""): string => REQUESTED.replace(from, to);
  const known =
    'apiserver_requested_deprecated_apis{group="batch",removed_release="",resource="cronjobs",version="v1beta1"} 1';
  const table: readonly (readonly [line: string, kept: string])[] = [
    [REQUESTED, "g/v1beta1/r in 40"],
    [cut('group="g"', 'group=""'), "/v1beta1/r in 40"],
    [`${REQUESTED} 1700000000000`, "g/v1beta1/r in 40"],
    [cut("} 1", "} 0"), ""],
    [cut("} 1", "} 2"), "g/v1beta1/r in 40"],
    [known, "batch/v1beta1/cronjobs in 25"],
    [cut('removed_release="1.40"', 'removed_release=""'), ""],
    [cut('removed_release="1.40",'), ""],
    [cut("1.40", "4.40"), '"4.40", the release that removes g/v1beta1/r, is not a release'],
    [cut('group="g",'), `can't parse "${cut('group="g",')}"`],
    [cut('"r"', '""'), `can't parse "${cut('"r"', '""')}"`],
    [cut('"v1beta1"', '""'), `can't parse "${cut('"v1beta1"', '""')}"`],
    [cut("} 1", "} many"), `can't parse "${cut("} 1", "} many")}"`],
    [cut("} 1", "} 1 2 3"), `can't parse "${cut("} 1", "} 1 2 3")}"`],
  ];
  for (const [line, expected] of table) {
    const [usage, ...more] = keepMetrics(`# TYPE apiserver_request_total counter\n${line}`);
    assert.equal(more.length, 0);
    const isOdd = usage?.kind === "odd";
    const text = isOdd
      ? usage.message
      : usage && `${usage.api.group}/${usage.api.version}/${usage.api.resource} in ${usage.minor}`;
    assert.equal(text ?? "", expected, line);
  }
});

test("is unknown without counts only if the target removes an API that the cluster serves", () => {
  const none = new Set<string>();
  const served = new Set(["policy/v1beta1"]);
  const absent = { kind: "absent", what: "resource" } as const;
  const judge = (groups: ReadonlySet<string>, platform: Platform): readonly string[] => {
    const reads = { served: { kind: "found", value: groups }, counts: absent, metrics: absent } as const;
    return (check.evaluate(reads, buildUpdate(24, 25, platform), {}).unknowns ?? []).map(({ where }) => where);
  };
  assert.deepEqual(judge(none, "openshift"), []);
  assert.deepEqual(judge(served, "openshift"), ["apirequestcounts.apiserver.openshift.io"]);
  assert.deepEqual(judge(served, "kubernetes"), ["/metrics"]);
  const unserved = { served: absent, counts: absent, metrics: absent };
  assert.deepEqual(check.follow?.(unserved, buildUpdate(24, 25)), {});
  assert.deepEqual(
    check.evaluate(unserved, buildUpdate(24, 25), {}).unknowns?.map(({ where }) => where),
    ["/apis"],
  );
});
