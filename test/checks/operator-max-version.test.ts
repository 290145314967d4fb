import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCase } from "../../src/cases/case-files.ts";
import { getExpectedFindings } from "../../src/cases/expectation.ts";
import { applyMergePatch } from "../../src/cases/patch.ts";
import { buildPackageRead, buildPackageReads, findOffer } from "../../src/checks/operator-max-version/catalog.ts";
import check from "../../src/checks/operator-max-version/check.ts";
import { keepInstalledOperator } from "../../src/checks/operator-max-version/installed-operators.ts";
import {
  parseAuthoredProperties,
  parseProjectedProperties,
} from "../../src/checks/operator-max-version/last-release.ts";
import { keepSubscribed, type Subscribed } from "../../src/checks/shared/operator-subscription.ts";
import { buildContext } from "../../src/model/check.ts";
import { isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { getReadPath } from "../../src/model/read.ts";
import { withSpecial } from "../../src/model/special-check.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { release, version } from "../support/fixtures.ts";

const SUBSCRIPTIONS = "/apis/operators.coreos.com/v1alpha1/subscriptions";

function textOf(value: string): string {
  const last = parseProjectedProperties(`{"properties":[{"type":"olm.maxOpenShiftVersion","value":${value}}]}`);
  return last.kind === "release" ? last.text : last.kind;
}

/** Evaluates the check for one operator whose last release is `max`. */
function riskOf(max: string, from: string, to: string): string {
  const properties = JSON.stringify({ properties: [{ type: "olm.maxOpenShiftVersion", value: max }] });
  const operator = keepInstalledOperator({
    metadata: { namespace: "demo", name: "demo.v1", annotations: { "operatorframework.io/properties": properties } },
  });
  assert.ok(operator);
  const context = buildContext(version(from), release(to), new Date(0));
  const { findings = [] } = check.evaluate(
    { operators: { kind: "found", values: [operator] }, checked: { kind: "found", values: [] } },
    context,
    {},
  );
  return findings[0]?.risk.replace("OperatorIncompatibleWith", "") ?? "clear";
}

describe("an operator's last OpenShift release", () => {
  test("is parsed as OLM parses it", () => {
    const table = {
      '"4.21"': "4.21",
      '"\\"4.21\\""': "4.21",
      '" 4.21 "': "4.21",
      '"v4.21"': "4.21",
      '"4.21.0"': "4.21",
      '"4.21.00+build-1.a"': "4.21",
      '"4"': "4.0",
      "4.20": "4.20",
      "4.2": "4.2",
      " 5.0 ": "5.0",
    };
    for (const [value, expected] of Object.entries(table)) assert.equal(textOf(value), expected, value);
  });

  test("is invalid if OLM can't parse it", () => {
    for (const value of [
      '""',
      '"\\"\\""',
      '"4.21.3"',
      '"4.21.0-rc.1"',
      '"4.21.0.0"',
      '"latest"',
      "null",
      "[]",
      "{}",
      "true",
    ])
      assert.equal(textOf(value), "invalid", value);
    for (const annotation of ["", "{", "[]", "7", '{"properties":{}}', '{"properties":["a"]}'])
      assert.equal(parseProjectedProperties(annotation).kind, "invalid", annotation);
    for (const annotation of ["", "{}", "4.21"])
      assert.equal(parseAuthoredProperties(annotation).kind, "invalid", annotation);
  });

  test("is quoted up to 40 characters if it is invalid", () => {
    const quoted = (length: number): string => {
      const last = parseProjectedProperties(
        JSON.stringify({ properties: [{ type: "olm.maxOpenShiftVersion", value: "a".repeat(length) }] }),
      );
      return last.kind === "invalid" ? last.why : last.kind;
    };
    for (const length of [39, 40, 41])
      assert.equal(quoted(length), `"${"a".repeat(Math.min(length, 40))}" is not a release such as 4.21`);
  });

  test("is absent if nothing declares it", () => {
    for (const annotation of [
      "{}",
      '{"properties":[]}',
      '{"properties":null}',
      '{"properties":[{"type":"olm.gvk","value":1}]}',
    ])
      assert.equal(parseProjectedProperties(annotation).kind, "none", annotation);
    assert.equal(parseAuthoredProperties('[{"type":"olm.package"}]').kind, "none");
  });

  test("is compared with the target unless OLM itself blocks the update", () => {
    const table: readonly (readonly [string, string, string, string])[] = [
      ["4.20", "4.20.1", "4.21.1", "NextMinor"],
      ["4.21", "4.20.1", "4.21.1", "clear"],
      ["4.21", "4.20.1", "4.22.1", "Target"],
      ["4.20", "4.20.1", "4.22.1", "NextMinor"],
      ["4.19", "4.20.1", "4.22.1", "NextMinor"],
      ["4.22", "4.20.1", "4.22.1", "clear"],
      ["4.22", "4.22.1", "4.23.1", "NextMinor"],
      ["4.22", "4.22.1", "5.0.1", "NextMinor"],
      ["4.23", "4.22.1", "5.0.1", "clear"],
      ["5.0", "4.22.1", "4.23.1", "clear"],
      ["4.23", "4.22.1", "5.1.1", "Target"],
      ["5.0", "4.23.1", "5.1.1", "NextMinor"],
      ["5.1", "4.23.1", "5.1.1", "clear"],
      ["5.1", "5.0.1", "5.2.1", "Target"],
    ];
    for (const [max, from, to, expected] of table)
      assert.equal(riskOf(max, from, to), expected, `${max}, ${from} to ${to}`);
  });
});

test("operators whose checks did not run are named", () => {
  const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
  const list = (values: readonly string[], runsOperatorChecks?: boolean): readonly string[] | undefined =>
    check.evaluate(
      { operators: { kind: "found", values: [] }, checked: { kind: "found", values } },
      withSpecial(context, { runsOperatorChecks }),
      {},
    ).notices;
  const notice =
    "Checks that installed operators bring did not run: a and b. To run them, add --checks-from payload,operators.";
  assert.deepEqual(list(["b", "a", "b"]), [notice]);
  assert.deepEqual(list(["b", "a", "b"], false), [notice]);
  assert.deepEqual([list(["a"], true), list([])], [[], []]);
});

describe("the operators that OLM installed", () => {
  const csv = (name: string, max?: string, more: JsonObject = {}): JsonObject => ({
    metadata: {
      namespace: "demo",
      name,
      annotations:
        max === undefined
          ? {}
          : { "olm.properties": JSON.stringify([{ type: "olm.maxOpenShiftVersion", value: max }]) },
    },
    spec: { version: "1.0.0" },
    ...more,
  });
  const subscription = {
    metadata: { namespace: "demo", name: "amber" },
    spec: { channel: "stable", source: "certified", installPlanApproval: "Manual" },
    status: { installedCSV: "amber.v1", currentCSV: "amber.v2" },
  };

  function listOperators(subscriptions: readonly JsonObject[] | undefined) {
    const objects = [
      csv("basalt.v1"),
      csv("amber.v1", "4.20"),
      csv("copper.v1", "4.22"),
      csv("dune.v1", "latest"),
      csv("ember.v1", "4.10", { status: { phase: "Replacing" } }),
    ];
    const values = objects.flatMap((one) => keepInstalledOperator(one) ?? []);
    const followed =
      subscriptions === undefined
        ? {}
        : {
            subscriptions: {
              kind: "found",
              values: subscriptions.flatMap((one) => keepSubscribed(one) ?? []),
            } as const,
          };
    const { special } = check.evaluate(
      { operators: { kind: "found", values }, checked: { kind: "found", values: [] } },
      buildContext(version("4.21.5"), release("4.22.1"), new Date(0)),
      followed,
    );
    return special?.operators;
  }

  test("are listed with what their Subscriptions say; one without a declaration is called neither compatible nor not", () => {
    const none = { version: "1.0.0", subscription: undefined, lastRelease: undefined, supportsTarget: undefined };
    assert.deepEqual(listOperators([subscription, { metadata: { namespace: "demo", name: "new" } }]), [
      {
        name: "amber",
        namespace: "demo",
        version: "1.0.0",
        subscription: { channel: "stable", source: "certified", approval: "Manual", next: "amber.v2" },
        lastRelease: "4.20",
        supportsTarget: false,
      },
      { ...none, name: "basalt.v1", namespace: "demo" },
      { ...none, name: "copper.v1", namespace: "demo", lastRelease: "4.22", supportsTarget: true },
      { ...none, name: "dune.v1", namespace: "demo" },
    ]);
  });

  test("are not listed if their Subscriptions can't be read: what waits for approval would not be counted", () => {
    assert.equal(listOperators(undefined), undefined);
  });
});

describe("the channel that a catalog offers", () => {
  type Version = string | { readonly version: string; readonly max: string };
  const subscription = (channel?: string): Subscribed => {
    const spec = { name: "amber", source: "demo", ...(channel === undefined ? {} : { channel }) };
    const kept = keepSubscribed({
      metadata: { namespace: "demo", name: "amber" },
      spec,
      status: { installedCSV: "a" },
    });
    assert.ok(kept);
    return kept;
  };
  /** By channel, the version that is its head, and what that declares. */
  const offerOf = (channels: Readonly<Record<string, Version>>, installed = "1.0.0", own?: string): string => {
    const list = Object.entries(channels).map(([name, head]): JsonObject => {
      const { version: text, max } = typeof head === "string" ? { version: head } : head;
      const properties = JSON.stringify([{ type: "olm.maxOpenShiftVersion", value: max ?? "" }]);
      const annotations: JsonObject = max === undefined ? {} : { "olm.properties": properties };
      return { name, currentCSVDesc: { version: text, annotations } };
    });
    const { keep } = buildPackageRead("demo", "amber");
    const value = keep({ status: { catalogSource: "demo", defaultChannel: "default", channels: list } });
    const context = buildContext(version("4.21.5"), release("4.22.1"), new Date(0));
    const offer = findOffer({ kind: "found", value }, installed, subscription(own), context);
    if (offer === undefined) return "unknown";
    return "channel" in offer ? `${offer.kind} ${offer.channel.name}` : offer.kind;
  };

  test("is the smallest step to a version that supports the target, and the default channel's of equal ones", () => {
    const max = (text: string, last: string): Version => ({ version: text, max: last });
    const table: readonly (readonly [Readonly<Record<string, Version>>, string])[] = [
      [{ c: "3.0.0", b: "2.0.0", a: "1.0.0" }, "other b"],
      [{ c: max("3.0.0", "4.22"), b: max("2.0.0", "4.21") }, "other c"],
      [{ c: max("3.0.0", "4.22"), b: max("2.0.0", "5.0") }, "other b"],
      [{ c: max("10.0.0", "4.22"), b: max("9.0.0", "4.23") }, "other b"],
      [{ a: "2.0.0", default: "2.0.0" }, "own default"],
      [{ b: "2.0.0", a: "2.0.0" }, "other a"],
      [{ candidate: "2.0.0-rc.1", stable: "3.0.0" }, "other stable"],
      [{ candidate: "2.0.0-rc.1" }, "other candidate"],
      [{ a: "4.22.0-202601010000", b: "4.23.0" }, "other a"],
      [{ a: "1.0.0", b: "0.9.0", c: max("2.0.0", "latest") }, "none"],
      [{ a: "1.0.0-1" }, "none"],
      [{}, "none"],
      [{ b: "2.0.0", c: "two" }, "unknown"],
      [{ "": "2.0.0" }, "unknown"],
    ];
    for (const [channels, expected] of table) assert.equal(offerOf(channels), expected, JSON.stringify(channels));
    assert.equal(offerOf({ a: "2.0.0", default: "2.0.0" }, "1.0.0", "none"), "other default");
  });

  test("is not the Subscription's own, whose version OLM has not offered", () => {
    assert.equal(offerOf({ a: "2.0.0", b: "3.0.0" }, "1.0.0", "b"), "own b");
    assert.equal(offerOf({ a: "2.0.0", b: "3.0.0" }, "1.0.0", "gone"), "other a");
    assert.equal(offerOf({ a: "2.0.0", b: { version: "3.0.0", max: "4.21" } }, "1.0.0", "b"), "other a");
  });

  test("is unknown if the installed version is", () => {
    assert.deepEqual([offerOf({ a: "2.0.0" }, ""), offerOf({ a: "2.0.0" }, "v1")], ["unknown", "unknown"]);
  });
});

test("the packages of the first 20 operators are read, each once", () => {
  const operators = Array.from({ length: 30 }, (_, i) => {
    const name = `p-${String(29 - i).padStart(2, "0")}`;
    const labels = { [`operators.coreos.com/${name}.demo`]: "", "operators.coreos.com/other.example": "" };
    return keepInstalledOperator({ metadata: { namespace: "demo", name: `${name}.v1`, labels } });
  }).filter((one) => one !== undefined);
  const unlabelled = keepInstalledOperator({ metadata: { namespace: "demo", name: "a.v1" } });
  assert.ok(unlabelled);
  const reads = Object.values(buildPackageReads([...operators, ...operators, unlabelled]));
  const path = "/apis/packages.operators.coreos.com/v1/namespaces/demo/packagemanifests/p-";
  const expected = Array.from({ length: 20 }, (_, i) => `${path}${String(i).padStart(2, "0")}`);
  assert.deepEqual(reads.map(getReadPath), expected);
});

test("a command that changes the channel names a Subscription of the cluster, and another channel of its catalog", () => {
  const cases = caseFiles(check).map(readCase);
  const commands = cases.flatMap((one) =>
    getExpectedFindings(one).flatMap(({ fix = [] }) => fix.map((command) => ({ one, command }))),
  );
  const whole = commands.filter(({ command }) => command.includes("channel") && !command.includes("<"));
  assert.ok(whole.length > 1);
  for (const { one, command } of whole) {
    const [, namespace, name, patch = ""] =
      /^oc -n (\S+) patch subscription\.operators\.coreos\.com\/(\S+) --type=merge -p '(.+)'$/.exec(command) ?? [];
    const subscription = listAt(one.cluster[SUBSCRIPTIONS], "items").find(
      (object) => textAt(object, "metadata", "namespace") === namespace && textAt(object, "metadata", "name") === name,
    );
    assert.ok(isObject(subscription), command);
    const patched = applyMergePatch(subscription, parseObject(patch) ?? {});
    const manifest = `/apis/packages.operators.coreos.com/v1/namespaces/${namespace}/packagemanifests/${textAt(patched, "spec", "name")}`;
    const channels = listAt(one.cluster[manifest], "status", "channels").map((channel) => textAt(channel, "name"));
    const channel = textAt(patched, "spec", "channel");
    assert.ok(channels.includes(channel) && channel !== textAt(subscription, "spec", "channel"), command);
    assert.deepEqual(patched, { ...subscription, spec: { ...objectAt(subscription, "spec"), channel } });
  }
});
