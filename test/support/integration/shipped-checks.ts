import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getDataDigest } from "../../../src/encoding/check-config-map.ts";
import { toYaml } from "../../../src/encoding/yaml.ts";
import { type JsonObject, isObject, listAt, parseObject, textAt } from "../../../src/model/json.ts";
import { applyObjects } from "../../../verify/api-server/apply-objects.ts";
import type { ControlPlane } from "../../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject } from "../../../verify/api-server/objects.ts";
import { eventually } from "../../../verify/shared/eventually.ts";
import { runPreflight, startPreflightService } from "../../../verify/shared/preflight.ts";
import { createTestKey } from "../../../verify/signatures/openpgp.ts";
import { buildCsv } from "../cli/operator-checks.ts";
import { parseObjects } from "../deploy/bases.ts";
import { mountFiles } from "./mounted-files.ts";

/** How a vendor brings a check to a cluster, from a folder that was empty, and takes it away again. */
type ShippingWay = {
  /** That preflight reports once the check is there. */
  readonly risk: string;
  readonly ship: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Of each vendor: its kind has an object with the fault, in a namespace that is not the vendor's. */
const GROUPS = ["helm", "base", "zero", "one", "pack"] as const;
type Vendor = (typeof GROUPS)[number];

function buildCheck(vendor: Vendor): string {
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: carts}
spec:
  title: No cart is stale
  applies: {updates: [patch, minor, rollback]}
  reads: {carts: {list: ${vendor}.example.com/v1/carts}}
  risks:
    - name: CartStale
      effect: broken
      title: Carts are stale
      url: https://example.com/carts
      message: "\${objects} can't be read once \${target.version} runs."
      remediation: Migrate them before the update.
      findings: [{forEach: carts.items, message: It is stale.}]
`;
}

function buildCrd(group: string, plural: string, kind: string, metadata: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const version = { name: "v1", served: true, storage: true, schema, subresources: { status: {} } };
  const isCart = kind === "Cart";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: {
      group,
      scope: isCart ? "Namespaced" : "Cluster",
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [version],
    },
  };
}

const EXTENSIONS = "olm.operatorframework.io";

/** What is on the cluster before anything is shipped. */
const BEFORE_SHIPPING: readonly JsonObject[] = [
  buildCrd(EXTENSIONS, "clusterextensions", "ClusterExtension"),
  ...GROUPS.map((vendor) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name: `of-${vendor}` } })),
  ...GROUPS.map((vendor) => buildCrd(`${vendor}.example.com`, "carts", "Cart")),
];

const STALE_CARTS: readonly JsonObject[] = GROUPS.map((vendor) => ({
  apiVersion: `${vendor}.example.com/v1`,
  kind: "Cart",
  metadata: { namespace: "default", name: "cart" },
}));

const PAGE = "docs/shipping-checks.md";

/** The YAML under a heading of the page, which is tried as it stands there. */
async function readExample(heading: string): Promise<string> {
  const [, section = ""] = (await readFile(PAGE, "utf8")).split(`## ${heading}\n`);
  const text = /```yaml\n([^`]*)```/.exec(section)?.[1];
  assert.ok(text !== undefined, `${PAGE} has no example under ${heading}`);
  return text;
}

async function preflight(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runPreflight(args);
  assert.equal(code, 0, err);
  return out;
}

/** A new folder with the vendor's check, held to the rules for checks of others. */
async function startFolder(place: string, vendor: Vendor): Promise<string> {
  const folder = join(place, vendor);
  await mkdir(join(folder, "checks"), { recursive: true });
  assert.deepEqual(await readdir(folder), ["checks"]);
  await writeFile(join(folder, "checks", "check.yaml"), buildCheck(vendor));
  await preflight("checks", "lint", "--as", "configmap", "--strict", join(folder, "checks"));
  return folder;
}

/** As Helm renders the chart of the page: these two forms are all that it has. */
async function renderChart(folder: string, release: string): Promise<string> {
  const template = await readExample("A Helm chart");
  const check = await readFile(join(folder, "checks", "check.yaml"), "utf8");
  const data = toYaml({ "check.yaml": check }).replaceAll(/^(?=.)/gm, "  ");
  const rendered = template
    .replaceAll("{{ .Release.Name }}", release)
    .replace('{{ (.Files.Glob "checks/*.yaml").AsConfig | indent 2 }}\n', data);
  assert.doesNotMatch(rendered, /\{\{/);
  return rendered;
}

function inNamespace(object: JsonObject, namespace: string): JsonObject {
  return { ...object, metadata: { ...(isObject(object["metadata"]) ? object["metadata"] : {}), namespace } };
}

type Place = { readonly cluster: ControlPlane; readonly folder: string };

function buildHelmWay({ cluster, folder: place }: Place): ShippingWay {
  const annotations = { "meta.helm.sh/release-namespace": "of-helm" };
  return {
    risk: "NsOfHelmCartStale",
    async ship() {
      const folder = await startFolder(place, "helm");
      const rendered = await renderChart(folder, "shop");
      await writeFile(join(folder, "rendered.yaml"), rendered);
      await preflight("checks", "lint", "--as", "configmap", join(folder, "rendered.yaml"));
      const objects = parseObjects(rendered).map((object) => inNamespace(object, "of-helm"));
      await applyObjects(cluster, [...objects, buildCrd("helm.example.com", "carts", "Cart", { annotations })]);
    },
    async remove() {
      await deleteObject(cluster, "/api/v1/namespaces/of-helm/configmaps/shop-preflight-checks");
    },
  };
}

function buildKustomizeWay({ cluster, folder: place }: Place): ShippingWay {
  const annotations = { "preflight.openshift.io/checks-namespace": "of-base" };
  const folder = join(place, "base");
  return {
    risk: "NsOfBaseCartStale",
    async ship() {
      await startFolder(place, "base");
      const base = `${await readExample("A Kustomize base")}namespace: of-base\n`;
      await writeFile(join(folder, "kustomization.yaml"), base);
      await cluster.kubectl(["apply", "-k", folder]);
      await applyObjects(cluster, [buildCrd("base.example.com", "carts", "Cart", { annotations })]);
    },
    async remove() {
      await cluster.kubectl(["delete", "-k", folder]);
    },
  };
}

/** The bundle's ConfigMap in the operator's namespace, and the annotation that names it. */
async function buildBundle(place: string, vendor: Vendor): Promise<{ map: JsonObject; annotation: string }> {
  const folder = await startFolder(place, vendor);
  const data = { "check.yaml": await readFile(join(folder, "checks", "check.yaml"), "utf8") };
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cart-checks" }, data };
  await writeFile(join(folder, "cart-checks.yaml"), toYaml(map));
  const printed = await preflight("checks", "annotate", join(folder, "cart-checks.yaml"));
  const annotation = `cart-checks@${getDataDigest(map)}`;
  assert.equal(printed, `preflight.openshift.io/checks: ${annotation}\n`);
  return { map: inNamespace(map, `of-${vendor}`), annotation };
}

function buildOlmV0Way({ cluster, folder }: Place): ShippingWay {
  return {
    risk: "OlmZeroOperatorCartStale",
    async ship() {
      const { map, annotation } = await buildBundle(folder, "zero");
      const named = { namespace: "of-zero", package: "zero-operator", owned: "carts.zero.example.com" };
      const { status: _status, ...csv } = buildCsv({ ...named, annotation });
      await applyObjects(cluster, [map, csv]);
    },
    async remove() {
      const versions = "/apis/operators.coreos.com/v1alpha1/namespaces/of-zero/clusterserviceversions";
      await deleteObject(cluster, `${versions}/zero-operator.v1.2.3`);
    },
  };
}

function buildOlmV1Way({ cluster, folder }: Place): ShippingWay {
  const labels = { [`${EXTENSIONS}/owner-kind`]: "ClusterExtension", [`${EXTENSIONS}/owner-name`]: "one" };
  const catalog = { packageName: "one-operator" };
  const extension = {
    apiVersion: `${EXTENSIONS}/v1`,
    kind: "ClusterExtension",
    metadata: { name: "one" },
    spec: { namespace: "of-one", source: { sourceType: "Catalog", catalog } },
  };
  return {
    risk: "OlmOneOperatorCartStale",
    async ship() {
      const { map, annotation } = await buildBundle(folder, "one");
      const metadata = { labels, annotations: { "preflight.openshift.io/checks": annotation } };
      await applyObjects(cluster, [map, extension, buildCrd("one.example.com", "carts", "Cart", metadata)]);
      const status = { install: { bundle: { name: "one-operator.v3.2.1", version: "3.2.1" } } };
      await patchObject(cluster, `/apis/${EXTENSIONS}/v1/clusterextensions/one/status`, { status });
    },
    async remove() {
      await deleteObject(cluster, `/apis/${EXTENSIONS}/v1/clusterextensions/one`);
    },
  };
}

/** `mounted`: what the runner has of the ConfigMap of the administrator's checks. */
function buildPackWay({ folder: place }: Place, mounted: string): ShippingWay {
  return {
    risk: "SiteCartStale",
    async ship() {
      const folder = await startFolder(place, "pack");
      const at = (file: string): string => join(folder, file);
      const named = ["--name", "carts", "--pack-version", "1.0.0"];
      const files = ["-o", at("carts.tar"), "--index", at("index.yaml"), "--claim", at("claim.json")];
      await preflight("checks", "pack", at("checks"), ...files, ...named);
      const key = createTestKey("Carts <carts@example.com>");
      await writeFile(at("carts.pub"), key.keyring);
      await writeFile(at("carts.sig"), key.sign(await readFile(at("claim.json"), "utf8")));
      const verified = ["--index", at("index.yaml"), "--key", at("carts.pub"), "--signature", at("carts.sig")];
      await preflight("checks", "pull", "carts@1.0.0", ...verified, "--dest-dir", at("pulled"));
      await mountFiles(mounted, "1", { "check.yaml": await readFile(at("pulled/check.yaml"), "utf8") });
    },
    async remove() {
      await mountFiles(mounted, "2", {});
      await rm(join(mounted, "check.yaml"));
    },
  };
}

function listShippingWays(place: Place, mounted: string): readonly ShippingWay[] {
  return [
    buildHelmWay(place),
    buildKustomizeWay(place),
    buildOlmV0Way(place),
    buildOlmV1Way(place),
    buildPackWay(place, mounted),
  ];
}

const TRUSTED = "configmaps=of-helm/app.kubernetes.io/instance=shop,configmaps=of-base";
const FROM = ["--checks-from", `payload,operators,${TRUSTED}`];

/** Which of these risks a result or a document has. */
function selectRisks(text: string, expected: readonly string[]): readonly string[] {
  const names = listAt(parseObject(text), "risks").flatMap((risk) => textAt(risk, "name") ?? []);
  return names.filter((name) => expected.includes(name)).toSorted();
}

/** Ships in every way, and takes all of it away again. `flags`: of an account with the runner's rights, and the target. */
export async function tryShipping(
  place: Place,
  flags: (...more: readonly string[]) => readonly string[],
): Promise<void> {
  const { cluster, folder } = place;
  await applyObjects(cluster, BEFORE_SHIPPING);
  await eventually(() => applyObjects(cluster, STALE_CARTS));
  const mounted = join(folder, "mounted");
  const document = join(folder, "document.json");
  const ways = listShippingWays(place, mounted);
  const expected = ways.map(({ risk }) => risk).toSorted();
  const check = async (...more: readonly string[]): Promise<readonly string[]> =>
    selectRisks((await runPreflight(["check", ...flags(...FROM, ...more, "-o", "json")])).out, expected);
  const expectPublished = (risks: readonly string[]): Promise<void> =>
    eventually(async () => assert.deepEqual(selectRisks(await readFile(document, "utf8"), expected), risks));
  await mkdir(folder);
  const interval = ["--checks", mounted, "--interval", "1s", "--document", document];
  const runner = startPreflightService(["--format=preflight-v1-json", ...flags(...FROM, ...interval)]);
  await expectPublished([]);
  assert.deepEqual(await check(), []);
  for (const { ship } of ways) await ship();
  const pulled = ["--checks", join(folder, "pack", "pulled")];
  const role = await preflight("rbac", "--kubeconfig", cluster.kubeconfig, ...FROM, ...pulled);
  await applyObjects(cluster, parseObjects(role));
  await expectPublished(expected);
  assert.deepEqual(await check(...pulled), expected);
  for (const { remove } of ways) await remove();
  await expectPublished([]);
  assert.deepEqual(await check(), []);
  runner.kill("SIGTERM");
  assert.equal((await runner.result).code, 0, runner.err());
}
