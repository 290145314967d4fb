import assert from "node:assert/strict";
import { test } from "node:test";
import check, {
  buildLostVersionFindings,
  buildTakeoverFindings,
  buildUnmanagedFindings,
} from "../../src/checks/gateway-api-crds/check.ts";
import { buildUnknowns, type GatewayCrd, isManaged, keepCrd } from "../../src/checks/gateway-api-crds/check.ts";
import { buildAckRead } from "../../src/checks/shared/acknowledgements.ts";
import { buildContext } from "../../src/model/check.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";

const GROUP = "gateway.networking.k8s.io";
const target = { major: 4, minor: 19 };

function buildCrd(
  plural: string,
  storedVersions: Json = ["v1"],
  annotations: JsonObject = {},
  group = GROUP,
): GatewayCrd {
  const metadata = { name: `${plural}.${group}`, annotations };
  const crd = keepCrd({ kind: "CustomResourceDefinition", metadata, spec: { group }, status: { storedVersions } });
  assert.ok(crd !== undefined && crd.kind !== "ingressOperator");
  return crd;
}

test("keeps the definitions of the Gateway API, and the one of the ingress operator", () => {
  assert.deepEqual(keepCrd({ metadata: { name: "ingresscontrollers.operator.openshift.io" } }), {
    kind: "ingressOperator",
  });
  assert.equal(keepCrd({ metadata: { name: "a.example.com" }, spec: { group: "example.com" } }), undefined);
  assert.equal(buildCrd("xmeshes", [], {}, "gateway.networking.x-k8s.io").kind, "experimental");
  const table: readonly (readonly [stored: Json, kept: readonly string[] | undefined])[] = [
    [
      ["v1", "v1beta1"],
      ["v1", "v1beta1"],
    ],
    [[], []],
    [["v1", 1], undefined],
    [null, undefined],
    ["v1", undefined],
  ];
  for (const [stored, kept] of table) {
    const crd = buildCrd("gateways", stored);
    assert.deepEqual(crd.storedVersions, kept);
    assert.equal(buildUnknowns([crd]).length, kept === undefined ? 1 : 0);
  }
  assert.deepEqual(buildUnknowns([buildCrd("tcproutes", null)]), []);
});

test("knows which definitions the ingress operator manages, some only from 4.21 on", () => {
  const table: readonly (readonly [plural: string, minor: number, expected: boolean])[] = [
    ["gateways", 19, true],
    ["grpcroutes", 19, true],
    ["tlsroutes", 20, false],
    ["tlsroutes", 21, true],
    ["listenersets", 21, true],
    ["backendtlspolicies", 22, true],
    ["tcproutes", 22, false],
  ];
  for (const [plural, minor, expected] of table) {
    const crds = [buildCrd(plural)];
    assert.equal(isManaged(buildCrd(plural), { major: 4, minor }), expected, `${plural} ${minor}`);
    assert.equal(buildTakeoverFindings(crds, { major: 4, minor }).length, expected ? 1 : 0);
    assert.equal(buildUnmanagedFindings(crds, { major: 4, minor }).length, expected ? 0 : 1);
  }
  const experimental = buildCrd("gateways", [], {}, "gateway.networking.x-k8s.io");
  assert.equal(isManaged(experimental, target), false);
  assert.deepEqual(buildUnmanagedFindings([experimental], target), []);
});

test("says where an installed definition is from", () => {
  const bundle = { [`${GROUP}/bundle-version`]: "v1.2.1" };
  const channel = { [`${GROUP}/channel`]: "standard" };
  const text = (annotations: JsonObject) =>
    buildTakeoverFindings([buildCrd("gateways", [], annotations)], target)[0]?.message;
  const start = "The ingress operator of 4.19 and later replaces it with its own";
  assert.equal(text({}), `${start}.`);
  assert.equal(text(bundle), `${start}; the installed one is from v1.2.1.`);
  assert.equal(text(channel), `${start}; the installed one is from the standard channel.`);
  assert.equal(text({ ...bundle, ...channel }), `${start}; the installed one is from v1.2.1 of the standard channel.`);
});

test("names the stored versions that the operator's definition lacks, and those that it keeps", () => {
  const start = "The ingress operator's own CRD drops";
  const end = ", but status.storedVersions still lists";
  const table: readonly (readonly [plural: string, stored: Json, message: string | undefined, detail?: JsonObject])[] =
    [
      ["gateways", ["v1", "v1beta1"], undefined],
      ["gateways", null, undefined],
      ["tcproutes", ["v1alpha2"], undefined],
      ["gateways", ["v1alpha2"], `${start} v1alpha2${end} it.`, { versions: "v1alpha2" }],
      ["grpcroutes", ["v1", "v1beta1"], `${start} v1beta1${end} it.`, { versions: "v1beta1", kept: "v1" }],
      [
        "gateways",
        ["v1", "v1alpha1", "v1alpha2", "v1beta1"],
        `${start} v1alpha1, v1alpha2${end} them.`,
        { versions: "v1alpha1,v1alpha2", kept: "v1,v1beta1" },
      ],
    ];
  for (const [plural, stored, message, detail] of table) {
    const [finding] = buildLostVersionFindings([buildCrd(plural, stored)]);
    assert.deepEqual([finding?.message, finding?.detail], [message, detail]);
  }
});

test("asks for the acknowledgement only if something is taken over, and takes only true for one", () => {
  const gate = "ack-4.18-gateway-api-management-in-4.19";
  const acked = (value: Json) => buildAckRead(gate).keep({ data: { [gate]: value } });
  assert.deepEqual([acked("true"), acked("yes"), acked("")], [true, false, false]);
  const context = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
  const operator = { kind: "ingressOperator" } as const;
  const reads = (...values: readonly (GatewayCrd | typeof operator)[]) => ({
    crds: { kind: "found", values } as const,
  });
  const follow = (...values: readonly (GatewayCrd | typeof operator)[]) =>
    Object.keys(check.follow?.(reads(...values), context) ?? {});
  const managed = buildCrd("gateways");
  const other = buildCrd("tcproutes");
  assert.deepEqual([follow(operator, managed), follow(operator, other), follow(managed)], [["acknowledged"], [], []]);
  const judge = (acknowledged?: boolean) => {
    const read = acknowledged === undefined ? {} : { acknowledged: { kind: "found", value: acknowledged } as const };
    const { findings = [], notices = [] } = check.evaluate(reads(operator, managed, other), context, read);
    return [findings.map(({ object }) => object.name.split(".", 1).join()).join(), notices.length];
  };
  assert.deepEqual(
    [judge(), judge(false), judge(true)],
    [
      ["tcproutes", 0],
      ["gateways,tcproutes", 0],
      ["tcproutes", 1],
    ],
  );
  assert.equal(check.evaluate(reads(managed), context, {}).notApplicable, "The cluster has no ingress operator.");
});
