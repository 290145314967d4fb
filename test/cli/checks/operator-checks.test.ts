import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { type Recording, createRecordingReader, writeRecording } from "../../../src/cluster/recorded/recording.ts";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import { type FinderOptions, createCheckFinder } from "../../../src/cli/checks/check-selection.ts";
import { loadBundles } from "../../../src/cli/checks/operator-checks.ts";
import type { LoadVendorTexts } from "../../../src/cli/checks/vendor-checks.ts";
import { buildUnknownCheck } from "../../../src/data-checks/load.ts";
import { type Check, buildContext, getUnknownRiskName } from "../../../src/model/check.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { type Read, eachMetadata, withAnnotations } from "../../../src/model/read.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { buildPlainFacts } from "../../../src/runner/facts/cluster-facts.ts";
import type { PreparedUpdate } from "../../../src/runner/updates/update.ts";
import {
  type CsvOptions,
  CSVS,
  annotate,
  buildChecksConfigMap,
  buildCsv as buildAnnotatedCsv,
} from "../../support/cli/operator-checks.ts";
import { writeCheck } from "../../support/data-checks/judge-check.ts";
import { type FakeReader, type FakeResponse, fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { release, version } from "../../support/fixtures.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const RISK = `risks:
- name: CartStale
  effect: broken
  title: Carts are stale
  url: https://example.com/carts
  message: \${objects} can't be read after the update.
  remediation: Migrate them.
  findings: [{forEach: carts.items, message: It is stale.}]
variables: [{name: from, expression: 'carts.items.map(cart, timestamp(cart.data.from + "T00:00:00Z"))'}]`;
const CHECK = writeCheck(`reads: {carts: {list: shop.example.com/v1/carts}}\n${RISK}`).replace("sample", "carts");

function buildConfigMap(namespace: string, data: JsonObject = { "carts.yaml": CHECK }): JsonObject {
  return buildChecksConfigMap(namespace, data);
}

function buildCsv(options: Partial<CsvOptions>): JsonObject {
  return buildAnnotatedCsv({ annotation: annotate(buildConfigMap("shop")), ...options });
}

function prepare(reader: Reader, more: Parameters<typeof release>[1] = {}): PreparedUpdate {
  const context = buildContext(version("4.20.1"), release("4.21.0", more), new Date(0));
  return {
    context,
    facts: buildPlainFacts(version("4.20.1"), ""),
    given: [],
    reader,
    signal: new AbortController().signal,
  };
}

type Found = { readonly checks: readonly Check[]; readonly reader: FakeReader };

async function find(
  answers: Readonly<Record<string, FakeResponse>>,
  { grants = new Map() }: Partial<FinderOptions> = {},
  more: Parameters<typeof release>[1] = {},
): Promise<Found> {
  const reader = fakeReader(answers);
  const checks = await createCheckFinder({ from: ["operators"], grants }).find(prepare(reader, more));
  return { checks, reader };
}

/** What a check that can't run says. */
function listUnknowns(check: Check | undefined): readonly string[] {
  const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
  const { unknowns = [] } = check?.evaluate({}, context, {}) ?? {};
  return unknowns.map(({ reason, where }) => `${reason} ${where}`);
}

function listKinds(check: Check | undefined): readonly string[] {
  const reads: readonly Read[] = Object.values({ ...check?.reads(), ...check?.mayRead?.() });
  return reads.flatMap((read) => ("resource" in read ? [read.resource.resource] : []));
}

const EXTENSIONS = "/apis/olm.operatorframework.io/v1/clusterextensions";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CONFIG_MAP = "/api/v1/namespaces/shop/configmaps/shop-checks";

test("a check of an operator has its names and its origin, and only what is named is read", async () => {
  const { checks, reader } = await find({ [CSVS]: [buildCsv({})], [CONFIG_MAP]: buildConfigMap("shop") });
  const [check] = checks;
  assert.deepEqual(
    [checks.length, check?.id, check?.risks.map(({ name }) => name), check && getUnknownRiskName(check)],
    [1, "olm-shop-operator-carts", ["OlmShopOperatorCartStale"], "OlmShopOperatorCartsUnknown"],
  );
  assert.deepEqual([check?.origin?.kind, check?.origin?.file], ["operator", "ConfigMap shop/shop-checks carts.yaml"]);
  assert.deepEqual(listKinds(check), ["carts"]);
  assert.deepEqual(reader.paths, [CSVS, EXTENSIONS, CONFIG_MAP]);
});

test("without OLM there are two requests and no check", async () => {
  const { checks, reader } = await find({});
  assert.deepEqual([checks, reader.paths], [[], [CSVS, EXTENSIONS]]);
});

test("nothing is read unless operators may bring checks", async () => {
  const reader = fakeReader({ [CSVS]: [buildCsv({})] });
  const finder = createCheckFinder({ from: ["payload"], grants: new Map() });
  assert.deepEqual([await finder.find(prepare(reader)), reader.paths], [[], []]);
});

test("texts are compiled once for all cycles", async () => {
  const finder = createCheckFinder({ from: ["operators"], grants: new Map() });
  const answers = { [CSVS]: [buildCsv({})], [CONFIG_MAP]: buildConfigMap("shop") };
  const [one] = await finder.find(prepare(fakeReader(answers)));
  const [other] = await finder.find(prepare(fakeReader(answers)));
  assert.ok(one !== undefined && one === other);
});

const OTHER = { "carts.yaml": `${CHECK}# edited\n` };
const UNREAD: readonly (readonly [what: string, answers: Readonly<Record<string, FakeResponse>>, unknown: string])[] = [
  [
    "was edited",
    { [CSVS]: [buildCsv({})], [CONFIG_MAP]: buildConfigMap("shop", OTHER) },
    "DigestMismatch ConfigMap shop/shop-checks",
  ],
  [
    "has one more key",
    { [CSVS]: [buildCsv({})], [CONFIG_MAP]: buildConfigMap("shop", { "carts.yaml": CHECK, a: "" }) },
    "DigestMismatch ConfigMap shop/shop-checks",
  ],
  ["is gone", { [CSVS]: [buildCsv({})] }, "NotFound ConfigMap shop/shop-checks"],
  [
    "can't be read",
    { [CSVS]: [buildCsv({})], [CONFIG_MAP]: { kind: "failed", reason: "Forbidden", message: "no" } },
    "Forbidden ConfigMap shop/shop-checks",
  ],
  [
    "is not named",
    { [CSVS]: [buildCsv({ annotation: "shop-checks" })] },
    "NotUnderstood ClusterServiceVersion shop/shop-operator.v1.2.3",
  ],
  [
    "is named without a digest",
    { [CSVS]: [buildCsv({ annotation: "shop-checks@sha256:1" })] },
    "NotUnderstood ClusterServiceVersion shop/shop-operator.v1.2.3",
  ],
  [
    "would be in another namespace",
    { [CSVS]: [buildCsv({ annotation: `../x@sha256:${"0".repeat(64)}` })] },
    "NotUnderstood ClusterServiceVersion shop/shop-operator.v1.2.3",
  ],
];

for (const [what, answers, unknown] of UNREAD)
  test(`a ConfigMap that ${what} is unknown by name`, async () => {
    const { checks } = await find(answers);
    assert.deepEqual(
      checks.map((check) => [check.id, check.name, listUnknowns(check)]),
      [["olm-shop-operator-checks", "OlmShopOperatorChecks", [unknown]]],
    );
  });

test("operators that can't be listed are unknown", async () => {
  const { checks } = await find({ [CSVS]: { kind: "failed", reason: "Forbidden", message: "no" } });
  assert.deepEqual(
    checks.map((check) => [check.id, listUnknowns(check)]),
    [["olm-checks", ["Forbidden clusterserviceversions.operators.coreos.com"]]],
  );
});

test("copies and operators on their way out bring nothing", async () => {
  const copy = buildCsv({ status: { reason: "Copied" } });
  const leaving = ["Replacing", "Deleting"].map((phase) => buildCsv({ status: { phase } }));
  const { checks, reader } = await find({ [CSVS]: [copy, ...leaving], [CONFIG_MAP]: buildConfigMap("shop") });
  assert.deepEqual([checks, reader.paths], [[], [CSVS, EXTENSIONS]]);
});

test("an operator owns neither kinds of the API server nor those of the target", async () => {
  const names = [
    "secrets",
    "deployments.apps",
    "roles.rbac.authorization.k8s.io",
    "routes.route.openshift.io",
    "jobs.batch",
  ];
  for (const owned of names) {
    const resource = owned.replace(
      /^(\w+)\.?(.*)$/,
      (_, plural: string, group: string) => `${group === "" ? "" : `${group}/`}v1/${plural}`,
    );
    if (resource === "v1/secrets") continue;
    const data = {
      "carts.yaml": CHECK.replace("shop.example.com/v1/carts", resource).replace("cart.data", "dyn(cart).data"),
    };
    const annotation = annotate(buildConfigMap("shop", data));
    const { checks } = await find({
      [CSVS]: [buildCsv({ owned, annotation })],
      [CONFIG_MAP]: buildConfigMap("shop", data),
    });
    assert.deepEqual(listKinds(checks[0]), owned === "deployments.apps" ? ["deployments"] : [], owned);
  }
  const crdFiles = new Map([["carts.shop.example.com", "crd.yaml"]]);
  const answers = { [CSVS]: [buildCsv({})], [CONFIG_MAP]: buildConfigMap("shop") };
  assert.deepEqual(listKinds((await find(answers, {}, { crdFiles })).checks[0]), []);
  const granted = { grants: new Map([["olm/shop-operator", ["carts.shop.example.com"]]]) };
  assert.deepEqual(listKinds((await find(answers, granted, { crdFiles })).checks[0]), ["carts"]);
});

test("the same operator in two namespaces has one check", async () => {
  const { checks } = await find({
    [CSVS]: [buildCsv({ namespace: "b" }), buildCsv({ namespace: "a" })],
    "/api/v1/namespaces/a/configmaps/shop-checks": buildConfigMap("a"),
    "/api/v1/namespaces/b/configmaps/shop-checks": buildConfigMap("b"),
  });
  assert.deepEqual(
    checks.map(({ id }) => id),
    ["olm-shop-operator-carts"],
  );
});

test("a name that the checks of two operators claim is nobody's", async () => {
  const edited = buildConfigMap("b", OTHER);
  const { checks } = await find({
    [CSVS]: [buildCsv({ namespace: "a" }), buildCsv({ namespace: "b", annotation: annotate(edited) })],
    "/api/v1/namespaces/a/configmaps/shop-checks": buildConfigMap("a"),
    "/api/v1/namespaces/b/configmaps/shop-checks": edited,
  });
  const unknowns = ["a", "b"].map((one) => `CheckInvalid ConfigMap ${one}/shop-checks carts.yaml`);
  assert.deepEqual(
    checks.map((check) => [check.id, listUnknowns(check)]),
    [["olm-shop-operator-carts", unknowns]],
  );
});

/** The ids of the checks that are found in a recording, and what those that can't run say. */
async function findRecorded(
  configMap: JsonObject,
): Promise<{ readonly found: readonly unknown[]; readonly text: string }> {
  const recording: Recording = new Map();
  const reader = createRecordingReader(
    fakeReader({ [CSVS]: [buildCsv({})], [CONFIG_MAP]: configMap }),
    recording,
    () => [
      withAnnotations(
        ["preflight.openshift.io/checks"],
        eachMetadata("operators.coreos.com/v1alpha1/clusterserviceversions", () => undefined),
      ),
    ],
  );
  const options = { from: ["operators"], grants: new Map() };
  await createCheckFinder(options).find(prepare(reader));
  const folder = createTemporaryFolder();
  await writeRecording(recording, folder);
  const checks = await createCheckFinder(options).find(prepare(await createRecordedReader(folder)));
  const found = checks.map((check) => [check.id, check.origin?.kind === "operator" ? check.origin.digest : undefined]);
  return { found, text: [...recording.values()].flat().join("") };
}

test("a recording has the checks as they are, and nothing of a ConfigMap that is something else", async () => {
  // Such expressions look like secrets.
  const { found } = await findRecorded(buildConfigMap("shop"));
  const digest = `sha256:${hash("sha256", CHECK)}`;
  assert.deepEqual(found, [["olm-shop-operator-carts", digest]]);
  const edited = await findRecorded(buildConfigMap("shop", { "carts.yaml": `${CHECK}# canary\n` }));
  assert.deepEqual(edited.found, [["olm-shop-operator-checks", undefined]]);
  assert.doesNotMatch(edited.text, /canary/);
});

const BUNDLE = { package: "shop-operator", version: "1.2.3", annotation: "", operators: [] };
const CLUSTER = { reader: fakeReader({}), signal: AbortSignal.timeout(60_000), release: release("4.21.0") };

test("more checks than anybody reads are unknown by name", async () => {
  const all = Array.from({ length: 302 }, (_, i) => buildUnknownCheck(`olm-a-${String(i).padStart(3, "0")}`, "", []));
  const checks = await loadBundles({ bundles: [BUNDLE], unknowns: [] }, CLUSTER, new Map(), async () => all);
  assert.deepEqual([checks.length, checks.at(-1)?.id], [301, "olm-checks"]);
  assert.deepEqual(listUnknowns(checks.at(-1)), ["CheckInvalid olm-a-300 and olm-a-301"]);
});

test("an operator whose checks can't be loaded leaves the others theirs", async () => {
  const load: LoadVendorTexts = async (_, source) => {
    if (source.kind === "operator" && source.package === "shop-operator") throw new TypeError("a bug");
    return [buildUnknownCheck("olm-other-a", "", [])];
  };
  const bundles = [BUNDLE, { ...BUNDLE, package: "other" }];
  const checks = await loadBundles({ bundles, unknowns: [] }, CLUSTER, new Map(), load);
  assert.deepEqual(
    checks.map(({ id }) => id),
    ["olm-other-a", "olm-shop-operator-checks"],
  );
  assert.deepEqual(listUnknowns(checks[1]), ["CheckFailed check olm-shop-operator-checks"]);
});

/** As OLM v1 has them: the bundle's ConfigMap in the extension's namespace, and its CRD with OLM's labels. */
const EXTENSION = {
  apiVersion: "olm.operatorframework.io/v1",
  kind: "ClusterExtension",
  metadata: { name: "shop" },
  spec: { namespace: "shop", source: { sourceType: "Catalog", catalog: { packageName: "shop-operator" } } },
  status: { install: { bundle: { name: "shop-operator.v2.0.0", version: "2.0.0" } } },
};

function buildExtensionCrd(name: string, annotation: string | undefined, owner = "shop"): JsonObject {
  const prefix = "olm.operatorframework.io/owner-";
  const labels = { [`${prefix}kind`]: "ClusterExtension", [`${prefix}name`]: owner };
  const annotations: JsonObject = annotation === undefined ? {} : { "preflight.openshift.io/checks": annotation };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, labels, annotations },
  };
}

