import assert from "node:assert/strict";
import { test } from "node:test";
import { type FinderOptions, createCheckFinder } from "../../../src/cli/checks/check-selection.ts";
import { parseTrustedNamespaces } from "../../../src/cli/checks/trusted-namespaces.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../../src/cluster/recorded/recording.ts";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import { type Check, buildContext, getUnknownRiskName } from "../../../src/model/check.ts";
import { type JsonObject, type Json } from "../../../src/model/json.ts";
import type { Read } from "../../../src/model/read.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { buildSelectionPath, parseResource } from "../../../src/model/resource.ts";
import { buildPlainFacts } from "../../../src/runner/facts/cluster-facts.ts";
import { matchesSelector, parseLabelSelector } from "../../../src/model/object.ts";
import { writeCheck } from "../../support/data-checks/judge-check.ts";
import { type FakeReader, type FakeResponse, fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { release, version } from "../../support/fixtures.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const RULES = `risks:
- name: CartStale
  effect: broken
  title: Carts are stale
  url: https://example.com/carts
  message: \${objects} can't be read after the update.
  remediation: Migrate them.
  findings: [{forEach: carts.items, message: It is stale.}]`;
const CHECK = writeCheck(`reads: {carts: {list: shop.example.com/v1/carts}}\n${RULES}`).replace("sample", "carts");
const LABEL = "preflight.openshift.io/checks";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function getPath(namespace: string, selector?: string): string {
  const labelSelector = selector === undefined ? LABEL : `${LABEL},${selector}`;
  return buildSelectionPath(parseResource("v1/configmaps"), { namespace, labelSelector });
}

function buildConfigMap(name: string, data: Json, format = "v1alpha1"): JsonObject {
  const metadata = { namespace: "shop", name, labels: { [LABEL]: format } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

function buildCrd(name: string, annotations: JsonObject): JsonObject {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name, annotations } };
}

const OWN = buildCrd("carts.shop.example.com", { "preflight.openshift.io/checks-namespace": "shop" });
const SHOP = { [getPath("shop")]: [buildConfigMap("carts", { "carts.yaml": CHECK })], [CRDS]: [OWN] };

type Found = { readonly checks: readonly Check[]; readonly paths: readonly string[] };

async function find(
  reader: Reader,
  from = ["configmaps=shop"],
  grants: FinderOptions["grants"] = new Map(),
): Promise<readonly Check[]> {
  const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
  const facts = buildPlainFacts(version("4.20.1"), "");
  const namespaces = parseTrustedNamespaces(from);
  const update = { context, facts, given: [], reader, signal: new AbortController().signal };
  return createCheckFinder({ from, namespaces, grants }).find(update);
}

async function findIn(
  answers: Readonly<Record<string, FakeResponse>>,
  ...more: readonly [from?: string[], grants?: FinderOptions["grants"]]
): Promise<Found> {
  const reader: FakeReader = fakeReader(answers);
  return { checks: await find(reader, ...more), paths: reader.paths };
}

function listKinds(check: Check | undefined): readonly string[] {
  const reads: readonly Read[] = Object.values({ ...check?.reads(), ...check?.mayRead?.() });
  return reads.flatMap((read) => ("resource" in read ? [read.resource.resource] : []));
}

function listUnknowns(check: Check | undefined): readonly string[] {
  const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
  const { unknowns = [] } = check?.evaluate({}, context, {}) ?? {};
  return unknowns.map(({ reason, where }) => `${reason} ${where}`);
}

test("a check of a namespace has its names and its origin, and reads what its CRDs say", async () => {
  const { checks, paths } = await findIn(SHOP);
  const [check] = checks;
  assert.deepEqual(
    [checks.length, check?.id, check?.risks.map(({ name }) => name), check && getUnknownRiskName(check)],
    [1, "ns-shop-carts", ["NsShopCartStale"], "NsShopCartsUnknown"],
  );
  const { digest: _digest, ...origin } = { digest: "", ...check?.origin };
  assert.deepEqual(origin, { kind: "namespace", namespace: "shop", file: "ConfigMap shop/carts carts.yaml" });
  assert.deepEqual(listKinds(check), ["carts"]);
  assert.deepEqual(paths, [getPath("shop"), CRDS]);
});

test("a namespace without ConfigMaps is told, one that does not exist is unknown, and no namespace takes no request", async () => {
  const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
  const own = "/api/v1/namespaces/shop";
  const { checks, paths } = await findIn({ [getPath("shop")]: [], [own]: { kind: "Namespace" } });
  assert.deepEqual(
    [paths, checks.map((check) => [check.id, check.evaluate({}, context, {})])],
    [
      [getPath("shop"), own],
      [["ns-shop-checks", { notApplicable: `No ConfigMap of namespace shop has the labels ${LABEL}.` }]],
    ],
  );
  const missing = await findIn({ [getPath("shop")]: [] });
  assert.deepEqual(missing.checks.map(listUnknowns), [["NotFound namespace shop"]]);
  assert.deepEqual(await findIn(SHOP, ["payload"]), { checks: [], paths: [] });
});

test("labels of the administrator's are asked for, too", async () => {
  const { checks, paths } = await findIn({ [getPath("shop", "app=carts")]: SHOP[getPath("shop")] ?? [] }, [
    "configmaps=shop/app=carts",
  ]);
  assert.deepEqual(paths[0], getPath("shop", "app=carts"));
  assert.equal(checks[0]?.origin?.kind === "namespace" && checks[0].origin.selector, "app=carts");
});

const HELM = { "meta.helm.sh/release-namespace": "shop" };
const CASES: readonly (readonly [what: string, crds: readonly JsonObject[], kinds: readonly string[]])[] = [
  ["that Helm installed there", [buildCrd("carts.shop.example.com", HELM)], ["carts"]],
  ["of another namespace", [buildCrd("carts.shop.example.com", { ...HELM, [`${LABEL}-namespace`]: "web" })], []],
  ["of nobody", [buildCrd("carts.shop.example.com", {})], []],
  ["that is not there", [], []],
];

for (const [what, crds, kinds] of CASES)
  test(`objects of a CRD ${what} are ${kinds.length > 0 ? "read" : "not read"}`, async () => {
    const { checks } = await findIn({ ...SHOP, [CRDS]: crds });
    assert.deepEqual(listKinds(checks[0]), kinds);
  });

test("an administrator may grant a kind", async () => {
  const grants = new Map([["ns/shop", ["carts.shop.example.com"]]]);
  const { checks } = await findIn({ ...SHOP, [CRDS]: [] }, ["configmaps=shop"], grants);
  assert.deepEqual(listKinds(checks[0]), ["carts"]);
});

test("a kind of the platform is nobody's, whatever its CRD says", async () => {
  const kind = "routes.route.openshift.io";
  const check = CHECK.replace("shop.example.com/v1/carts", "route.openshift.io/v1/routes");
  const { checks } = await findIn({
    [getPath("shop")]: [buildConfigMap("carts", { "carts.yaml": check })],
    [CRDS]: [buildCrd(kind, { [`${LABEL}-namespace`]: "shop" })],
  });
  assert.deepEqual(listKinds(checks[0]), []);
});

test("a faulty ConfigMap is unknown by name, and the others run", async () => {
  const { checks } = await findIn({
    ...SHOP,
    [getPath("shop")]: [
      buildConfigMap("broken", { "a.yaml": "a: [" }),
      buildConfigMap("carts", { "carts.yaml": CHECK }),
      buildConfigMap("empty", {}),
      buildConfigMap("later", { "carts.yaml": CHECK }, "v2"),
      buildConfigMap("named", { "b.yaml": CHECK.replace("carts}", "wagons}").replace("forEach", "forAll") }),
    ],
  });
  assert.deepEqual(
    checks.map(({ id }) => id),
    ["ns-shop-carts", "ns-shop-checks", "ns-shop-wagons"],
  );
  assert.deepEqual(
    listUnknowns(checks[1]).map((unknown) => unknown.replace(/:\d+:\d+$/, "")),
    [
      "CheckInvalid ConfigMap shop/broken a.yaml",
      "CheckInvalid ConfigMap shop/empty",
      "CheckInvalid ConfigMap shop/later",
    ],
  );
  assert.match(listUnknowns(checks[2])[0] ?? "", /^CheckInvalid ConfigMap shop\/named b\.yaml:/);
});

test("ConfigMaps and CRDs that can't be read are unknown, never clear", async () => {
  const failure = { kind: "failed", reason: "Forbidden", message: "no" } as const;
  const unlisted = await findIn({ ...SHOP, [getPath("shop")]: failure });
  assert.deepEqual(
    unlisted.checks.map(({ id }) => id),
    ["ns-shop-checks"],
  );
  const where = `Forbidden the ConfigMaps of namespace shop with the labels ${LABEL}`;
  assert.deepEqual(listUnknowns(unlisted.checks[0]), [where]);
  const { listSelected: _listSelected, ...without } = fakeReader(SHOP);
  assert.deepEqual(listUnknowns((await find(without))[0]), [where.replace("Forbidden", "NotRecorded")]);
  const unowned = await findIn({ ...SHOP, [CRDS]: failure });
  assert.deepEqual(
    unowned.checks.map(({ id }) => id),
    ["ns-shop-carts", "ns-checks"],
  );
  assert.deepEqual(listUnknowns(unowned.checks[1]), ["Forbidden customresourcedefinitions.apiextensions.k8s.io"]);
});

test("of too many ConfigMaps, or too large ones, the first run, and the rest are unknown", async () => {
  const many = Array.from({ length: 70 }, (_, i) =>
    buildConfigMap(`map-${i}`, {
      "a.yaml": CHECK.replace("name: carts", `name: carts-${i}`).replace("CartStale", `Cart${i}Stale`),
    }),
  );
  const large = [buildConfigMap("a", { "a.yaml": CHECK }), buildConfigMap("b", { "b.yaml": "#".repeat(9 << 20) })];
  for (const [maps, count] of [
    [many, 64],
    [large, 1],
  ] as const) {
    const { checks } = await findIn({ ...SHOP, [getPath("shop")]: maps });
    const unknown = checks.find(({ id }) => id === "ns-shop-checks");
    assert.equal(checks.length, count + 1);
    assert.deepEqual(listUnknowns(unknown), [
      `TooManyObjects the ConfigMaps of namespace shop with the labels ${LABEL}`,
    ]);
  }
});

test("two namespaces whose names are the same in ids have no check of one name", async () => {
  const { checks } = await findIn(
    { ...SHOP, [getPath("sh--op")]: SHOP[getPath("shop")] ?? [], [getPath("sh-op")]: SHOP[getPath("shop")] ?? [] },
    ["configmaps=sh--op", "configmaps=sh-op"],
  );
  assert.deepEqual(
    checks.map((check) => [check.id, ...listUnknowns(check)]),
    [
      [
        "ns-sh-op-carts",
        "CheckInvalid ConfigMap shop/carts carts.yaml",
        "CheckInvalid ConfigMap shop/carts carts.yaml",
      ],
    ],
  );
});

test("a recording has the checks of the labels that were asked for, and says so of others", async () => {
  const recording: Recording = new Map();
  const reader = createRecordingReader(fakeReader(SHOP), recording, () => []);
  const [live] = await find(reader);
  const folder = createTemporaryFolder("namespace-checks");
  await writeRecording(recording, folder);
  const recorded = await createRecordedReader(folder);
  const [check] = await find(recorded);
  assert.deepEqual([check?.id, check?.origin], [live?.id, live?.origin]);
  const [other] = await find(recorded, ["configmaps=shop/app=carts"]);
  assert.match(listUnknowns(other)[0] ?? "", /^NotRecorded /);
});

test("a namespace and its labels are named as Kubernetes names them, and once", () => {
  assert.deepEqual(parseTrustedNamespaces(["payload", "configmaps=shop", "configmaps=web/app=a,example.com/b!=c"]), [
    { namespace: "shop" },
    { namespace: "web", selector: "app=a,example.com/b!=c" },
  ]);
  for (const wrong of ["", "*", "Shop", "shop/", "shop/app", "shop/a in (b)", "shop/a=b,", "../x", "shop/a=b&limit=1"])
    assert.throws(() => parseTrustedNamespaces([`configmaps=${wrong}`]), /is not configmaps=NAMESPACE/, wrong);
  assert.throws(() => parseTrustedNamespaces(["configmaps=a", "configmaps=a/b=c"]), /names the namespace a twice/);
});

test("labels are selected in an archive as the API server selects them", () => {
  const labels = { app: "shop", "example.com/tier": "db" };
  const matches = (selector: string): boolean => matchesSelector(parseLabelSelector(selector), labels);
  assert.deepEqual(
    ["app", "app=shop", "app!=shop", "app=web", "owner", "owner!=a", "app,example.com/tier=db", "app=shop,owner"].map(
      matches,
    ),
    [true, true, false, false, false, true, true, false],
  );
});
