import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildConversionFindings,
  buildConversionReads,
  buildDeletedCrdFindings,
  buildDeletedCrdNotices,
  selectDeletedCrds,
} from "../../src/checks/crd-skew/followed-reads.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";
import { buildCrd, parseVersions } from "../support/checks/widgets.ts";

const CRD = buildCrd(parseVersions("v1 v2*"), ["v1", "v2"]);

test("a new conversion webhook needs a Service with a ready endpoint, unless the release brings it", () => {
  const webhook = (name: string) => ({ clientConfig: { service: { namespace: "shop", name } } });
  const build = (texts: string, strategy: string, name = "policy") =>
    buildCrd(parseVersions(texts), [], { conversion: { strategy, webhook: webhook(name) } });
  const manifest = {
    apiVersion: "v1",
    kind: "Service",
    namespace: "shop",
    name: "policy",
    file: "a.yaml",
    capabilities: [],
  };
  const plain = build("v1 v2*", "None");
  const hook = build("v1 v2*", "Webhook");
  const judge = (
    installed: typeof plain,
    target: typeof plain,
    manifests: readonly (typeof manifest)[],
    found: readonly string[],
  ) => {
    const context = buildContext(version("4.18.5"), release("4.19.2", { manifests }), new Date(0));
    const pairs = [{ installed, target }];
    if (Object.keys(buildConversionReads(pairs, context)).length === 0) return "no reads";
    const list = (kind: string) => ({
      kind: "found" as const,
      values: found.includes(kind) ? ["shop/policy"] : [],
    });
    const findings = buildConversionFindings(pairs, context, {
      services: list("service"),
      endpoints: list("endpoints"),
    });
    return findings.map(({ message }) => message).join();
  };
  const start = "Its conversion webhook's Service shop/policy";
  assert.equal(judge(plain, hook, [], []), `${start} does not exist.`);
  assert.equal(judge(plain, hook, [], ["service"]), `${start} has no ready endpoints.`);
  assert.equal(judge(plain, hook, [], ["service", "endpoints"]), "");
  assert.equal(judge(build("v1 v2*", "Webhook", "other"), hook, [], []), `${start} does not exist.`);
  assert.equal(judge(hook, hook, [], []), "no reads");
  assert.equal(judge(plain, plain, [], []), "no reads");
  assert.equal(judge(plain, build("v2*", "Webhook"), [], []), "no reads");
  assert.equal(judge(plain, hook, [manifest], []), "no reads");
  for (const other of [{ apiVersion: "v2" }, { kind: "Pod" }, { namespace: "other" }, { name: "other" }])
    assert.equal(
      judge(plain, hook, [{ ...manifest, ...other }], []),
      `${start} does not exist.`,
      JSON.stringify(other),
    );
});

test("an endpoint counts for the Service that it is asked for, unless it says that it is not ready", () => {
  const target = buildCrd(parseVersions("v1 v2*"), [], {
    conversion: { strategy: "Webhook", webhook: { clientConfig: { service: { namespace: "shop", name: "policy" } } } },
  });
  const context = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
  const { services, endpoints } = buildConversionReads([{ installed: CRD, target }], context);
  const slice = (owner: string, ...ready: readonly (boolean | null)[]): JsonObject => ({
    metadata: { namespace: "shop", labels: { "kubernetes.io/service-name": owner } },
    endpoints: ready.map((one) => ({ conditions: { ready: one } })),
  });
  const kept = "shop/policy";
  const table: readonly (readonly [object: JsonObject, isKept: boolean])[] = [
    [slice("policy", true), true],
    [slice("policy", null), true],
    [slice("policy", false, true), true],
    [slice("policy", false), false],
    [slice("policy"), false],
    [slice("other", true), false],
  ];
  for (const [object, isKept] of table) assert.deepEqual(endpoints?.keep(object), isKept ? kept : undefined);
  assert.equal(services?.keep({ metadata: { namespace: "shop", name: "policy" } }), "shop/policy");
  assert.equal(services?.keep({ metadata: { namespace: "shop", name: "other" } }), undefined);
});

test("counts the objects that are deleted with their definition", () => {
  const found = (count: number) =>
    ({ kind: "found", values: Array.from({ length: count }, () => true as const) }) as const;
  const messages = [undefined, found(0), found(1), found(2)].map(
    (objects) => buildDeletedCrdFindings(CRD, objects)[0]?.message,
  );
  const start = "The target deletes it together with";
  assert.deepEqual(messages, [undefined, undefined, `${start} its only object.`, `${start} all 2 of its objects.`]);
  const notices = [undefined, found(0), found(1)].map((objects) =>
    buildDeletedCrdNotices(CRD, objects, "4.19.2").join(),
  );
  assert.deepEqual(notices, ["", "4.19.2 deletes the CRD widgets.example.com, which has no objects.", ""]);
  const select = (kind: string, name: string) => {
    const deleted = [{ apiVersion: "apiextensions.k8s.io/v1", kind, name, file: "a.yaml", capabilities: [] }];
    const context = buildContext(version("4.18.5"), release("4.19.2", { deleted }), new Date(0));
    return selectDeletedCrds([{ crd: CRD, isFromPayload: true }], context).length;
  };
  assert.deepEqual(
    [
      select("CustomResourceDefinition", CRD.name),
      select("Service", CRD.name),
      select("CustomResourceDefinition", "b"),
    ],
    [1, 0, 0],
  );
});