const NAMED = annotate(buildConfigMap("shop"));
const INSTALLED = {
  [EXTENSIONS]: [EXTENSION],
  [CRDS]: [buildExtensionCrd("carts.shop.example.com", NAMED), buildExtensionCrd("baskets.shop.example.com", NAMED)],
  [CONFIG_MAP]: buildConfigMap("shop"),
};

test("the CRDs of a ClusterExtension name its checks, which read what the extension owns", async () => {
  const { checks, reader } = await find(INSTALLED);
  const [check] = checks;
  assert.deepEqual([checks.length, check?.id, listKinds(check)], [1, "olm-shop-operator-carts", ["carts"]]);
  const { digest: _digest, ...origin } = { digest: "", ...check?.origin };
  assert.deepEqual(origin, {
    kind: "operator",
    package: "shop-operator",
    version: "2.0.0",
    file: "ConfigMap shop/shop-checks carts.yaml",
  });
  assert.deepEqual(reader.paths, [CSVS, EXTENSIONS, CRDS, CONFIG_MAP]);
});

const NO_CHECKS: readonly (readonly [what: string, answers: Readonly<Record<string, FakeResponse>>])[] = [
  ["without the annotation", { [CRDS]: [buildExtensionCrd("carts.shop.example.com", undefined)] }],
  ["of another extension", { [CRDS]: [buildExtensionCrd("carts.shop.example.com", NAMED, "web")] }],
  [
    "of an extension that is being deleted",
    {
      [EXTENSIONS]: [{ ...EXTENSION, metadata: { name: "shop", deletionTimestamp: "2026-01-01T00:00:00Z" } }],
    },
  ],
];

