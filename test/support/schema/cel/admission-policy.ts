import type { AdminApi, AdminResponse } from "../../../../verify/api-server/admin-api.ts";
import { eventually } from "../../../../verify/shared/eventually.ts";
import type { CelValue } from "../../../../src/schema/cel/values/value.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../../../src/model/json.ts";
import { buildValueTest } from "./value-test.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const PATHS = {
  ConfigMap: "/api/v1/namespaces/default/configmaps",
  Thing: "/apis/cel.example.com/v1/namespaces/default/things",
};
/** The label by which a policy finds its one object. */
const LABEL = "cel.example.com/policy";

/** An expression with the value that it must have; without one, it must fail. */
export type ExpressionTest = { readonly expression: string; readonly value?: CelValue | undefined };

/** The expressions of one object. */
export type PolicyCase = { readonly object: JsonObject; readonly tests: readonly ExpressionTest[] };

/** Accepts custom resources with any `spec`. */
export async function createThings(api: AdminApi): Promise<void> {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: open } } };
  await api.call("POST", CRDS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.cel.example.com" },
    spec: {
      group: "cel.example.com",
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  await eventually(async () => {
    const { code } = await api.call("GET", PATHS.Thing);
    if (code !== 200) throw new Error(`things are not served yet: ${code}`);
  });
}

function buildPolicy(name: string, tests: readonly ExpressionTest[], validations: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        objectSelector: { matchLabels: { [LABEL]: name } },
        resourceRules: [
          {
            apiGroups: ["", "cel.example.com"],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["configmaps", "things"],
          },
        ],
      },
      variables: tests.map(({ expression }, i) => ({ name: `e${i}`, expression })),
      validations,
    },
  };
}

function buildValidation(i: number, value: CelValue | undefined): string {
  return value === undefined ? `[variables.e${i}].size() == 0` : buildValueTest(`dyn(variables.e${i})`, value);
}

/** The server's reasons to refuse these expressions, by position. Creates nothing. */
export async function compileOnServer(
  api: AdminApi,
  expressions: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const policy = buildPolicy(
    "compiled",
    expressions.map((expression) => ({ expression })),
    [{ expression: "true" }],
  );
  const { code, body } = await api.call("POST", `${POLICIES}?dryRun=All`, policy);
  if (code === 201) return new Map();
  if (code !== 422) throw new Error(`the policy was answered with ${code}: ${JSON.stringify(body)}`);
  return new Map(
    listAt(body, "details", "causes").map((cause) => [
      Number(/variables\[(\d+)\]/.exec(textAt(cause, "field") ?? "")?.[1]),
      textAt(cause, "message") ?? "",
    ]),
  );
}

/** Creates a policy for each object, and waits until all are in force. */
export async function createPolicies(api: AdminApi, cases: readonly PolicyCase[]): Promise<void> {
  for (const [i, { tests }] of cases.entries()) await create(api, i, tests);
  const last = cases.length;
  await create(api, last, [{ expression: "1", value: 2n }]);
  await eventually(async () => {
    const answers = await testObject(api, labelObject({ kind: "ConfigMap", metadata: { name: "x" } }, last));
    if (answers.size === 0) throw new Error("the policies are not in force yet");
  });
}

async function create(api: AdminApi, i: number, tests: readonly ExpressionTest[]): Promise<void> {
  const name = `policy-${i}`;
  const validations = tests.map(({ value }, i) => ({ expression: buildValidation(i, value), message: `#e${i}#` }));
  const answer = await api.call("POST", POLICIES, buildPolicy(name, tests, validations));
  requireCode(answer, 201);
  const spec = { policyName: name, validationActions: ["Warn"] };
  const apiVersion = "admissionregistration.k8s.io/v1";
  requireCode(
    await api.call("POST", BINDINGS, {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec,
    }),
    201,
  );
}

function requireCode({ code, body }: AdminResponse, expected: number): void {
  if (code !== expected) throw new Error(`answered with ${code}: ${JSON.stringify(body).slice(0, 2000)}`);
}

/** What the server says of each expression under the policy of the object: nothing if it has its value, or else why not. */
export async function testObject(api: AdminApi, object: JsonObject): Promise<ReadonlyMap<number, string>> {
  const path = object["kind"] === "ConfigMap" ? PATHS.ConfigMap : PATHS.Thing;
  const answer = await api.call("POST", `${path}?dryRun=All`, object);
  requireCode(answer, 201);
  return new Map(answer.warnings.map((text) => [Number(/(?:variables\.|#)e(\d+)/.exec(text)?.[1]), text]));
}

/** The object as the policy at this position sees it. */
export function labelObject(object: JsonObject, i: number): JsonObject {
  const metadata = objectAt(object, "metadata");
  const labels = { ...objectAt(metadata, "labels"), [LABEL]: `policy-${i}` };
  return { ...object, metadata: { ...metadata, labels } };
}
