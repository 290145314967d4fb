import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { type MustGather, openMustGather } from "../../src/cluster/must-gather/must-gather.ts";
import { FailedError } from "../../src/model/errors.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import type { HeldPart } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const CONFIG_MAPS = parseResource("v1/configmaps");
const NEVER = new AbortController().signal;
const IMAGE = "registry-example-must-gather-sha256-1f";
const CONFIG = `${IMAGE}/cluster-scoped-resources/config.openshift.io`;

const clusterVersion = (id: string): string =>
  `apiVersion: config.openshift.io/v1
items:
- apiVersion: config.openshift.io/v1
  kind: ClusterVersion
  metadata:
    name: version
  spec:
    clusterID: ${id}
kind: ClusterVersionList
metadata:
  resourceVersion: "1"
`;
const node = (name: string): string => `---\napiVersion: v1\nkind: Node\nmetadata:\n  name: ${name}\n`;
const pods = (namespace: string, ...names: readonly string[]): string =>
  `apiVersion: v1\nitems:\n${names
    .map((name) => `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${name}\n    namespace: ${namespace}\n`)
    .join("")}kind: PodList\n`;
const operator = (related: string): string =>
  `apiVersion: config.openshift.io/v1\nkind: ClusterOperator\nmetadata:\n  name: demo\nstatus:\n  relatedObjects:\n${related}`;

const FINISHED = {
  timestamp: "2026-02-06 15:30:00.1 +0100 CET m=+0.1\n2026-02-06 15:42:10.9 +0100 CET m=+730.1\n",
  [`${IMAGE}/version`]: "openshift/must-gather\n4.20.0\n",
};
const USUAL = {
  ...FINISHED,
  [`${CONFIG}/clusterversions.yaml`]: clusterVersion("one"),
  [`${IMAGE}/cluster-scoped-resources/core/nodes/a.yaml`]: node("a"),
  [`${IMAGE}/cluster-scoped-resources/core/nodes/b.yaml`]: node("b"),
  [`${IMAGE}/namespaces/openshift-etcd/core/pods.yaml`]: pods("openshift-etcd", "etcd-a", "etcd-b"),
  [`${IMAGE}/namespaces/openshift-etcd/pods/etcd-a/etcd-a.yaml`]:
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd-a\n  namespace: openshift-etcd\n",
  [`${IMAGE}/namespaces/openshift-etcd/pods/etcd-a/etcd/etcd/logs/current.log`]: "items:\n- not an object\n",
};

const folder = createTemporaryFolder();

type Files = Readonly<Record<string, string>>;

