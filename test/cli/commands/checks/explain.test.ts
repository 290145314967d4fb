import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { buildOpenShiftDefaults } from "../../../../src/cases/cluster.ts";
import { isObject } from "../../../../src/model/json.ts";
import { startFakeCluster } from "../../../support/cli/fake-cluster.ts";
import { createRecordedApi } from "../../../../verify/api-server/recorded-api.ts";
import { type CommandResult, runWords } from "../../../support/cli/run-words.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const check = join(folder, "check");
before(async () => void (await runWords("checks", "new", "widget-drivers", check)));

function explain(...words: readonly string[]): Promise<CommandResult> {
  return runWords("checks", "explain", check, ...words);
}

function ofCase(name: string, ...more: readonly string[]): Promise<CommandResult> {
  return explain("--case", join(check, "cases", `${name}.yaml`), ...more);
}

const DEFINITION = [
  "widget-drivers: No widget uses the legacy driver",
  "",
  "Updates:    patch updates, updates to later minors",
  "Platforms:  OpenShift, Kubernetes",
  "",
  "Reads, and the fields of each object that are kept:",
  "  widgets: list example.com/v1/widgets",
  '    where object.?spec.?driver.orValue("") != ""',
  "    keeps spec.driver",
  "",
  "Rights:",
  "  list widgets.example.com",
  "",
];

test("without a cluster, shows what a check reads, keeps and needs", async () => {
  const { code, out, err } = await explain();
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(out.split("\n"), DEFINITION);
});

test("with a case, shows each rule for each object with the values of its parts", async () => {
  const { code, out } = await ofCase("risk-legacy-driver");
  assert.equal(code, 0);
  assert.deepEqual(out.split("\n").slice(DEFINITION.length), [
    "Update from 4.20.3 to 4.21.0: risk",
    "  /apis/example.com/v1/widgets: 2 objects",
    "",
    "Rules:",
    "  spec.risks[0].findings[0] (WidgetDriversFault): true for 1 of 2",
    "    Widget shop/orders: true",
    '      object.spec.driver == "legacy" = true',
    '        object.spec.driver = "legacy"',
    "    Widget shop/stock: false",
    '      object.spec.driver == "legacy" = false',
    '        object.spec.driver = "block"',
    "  spec.unknowns[0]: true for 0 of 2",
    "    Widget shop/orders: false",
    '      !(object.spec.driver in ["block", "legacy"]) = false',
    '        (object.spec.driver in ["block", "legacy"]) = true',
    '          object.spec.driver = "legacy"',
    "    Widget shop/stock: false",
    '      !(object.spec.driver in ["block", "legacy"]) = false',
    '        (object.spec.driver in ["block", "legacy"]) = true',
    '          object.spec.driver = "block"',
    "",
    "Cost: 20 units of 25000000",
    "",
  ]);
});

for (const object of ["stock", "shop/stock", "widget Shop/stock"])
  test(`--object '${object}' shows that object alone`, async () => {
    const { out } = await ofCase("risk-legacy-driver", "--object", object);
    assert.match(out, /findings\[0\] \(WidgetDriversFault\): true for 0 of 1\n {4}Widget shop\/stock: false\n/);
    assert.doesNotMatch(out, /orders/);
  });

test("an object that its list does not keep is shown with the reason", async () => {
  const { out } = await ofCase("clear-other-drivers", "--object", "shop/orders");
  const reads = out.slice(out.indexOf("\nReads:\n"), out.indexOf("\nRules:"));
  assert.deepEqual(reads.trim().split("\n"), [
    "Reads:",
    "  widgets: Widget shop/orders is not kept",
    '    object.?spec.?driver.orValue("") != "" = false',
    '      object.?spec.?driver.orValue("") = ""',
  ]);
  const absent = await ofCase("clear-other-drivers", "--object", "shop/order");
  assert.match(absent.out, /^No list that was read has an object shop\/order\.$/m);
});

test("a read that failed is where a rule has no value", async () => {
  const { out } = await ofCase("unknown-forbidden");
  assert.match(out, /to 4\.21\.0: unknown\n {2}widgets\.example\.com: 403 forbidden\n/);
  assert.match(out, /findings\[0\] \(WidgetDriversFault\): no value: a read failed\n/);
});

test("a check that does not apply says why", async () => {
  const { out } = await ofCase("not-applicable-no-widgets");
  assert.match(out, /to 4\.21\.0: not applicable: The API server does not serve widgets\.example\.com\.\n/);
});

const WHEN = '["old"].exists(d, d == object.spec.driver) || object.spec.size > drivers.size()';

