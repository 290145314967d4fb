import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packFiles } from "../../../src/encoding/tar-writer.ts";
import { withTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { describeManifest, readAll, writeFiles } from "../../support/manifests/files.ts";

const A = "apiVersion: v1\nkind: A\n";
const TEMPLATE = "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Release.Name }}\n";

const CHART = {
  "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "values.yaml": "apiVersion: x\n",
  "values-prod.yaml": "apiVersion: x\n",
  "ci/a-values.yaml": "apiVersion: x\n",
  "templates/a.yaml": TEMPLATE,
  "templates/tests/b.yaml": TEMPLATE,
  "crds/c.yaml": A,
  "charts/db/Chart.yaml": "apiVersion: v2\nname: db\n",
  "charts/db/templates/d.yaml": TEMPLATE,
  "charts/db/crds/e.yaml": A,
  "extra/f.yaml": A,
};

const CHART_NOTICE = `is a chart of Helm, and templates are not read: run "helm template F | preflight manifests -", or give --helm F`;
const CHANGES = `is a kustomization that changes its manifests, and they are not read before: run "kustomize build F | preflight manifests -", or give --kustomize F`;

/** `expected`: "F" stands for the folder that is rendered. */
async function expectLayout(
  files: Readonly<Record<string, string>>,
  expected: readonly string[],
  path = ".",
): Promise<void> {
  await withTemporaryFolder("layout", async (folder) => {
    writeFiles(folder, files);
    const items = await readAll([join(folder, path)]);
    const described = items.map((item) => describeManifest(item, folder).replaceAll(folder, "."));
    assert.deepEqual(described, expected);
  });
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

suite("a chart of Helm", () => {
  test("is named once with the command that renders it, and has its CRDs and what is no part of it", () =>
    expectLayout({ ...below("web", CHART), "g.yaml": A }, [
      "g.yaml:1:1 A",
      `web/Chart.yaml:1:1 NotRendered: it ${CHART_NOTICE.replaceAll("F", "web")}`,
      "web/charts/db/crds/e.yaml:1:1 A",
      "web/crds/c.yaml:1:1 A",
      "web/extra/f.yaml:1:1 A",
    ]));

  test("may be the folder itself, or an archive", async () => {
    const packed = Object.entries(below("web", CHART)).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
    await withTemporaryFolder("layout", async (folder) => {
      writeFiles(folder, { ...CHART, "web.tgz": gzipSync(await packFiles(packed)) });
      const [chart] = await readAll([folder]);
      assert.ok(chart && "reason" in chart);
      assert.match(chart.message, new RegExp(`run "helm template ${folder} `));
      const [archive] = await readAll([join(folder, "web.tgz")]);
      assert.ok(archive && "reason" in archive);
      assert.match(archive.message, new RegExp(`run "helm template ${folder}/web.tgz `));
    });
  });
});

suite("a kustomization", () => {
  const BASE = {
    "base/kustomization.yaml": "resources: [a.yaml]\nnamespace: x\n",
    "base/a.yaml": A,
    "base/stray.yaml": A,
  };

  test("that only lists and names manifests is read as they stand", () =>
    expectLayout({ ...BASE, "prod/Kustomization": "resources: [../base]\nnamePrefix: p-\n" }, [
      "base/a.yaml:1:1 A",
      "base/stray.yaml:1:1 A",
    ]));

  test("that changes manifests is named once, at the outermost", () =>
    expectLayout(
      {
        ...BASE,
        "prod/kustomization.yml":
          "resources: [../base]\npatches: [{path: p.yaml}]\nconfigMapGenerator: [{files: [k=c.yaml]}]\n",
        "prod/p.yaml": A,
        "prod/c.yaml": A,
      },
      ["base/stray.yaml:1:1 A", `prod/kustomization.yml:1:1 NotRendered: it ${CHANGES.replaceAll("F", "prod")}`],
    ));

  test("with a resource that is elsewhere has to be rendered", async () => {
    for (const resource of ["../../base", "https://example.com/a.yaml"])
      await expectLayout({ "prod/kustomization.yaml": `resources: [a.yaml, ${resource}]\n`, "prod/a.yaml": A }, [
        `prod/kustomization.yaml:1:1 NotRendered: it ${CHANGES.replaceAll("F", "prod")}`,
      ]);
  });

  test("is told also in a circle", () =>
    expectLayout(
      {
        "a/kustomization.yaml": "resources: [../b]\n",
        "b/kustomization.yaml": "resources: [../a, c.yaml]\n",
        "b/c.yaml": A,
      },
      [`a/kustomization.yaml:1:1 NotRendered: it ${CHANGES.replaceAll("F", "a")}`],
    ));

  test("of Flux is an object", () =>
    expectLayout({ "kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n" }, [
      "kustomization.yaml:1:1 Kustomization",
    ]));
});
