import assert from "node:assert/strict";
import { test } from "node:test";
import { type StatusInput, formatStatus } from "../../src/cli/status/status.ts";
import { buildHistoryEntry, buildHistoryConfigMap, addHistoryEntry } from "../../src/lift/objects/preflight-history.ts";
import { buildResultConfigMap } from "../../src/lift/preflight-result.ts";
import { buildRequestEdit } from "../../src/lift/objects/preflight-request.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { ALL_FIELDS, clusterVersion, buildSampleDocument, liftSample, NOW, risk, withStatus } from "../lift/sample.ts";
import { runPreflight } from "../support/preflight.ts";

const WRONG_USES: readonly (readonly [string, RegExp])[] = [
  ["request", /either --to or --to-image must say what to check/],
  ["request --to 5.1.2 --to-image x", /--to and --to-image exclude each other/],
  ["request --to five", /"five" is no version such as 5\.2\.0/],
  ["request --to 5.1.2 --until then", /--until: "then" is no time/],
  ["request --to 5.1.2 --not-before 2026-01-02T00:00:00Z --until 2026-01-01T00:00:00Z", /--until: must be after/],
  ["request --to 5.1.2 --until 2020-01-01T00:00:00Z", /--until is in the past/],
  ["accept", /Name the risks to accept/],
  ["accept A,,B", /"" is no name of a risk/],
  ["accept A,B\tC", /"B\tC" is no name of a risk/],
  ["accept A,A-", /A is both accepted and taken back/],
  ["accept --clear --replace", /exclude each other/],
  ["accept --clear A", /--clear takes no risks/],
  ["accept --replace A-", /--replace takes nothing back/],
  ["controller", /--image is required/],
  ["controller --image x --lease-duration 1s", /--lease-duration must be 3s or longer/],
  ["controller --image x --poll 0", /--poll must be longer than 0/],
  ["controller --image x --runner-interval 0", /--runner-interval must be longer than 0/],
  ["controller --image x --runner-listen 9098", /--runner-listen "9098" is not an address/],
  ["controller --image x --runner-listen :0", /--runner-listen must name a port other than 0/],
  ["cancel now", /Unknown argument: now/],
];

for (const [words, expected] of WRONG_USES) {
  test(`'${words}' is a wrong use, and no cluster is asked`, async () => {
    const { code, out, err } = await runPreflight([...words.split(" "), "--kubeconfig", "/nonexistent"]);
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, expected);
    assert.equal(err.trim().split("\n").length, 1);
  });
}

const DOCUMENT = buildSampleDocument([risk("A"), risk("B")]);
const DEPLOYMENT: JsonObject = { metadata: { creationTimestamp: "2026-03-01T11:00:00Z" } };
const BASE_INPUT = { controllerPresence: "yes", now: NOW } as const;
const CREATED_REQUEST = buildRequestEdit(undefined, { target: { kind: "version", version: "5.2.0" } });

function formatScenario(accepted: readonly string[], change: Partial<StatusInput> = {}, document = DOCUMENT): string {
  const before = clusterVersion({ accepted });
  const result = liftSample({ clusterVersion: before, document });
  const entry = buildHistoryEntry(document, accepted) ?? assert.fail();
  return formatStatus({
    ...BASE_INPUT,
    clusterVersion: withStatus(before, result),
    ...(CREATED_REQUEST.kind === "create" ? { request: CREATED_REQUEST.object } : {}),
    result: buildResultConfigMap(result, document),
    history: buildHistoryConfigMap(addHistoryEntry([], entry)),
    deployment: DEPLOYMENT,
    ...change,
  });
}

