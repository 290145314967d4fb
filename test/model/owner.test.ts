import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOwner, parseOwners } from "../../src/model/owner.ts";

type Marks = Readonly<Record<string, string>>;

function listOwners(labels: Marks, annotations: Marks = {}): readonly string[] {
  return parseOwners({ metadata: { labels, annotations } }).map(formatOwner);
}

test("an object without marks has no owner", () => {
  assert.deepEqual(parseOwners({}), []);
  assert.deepEqual(listOwners({ app: "shop", "app.kubernetes.io/name": "shop" }, { note: "ours" }), []);
  assert.deepEqual(listOwners({ team: "", "app.kubernetes.io/instance": "" }), []);
});

test("names teams before what they deploy with", () => {
  assert.deepEqual(
    listOwners(
      {
        "app.kubernetes.io/managed-by": "Helm",
        "app.kubernetes.io/instance": "checkout",
        "app.kubernetes.io/part-of": "shop",
        "helm.sh/chart": "checkout-1.2.3",
        "example.com/owner": "Payments",
        team: "shop",
      },
      { "meta.helm.sh/release-name": "checkout", "meta.helm.sh/release-namespace": "shop" },
    ),
    [
      "team Payments",
      "team shop",
      "Helm release shop/checkout",
      "part of shop",
      "instance checkout",
      "Helm chart checkout-1.2.3",
      "managed by Helm",
    ],
  );
});

test("knows the applications of Argo CD by their label and by their annotation", () => {
  const track = (id: string): readonly string[] => listOwners({}, { "argocd.argoproj.io/tracking-id": id });
  assert.deepEqual(track("shop:apps/Deployment:web/checkout"), ["Argo CD application shop"]);
  assert.deepEqual(track("team-a_shop:apps/Deployment:web/checkout"), ["Argo CD application team-a/shop"]);
  assert.deepEqual(track("no tracking id"), []);
  assert.deepEqual(
    listOwners(
      { "argocd.argoproj.io/instance": "shop" },
      { "argocd.argoproj.io/tracking-id": "shop:/Secret:web/checkout" },
    ),
    ["Argo CD application shop"],
  );
});

test("knows what Flux and OLM deployed", () => {
  const flux = { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
  assert.deepEqual(listOwners(flux), ["Flux Kustomization flux-system/apps"]);
  const release = { "helm.toolkit.fluxcd.io/name": "shop", "helm.toolkit.fluxcd.io/namespace": "web" };
  assert.deepEqual(listOwners(release), ["Flux HelmRelease web/shop"]);
  const csv = {
    "olm.owner": "backup.v2.4.1",
    "olm.owner.namespace": "backup",
    "olm.owner.kind": "ClusterServiceVersion",
  };
  assert.deepEqual(listOwners(csv), ["operator backup/backup.v2.4.1"]);
  assert.deepEqual(listOwners({ "operators.coreos.com/local.storage.openshift-storage": "" }), [
    "operator openshift-storage/local.storage",
  ]);
  assert.deepEqual(listOwners({ "olm.operatorframework.io/owner-name": "backup" }), ["operator backup"]);
});

test("takes no text of any length for a name", () => {
  assert.deepEqual(listOwners({}, { "meta.helm.sh/release-name": "x".repeat(1000) }), []);
});

test("only the whole of a mark counts, up to the longest name", () => {
  const longest = "a".repeat(253);
  const longer = "a".repeat(254);
  const track = (id: string): readonly string[] => listOwners({}, { "argocd.argoproj.io/tracking-id": id });
  assert.deepEqual(parseOwners({ metadata: { labels: { team: "shop" } } }), [{ kind: "team", name: "shop" }]);
  const others = ["myteam", "teams", "a/b/team", "my.operators.coreos.com/a.b"];
  assert.deepEqual(listOwners(Object.fromEntries(others.map((key) => [key, "shop"]))), []);
  assert.deepEqual(listOwners({ "operators.coreos.com/a.b.c": "" }), ["operator c/a.b"]);
  assert.deepEqual([track(":shop:x"), track(`${longer}:x`), track(`${longer}_a:x`)], [[], [], []]);
  assert.deepEqual(track(`${longest}_${longest}:x`), [`Argo CD application ${longest}/${longest}`]);
});