for (const [what, answers] of NO_CHECKS)
  test(`CRDs ${what} bring no checks`, async () => {
    assert.deepEqual((await find({ ...INSTALLED, ...answers })).checks, []);
  });

test("an extension whose checks can't be read is unknown, never clear", async () => {
  const failure = { kind: "failed", reason: "Forbidden", message: "no" } as const;
  const cases: readonly (readonly [Readonly<Record<string, FakeResponse>>, id: string, unknown: string])[] = [
    [{ [EXTENSIONS]: failure }, "olm-checks", "Forbidden clusterextensions.olm.operatorframework.io"],
    [{ [CRDS]: failure }, "olm-checks", "Forbidden customresourcedefinitions.apiextensions.k8s.io"],
    [
      { [CONFIG_MAP]: buildConfigMap("shop", OTHER) },
      "olm-shop-operator-checks",
      "DigestMismatch ConfigMap shop/shop-checks",
    ],
    [
      { [CRDS]: [buildExtensionCrd("carts.shop.example.com", "shop-checks")] },
      "olm-shop-operator-checks",
      "NotUnderstood the CRDs of ClusterExtension shop",
    ],
  ];
  for (const [answers, id, unknown] of cases) {
    const { checks } = await find({ ...INSTALLED, ...answers });
    assert.deepEqual([checks.length, checks[0]?.id, listUnknowns(checks[0])], [1, id, [unknown]]);
  }
});