test("status tells of a preflight: what runs, what was found, what is accepted, what was found before", () => {
  const text = formatScenario(["A"]);
  assert.match(
    text,
    /^A preflight from 5\.0\.3 to 5\.2\.0 is requested\.\nIts runner is deployed since 2026-03-01T11:00:00Z\.\nIts last document is of 2026-03-01T11:55:00Z: completed, and valid until 2026-03-01T12:10:00Z\.\n/,
  );
  assert.match(
    text,
    /^PreflightRunning=True:\n\n {2}Reason: Checking\n {2}Since: \S+\n {2}Message: 5\.0\.3 -> 5\.2\.0: /m,
  );
  assert.match(text, /^ {2}NAME {3}APPLIES {3}ACCEPTED {3}SINCE {18}SOURCE\n {2}A {6}True {6}yes /m);
  assert.match(text, /^ {2}B {6}True {6}no {9}2026-02-01T00:00:00Z {3}preflight$/m);
  assert.match(
    text,
    /^Not accepted: B\nDo what the messages say, or accept what you can live with: preflight accept B$/m,
  );
  assert.match(text, /^ {2}2026-03-01T11:55:00Z {3}5\.0\.3 {3}5\.2\.0 {3}yes {8}A \(accepted\), B$/m);
  assert.match(formatScenario(["A", "B"]), /^All risks that apply are accepted\.$/m);
});

test("status tells that there is nothing, and what is wrong with a request", () => {
  assert.equal(
    formatStatus({ ...BASE_INPUT, clusterVersion: clusterVersion() }),
    "No preflight is requested. The cluster runs 5.0.3.\n",
  );
  const wrong = formatStatus({ ...BASE_INPUT, clusterVersion: clusterVersion(), request: { data: { to: "five" } } });
  assert.match(wrong, /^The ConfigMap preflight-request can't be served: to: "five" is no version such as 5\.2\.0\.$/m);
});

const AFTER_VALIDITY = new Date("2026-03-01T12:10:01Z");
const CLEAR_DOCUMENT = buildSampleDocument([]);

test("status tells a clear result as clear for as long as it is one", () => {
  assert.match(formatScenario([], {}, CLEAR_DOCUMENT), /^No risk is known of the update from 5\.0\.3 to 5\.2\.0\.$/m);
  const before =
    /^No risk of the update from 5\.0\.3 to 5\.2\.0 was found at 2026-03-01T11:55:00Z\. Whether there is one now is not known\.$/m;
  for (const change of [
    { now: AFTER_VALIDITY },
    { controllerPresence: "no" },
    { clusterVersion: clusterVersion({ source: "5.0.4" }) },
    {
      result: {
        data: { ...objectAt(buildResultConfigMap(liftSample({ document: CLEAR_DOCUMENT }), undefined), "data") },
      },
    },
  ] as const)
    assert.match(formatScenario([], change, CLEAR_DOCUMENT), before, Object.keys(change).join());
  assert.match(
    formatScenario([], { now: AFTER_VALIDITY }, CLEAR_DOCUMENT),
    /: completed, but valid until 2026-03-01T12:10:00Z only\.$/m,
  );
  assert.match(
    formatScenario([], {}, buildSampleDocument([], { complete: false })),
    /but not every check could look at all that it needs/,
  );
  assert.match(
    formatScenario([], { now: AFTER_VALIDITY }),
    /^Risks of the update from 5\.0\.3 to 5\.2\.0 at 2026-03-01T11:55:00Z:$/m,
  );
});

test("status tells that nobody serves a request, or takes a runner away", () => {
  const unserved = formatScenario([], { controllerPresence: "no" });
  assert.match(unserved, /^No preflight controller runs in this cluster, so nobody serves the request/m);
  const base = { ...BASE_INPUT, clusterVersion: clusterVersion(), deployment: DEPLOYMENT };
  assert.match(formatStatus(base), /^The Deployment of a runner is still there: it is being taken away/m);
  const alone = formatStatus({ ...base, controllerPresence: "no" });
  assert.match(alone, /oc -n openshift-cluster-version delete deployment cluster-version-operator-preflight$/m);
});

test("status proposes to accept nothing where the API has no field for it", () => {
  const before = clusterVersion();
  const result = liftSample({
    clusterVersion: before,
    document: DOCUMENT,
    fields: { ...ALL_FIELDS, acceptRisks: false },
  });
  const text = formatScenario([], {
    clusterVersion: withStatus(before, result),
    result: buildResultConfigMap(result, DOCUMENT),
  });
  assert.match(text, /^Do what the messages say: in this cluster's feature set no risk can be accepted\.$/m);
  assert.doesNotMatch(text, /preflight accept/);
});