async function writeFolder(files: Files): Promise<string> {
  const root = await mkdtemp(join(folder, "archive-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function writeTar(files: Files, { isPacked = false, prefix = "must-gather/" } = {}): Promise<string> {
  const entries = Object.entries(files).map(([path, text]) => ({
    header: { name: `${prefix}${path}`, size: Buffer.byteLength(text) },
    body: text,
  }));
  const tar = await packTar(entries);
  const path = join(await mkdtemp(join(folder, "tar-")), "archive");
  await writeFile(path, isPacked ? gzipSync(tar) : tar);
  return path;
}

type Listed = { readonly result: string; readonly names: readonly string[]; readonly held: HeldPart | undefined };

async function list({ reader }: MustGather, resource: string): Promise<Listed> {
  const objects: JsonObject[] = [];
  let held: HeldPart | undefined;
  const result = await reader.list(
    parseResource(resource),
    (part) => {
      held = part;
      return (object) => void objects.push(object);
    },
    NEVER,
  );
  const names = objects.map((object) => textAt(object, "metadata", "name") ?? "");
  const text = result.kind === "failed" ? `${result.reason}: ${result.message}` : result.kind;
  return { result: text, names, held };
}

async function find({ reader }: MustGather, resource: string, where: string): Promise<string> {
  const [name = "", namespace] = where.split("/").toReversed();
  const place = { resource: parseResource(resource), name, ...(namespace === undefined ? {} : { namespace }) };
  const result = await reader.get(place, NEVER);
  if (result.kind === "absent") return `absent ${result.what}`;
  return result.kind === "failed" ? `${result.reason}: ${result.message}` : "found";
}

async function use<T>(path: string, act: (archive: MustGather) => Promise<T>): Promise<T> {
  const archive = await openMustGather(path, NEVER);
  try {
    return await act(archive);
  } finally {
    await archive.close();
  }
}

test("a must-gather has the objects of a namespace with some labels only if it has all of that namespace", async () => {
  const map = (name: string, labels: string): string =>
    `- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: ${name}, namespace: shop, labels: {${labels}}}\n`;
  const items = [map("a", "app: shop, tier: db"), map("b", "app: shop"), map("c", "app: web")].join("");
  const files = {
    ...USUAL,
    [`${IMAGE}/namespaces/shop/core/configmaps.yaml`]: `apiVersion: v1\nitems:\n${items}kind: ConfigMapList\n`,
  };
  await use(await writeFolder(files), async ({ reader }) => {
    const select = async (namespace: string, labelSelector: string): Promise<string> => {
      const names: string[] = [];
      const begin = () => (object: JsonObject) => void names.push(textAt(object, "metadata", "name") ?? "");
      const result = await reader.listSelected?.(CONFIG_MAPS, { namespace, labelSelector }, begin, NEVER);
      return result?.kind === "failed" ? result.reason : `${result?.kind} ${names.join()}`;
    };
    assert.equal(await select("shop", "app=shop"), "listed a,b");
    assert.equal(await select("shop", "app=shop,tier!=db"), "listed b");
    assert.equal(await select("shop", "owner"), "listed ");
    assert.equal(await select("web", "app=shop"), "NotRecorded");
  });
});

describe("a must-gather", () => {
  const forms = [
    ["folder", () => writeFolder(USUAL)],
    ["tar", () => writeTar(USUAL)],
    ["compressed tar", () => writeTar(USUAL, { isPacked: true, prefix: "./" })],
  ] as const;
  for (const [form, write] of forms)
    test(`is read from a ${form}`, async () => {
      await use(await write(), async (archive) => {
        assert.equal(archive.takenAt?.toISOString(), "2026-02-06T14:42:10.000Z");
        assert.equal(await find(archive, "config.openshift.io/v1/clusterversions", "version"), "found");
        assert.deepEqual(await list(archive, "v1/nodes"), { result: "listed", names: ["a", "b"], held: undefined });
        const { names, held } = await list(archive, "v1/pods");
        assert.deepEqual(names, ["etcd-a", "etcd-b"]);
        assert.deepEqual(held?.wholeNamespaces, new Set(["openshift-etcd"]));
      });
    });

  test("leaves nothing in the temporary folder", async () => {
    const list = async (): Promise<readonly string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith("preflight-must-gather-"));
    const before = await list();
    await use(await writeTar(USUAL), async () => assert.deepEqual(await list(), before));
  });

  test("does not take what it lacks for what the cluster lacks", async () => {
    await use(await writeFolder(USUAL), async (archive) => {
      const unknown = "NotRecorded: the must-gather does not hold any, and does not show whether the cluster has any";
      assert.equal((await list(archive, "certificates.k8s.io/v1/certificatesigningrequests")).result, unknown);
      assert.equal((await list(archive, "example.com/v1/widgets")).result, unknown);
      const absent = "NotRecorded: the must-gather does not hold it, and does not show whether it exists";
      assert.equal(await find(archive, "v1/configmaps", "openshift-config/admin-acks"), absent);
      assert.equal(await find(archive, "v1/pods", "openshift-etcd/etcd-c"), "absent object");
      assert.equal(await find(archive, "v1/nodes", "c"), "absent object");
      assert.equal(await find(archive, "v1/pods", "demo/a"), absent);
      assert.equal((await archive.reader.raw("/version", () => () => true, NEVER)).kind, "failed");
    });
  });

  test("that was stopped does not hold every object of a kind", async () => {
    const files = { ...USUAL, timestamp: "2026-02-06 15:30:00.1 +0100 CET m=+0.1\n" };
    await use(await writeFolder(files), async (archive) => {
      const { names, held } = await list(archive, "v1/nodes");
      assert.deepEqual(names, ["a", "b"]);
      assert.equal(held?.message, "the must-gather holds a, b, and does not show whether the cluster has more");
    });
  });

  const CRDS = `${IMAGE}/cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions`;
  const crd = (plural: string, group: string): Files => ({
    [`${CRDS}/${plural}.${group}.yaml`]: `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${plural}.${group}}\nspec: {group: ${group}, names: {plural: ${plural}}, versions: [{name: v1, served: true}]}\n`,
  });
  const ALL_CRDS = {
    ...USUAL,
    [`${CONFIG}/clusteroperators/demo.yaml`]: operator(
      "  - group: apiextensions.k8s.io\n    name: ''\n    resource: customresourcedefinitions\n  - group: example.com\n    name: one\n    resource: widgets\n",
    ),
    ...crd("widgets", "example.com"),
    [`${IMAGE}/cluster-scoped-resources/example.com/widgets/one.yaml`]:
      "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n",
  };

  test("holds every object of the kinds that an operator names", async () => {
    const own = { ...crd("clusteroperators", "config.openshift.io"), ...crd("clusterversions", "config.openshift.io") };
    await use(await writeFolder({ ...ALL_CRDS, ...own }), async (archive) => {
      const crds = await list(archive, "apiextensions.k8s.io/v1/customresourcedefinitions");
      assert.equal(crds.held, undefined);
      assert.notEqual((await list(archive, "example.com/v1/widgets")).held, undefined);
      assert.equal((await list(archive, "other.example.com/v1/gadgets")).result, "absent");
      assert.equal(await find(archive, "other.example.com/v1/gadgets", "a"), "absent resource");
      assert.match((await list(archive, "route.openshift.io/v1/routes")).result, /^NotRecorded/);
    });
  });

  test("shows no kind as absent if its CRDs or APIServices lack what every cluster has", async () => {
    const services = `${IMAGE}/cluster-scoped-resources/apiregistration.k8s.io/apiservices.yaml`;
    const empty = {
      [`${CRDS}.yaml`]: "apiVersion: apiextensions.k8s.io/v1\nitems: []\nkind: CustomResourceDefinitionList\n",
      [services]: "apiVersion: apiregistration.k8s.io/v1\nitems: []\nkind: APIServiceList\n",
    };
    const one = crd("clusterversions", "config.openshift.io");
    for (const files of [ALL_CRDS, { ...ALL_CRDS, ...one }, { ...USUAL, ...empty }])
      await use(await writeFolder(files), async (archive) => {
        assert.match((await list(archive, "other.example.com/v1/gadgets")).result, /^NotRecorded/);
        assert.match(await find(archive, "other.example.com/v1/gadgets", "a"), /^NotRecorded/);
        assert.equal((await archive.reader.raw("/apis", () => () => true, NEVER)).kind, "failed");
      });
  });

  test("shows by the keys of etcd that there is nothing of a kind", async () => {
    const write = (counts: string) => writeFolder({ ...USUAL, [`${IMAGE}/etcd_info/etcd_object_count`]: counts });
    const csrs = "certificates.k8s.io/v1/certificatesigningrequests";
    await use(await write("   12 pods\n    2 minions\n    4 oauth\n"), async (archive) => {
      assert.equal((await list(archive, csrs)).result, "listed");
      assert.equal((await list(archive, "example.com/v1/widgets")).result, "listed");
      assert.match((await list(archive, "networking.k8s.io/v1/networkpolicies")).result, /^NotRecorded/);
    });
    // Without the last keys, the counts may have been cut off.
    await use(await write("   12 pods\n"), async (archive) => {
      assert.match((await list(archive, csrs)).result, /^NotRecorded/);
    });
  });

  test("may have the folders of several images", async () => {
    const other = "registry-example-other-sha256-2a";
    const files = {
      ...USUAL,
      [`${other}/cluster-scoped-resources/core/nodes/b.yaml`]: node("b"),
      [`${other}/namespaces/demo/core/pods.yaml`]: pods("demo", "web"),
    };
    await use(await writeFolder(files), async (archive) => {
      assert.deepEqual((await list(archive, "v1/nodes")).names, ["a", "b"]);
      assert.deepEqual((await list(archive, "v1/pods")).names, ["etcd-a", "etcd-b", "web"]);
    });
  });

  test("leaves out the clusters within it, and is refused if it is of two", async () => {
    const hosted = `${IMAGE}/hosted-cluster-a/cluster-scoped-resources/core/nodes/x.yaml`;
    await use(await writeFolder({ ...USUAL, [hosted]: node("x") }), async (archive) => {
      assert.deepEqual((await list(archive, "v1/nodes")).names, ["a", "b"]);
      assert.deepEqual(archive.otherClusters, [`${IMAGE}/hosted-cluster-a`]);
    });
    const second = "other/cluster-scoped-resources/config.openshift.io/clusterversions.yaml";
    const both = await writeFolder({ ...USUAL, [second]: clusterVersion("two") });
    await assert.rejects(openMustGather(both, NEVER), /holds archives of 2 clusters \(two, one\)|\(one, two\)/);
  });

  test("says which file it can't use", async () => {
    const nodes = `${IMAGE}/cluster-scoped-resources/core/nodes/b.yaml`;
    for (const [text, message] of [
      ["a: [", /^NotUnderstood: the must-gather can't be read in full: its file \S+nodes\/b.yaml can't be used/],
      ["apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n", /^NotUnderstood: .*with Pod of v1, not with nodes of v1/],
      [
        "apiVersion: v2\nkind: Node\nmetadata: {name: b}\n",
        /^NotRecorded: the must-gather holds it in version v2, not in v1$/,
      ],
    ] as const)
      await use(await writeFolder({ ...USUAL, [nodes]: text }), async (archive) =>
        assert.match((await list(archive, "v1/nodes")).result, message),
      );
    const budgets = `${IMAGE}/cluster-scoped-resources/policy/poddisruptionbudgets.yaml`;
    const old =
      "apiVersion: policy/v1beta1\nitems:\n- apiVersion: policy/v1beta1\n  kind: PodDisruptionBudget\n  metadata: {name: a, namespace: b}\nkind: PodDisruptionBudgetList\n";
    await use(await writeFolder({ ...USUAL, [budgets]: old }), async (archive) =>
      assert.equal(
        (await list(archive, "policy/v1/poddisruptionbudgets")).result,
        "NotRecorded: the must-gather holds it in version v1beta1, not in v1",
      ),
    );
  });

  test("holds no list that is not whole, and none of its objects that may be cut", async () => {
    const path = `${IMAGE}/namespaces/openshift-etcd/core/pods.yaml`;
    const text = pods("openshift-etcd", "etcd-a", "etcd-c");
    for (const [broken, message] of [
      [text.slice(0, text.indexOf("kind: PodList")), /it ends before the list's kind, so the file was cut$/],
      ["", /it ends before the list's kind/],
      [`${text}metadata: {remainingItemCount: 2}\n`, /2 more objects follow/],
      [`${text}metadata: {continue: x}\n`, /more objects follow \(metadata.continue\)/],
      [pods("openshift-etcd", "etcd-c", "etcd-c"), /openshift-etcd\/etcd-c is in it twice/],
      [pods("demo", "etcd-c"), /demo\/etcd-c is not of namespace openshift-etcd/],
    ] as const)
      await use(await writeFolder({ ...USUAL, [path]: broken }), async (archive) => {
        const start =
          /^Incomplete: the must-gather can't be read in full: its file \S+core\/pods.yaml answers with a list that/;
        for (const result of [
          (await list(archive, "v1/pods")).result,
          await find(archive, "v1/pods", "openshift-etcd/z"),
        ]) {
          assert.match(result, start);
          assert.match(result, message);
        }
        if (broken.startsWith("apiVersion") && !broken.includes("kind: PodList"))
          assert.match(await find(archive, "v1/pods", "openshift-etcd/etcd-c"), start);
      });
    const nodes = `${IMAGE}/cluster-scoped-resources/core/nodes/b.yaml`;
    await use(await writeFolder({ ...USUAL, [nodes]: "" }), async (archive) =>
      assert.match((await list(archive, "v1/nodes")).result, /^Incomplete: .*nodes\/b.yaml holds no object$/),
    );
  });

  test("says that its objects have no managedFields", async () => {
    await use(await writeFolder(USUAL), async ({ reader }) => {
      const result = await reader.list(parseResource("v1/nodes"), () => () => {}, NEVER);
      assert.equal("lacksManagedFields" in result && result.lacksManagedFields, true);
    });
  });
});

describe("a hostile archive", () => {
  for (const name of ["../../outside/namespaces/a/core/pods.yaml", "/etc/namespaces/a/core/pods.yaml"])
    test(`is refused with the path ${name}`, async () => {
      const path = await writeTar({ [name]: pods("a", "b") }, { prefix: "" });
      await assert.rejects(
        openMustGather(path, NEVER),
        /is refused: it has the file .* with a path that leads out of it/,
      );
    });

  test("has links that are not followed", async () => {
    const root = await writeFolder(USUAL);
    await writeFile(join(folder, "outside.yaml"), node("outside"));
    await symlink(join(folder, "outside.yaml"), join(root, IMAGE, "cluster-scoped-resources/core/nodes/c.yaml"));
    await use(root, async (archive) => {
      assert.match((await list(archive, "v1/nodes")).result, /nodes\/c.yaml is a link, and links are not followed/);
    });
    const tar = await packTar([
      { header: { name: "a/namespaces/a/core/pods.yaml", size: 2 }, body: "{}" },
      { header: { name: "a/namespaces/b/core/pods.yaml", type: "symlink", linkname: "/etc/passwd", size: 0 } },
    ]);
    const path = join(folder, "links.tar");
    await writeFile(path, tar);
    await use(path, async (archive) => assert.match((await list(archive, "v1/pods")).result, /is a link/));
  });

  test("that is damaged, empty or of another format is refused", async () => {
    const path = join(folder, "damaged");
    await writeFile(path, gzipSync("not a tar").subarray(0, 12));
    await assert.rejects(openMustGather(path, NEVER), FailedError);
    await writeFile(path, Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00]));
    await assert.rejects(openMustGather(path, NEVER), /compressed with xz/);
    await assert.rejects(openMustGather(await writeFolder({ "a.log": "" }), NEVER), /is neither a must-gather nor/);
    await assert.rejects(openMustGather(join(folder, "missing"), NEVER), /The must-gather \S+ can't be read/);
  });
});