test("variables, macros, values that are absent and lists have values too", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  const text = readFileSync(join(check, "check.yaml"), "utf8")
    .replace(
      "  risks:\n",
      "  variables:\n    - {name: drivers, expression: 'widgets.items.map(w, w.spec.driver)'}\n  risks:\n",
    )
    .replace('when: object.spec.driver == "legacy"', () => `when: '${WHEN}'`);
  writeFileSync(join(other, "check.yaml"), text);
  const file = join(check, "cases", "risk-legacy-driver.yaml");
  const { out } = await runWords("checks", "explain", other, "--case", file, "--object", "orders");
  assert.match(out, /^Variables:\n {2}drivers = \["legacy", "block"\]\n/m);
  const rule = out.slice(out.indexOf("    Widget shop/orders"), out.indexOf("  spec.unknowns"));
  assert.deepEqual(rule.trimEnd().split("\n"), [
    "    Widget shop/orders: no value: no such key: size",
    '      ["old"].exists(d, d == object.spec.driver) || object.spec.size > drivers.size() = no value: no such key: size',
    '        ["old"].exists(d, d == object.spec.driver) = false',
    "        object.spec.size > drivers.size() = no value: no such key: size",
    "          object.spec.size = no value: no such key: size",
    "          drivers.size() = 2",
    '            drivers = ["legacy", "block"]',
  ]);
});

test("a rule about no object has one value, and lists of objects are their names", async () => {
  const other = join(folder, "whole");
  mkdirSync(other);
  const text = readFileSync(join(check, "check.yaml"), "utf8").replace(
    "  unknowns:\n",
    "  notices:\n    - {when: 'widgets.items.filter(w, true).size() > 1', message: There are widgets.}\n  unknowns:\n",
  );
  writeFileSync(join(other, "check.yaml"), text);
  const file = join(check, "cases", "risk-legacy-driver.yaml");
  const { out } = await runWords("checks", "explain", other, "--case", file);
  const rule = out.slice(out.indexOf("  spec.notices"), out.indexOf("  spec.unknowns"));
  assert.deepEqual(rule.trimEnd().split("\n"), [
    "  spec.notices[0]: true",
    "    widgets.items.filter(w, true).size() > 1 = true",
    "      widgets.items.filter(w, true).size() = 2",
    "        widgets.items.filter(w, true) = [Widget shop/orders, Widget shop/stock]",
  ]);
});

test("with a recorded cluster, checks the update to the next minor, or the one that is named", async () => {
  const recorded = join(folder, "recorded");
  mkdirSync(recorded);
  const entries = { ...buildOpenShiftDefaults("4.20.3"), "/apis/example.com/v1/widgets": { items: [] } };
  writeFileSync(join(recorded, "cluster.json"), JSON.stringify(entries));
  assert.match((await explain("--recorded", recorded)).out, /^Update from 4\.20\.3 to 4\.21\.0: clear$/m);
  const named = await explain("--recorded", recorded, "--target-version", "4.19.1");
  assert.match(named.out, /^Update from 4\.20\.3 to 4\.19\.1: not applicable: /m);
  const both = await explain("--recorded", recorded, "--case", "x.yaml");
  assert.deepEqual([both.code, both.err], [2, "preflight: --case is an alternative to a cluster: give one of them\n"]);
});

test("a check with an error is not explained", async () => {
  const broken = join(folder, "broken.yaml");
  writeFileSync(broken, readFileSync(join(check, "check.yaml"), "utf8").replace("widgets.items", "gadgets.items"));
  const { code, out, err } = await runWords("checks", "explain", broken);
  assert.deepEqual([code, out], [3, ""]);
  assert.match(err, /broken\.yaml:\d+:\d+: /);
});

test("with a kubeconfig, reads the cluster, which --object alone does with the current one", async (t) => {
  const entries = {
    ...buildOpenShiftDefaults("4.20.3"),
    "/apis/example.com/v1/widgets": {
      apiVersion: "example.com/v1",
      kind: "WidgetList",
      metadata: {},
      items: [{ metadata: { namespace: "shop", name: "a", uid: "1" }, spec: { driver: "legacy" } }],
    },
  };
  const answer = createRecordedApi(entries);
  const kubeconfig = await startFakeCluster(t, (path) => {
    const { code, body } = answer(path);
    return isObject(body) ? { code, body } : undefined;
  });
  const { code, out, err } = await explain("--kubeconfig", kubeconfig);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^Update from 4\.20\.3 to 4\.21\.0: risk\n {2}\/apis\/example\.com\/v1\/widgets: 1 object$/m);
  assert.match(out, /^ {4}Widget shop\/a: true\n {6}object\.spec\.driver == "legacy" = true$/m);
  const none = await explain("--object", "shop/a");
  assert.equal(none.code, 1, none.out);
  assert.match(none.err, /^preflight: /);
});
