import type { Json } from "../../../src/model/json.ts";
import { testFunction } from "../../support/data-checks/function-cases.ts";

const OBJECT: Json = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", namespace: "b", labels: { app: "x", tier: "web" } },
  spec: { selector: { matchLabels: { app: "x" } } },
  status: {
    conditions: [
      { type: "Available", status: "True" },
      { type: "Degraded", status: "False", reason: "AsExpected" },
      { type: "Available", status: "Unknown" },
      "odd",
    ],
    odd: { conditions: "none" },
  },
};

testFunction(
  "condition",
  [
    ['condition(object, "Available").?status', 'optional("True")'],
    ['condition(object, "Degraded").reason', 'optional("AsExpected")'],
    ['condition(object, "Degraded").?message.orValue("")', '""'],
    ['condition(object, "Progressing")', "none"],
    ['condition(object, "Progressing").?status.orValue("")', '""'],
    ['condition(object, "")', "none"],
    ['condition(object, "available")', "none"],
    ['condition(optional.of(object), "Available").?status', 'optional("True")'],
    ['condition(optional.none(), "Available")', "none"],
    ['condition({}, "Available")', "none"],
    ['condition({"status": {}}, "Available")', "none"],
    ['condition({"status": null}, "Available")', "none"],
    ['condition({"status": {"conditions": null}}, "Available")', "none"],
    ['condition({"status": object.status.odd}, "Available")', "none"],
    ['condition("text", "Available")', "none"],
    ["condition(null, 'Available')", "none"],
    ['condition(object.missing, "Available")', "error: no such key: missing"],
    ["condition(object, 1)", "fault: condition does not accept (dyn, int)"],
    ["condition(object)", "fault: condition does not accept (dyn)"],
  ],
  OBJECT,
);

testFunction(
  "matchesSelector",
  [
    ["matchesSelector(object.spec.selector, object.metadata.labels)", "true"],
    ['matchesSelector(object.spec.selector, {"app": "y"})', "false"],
    ["matchesSelector(object.spec.selector, {})", "false"],
    ["matchesSelector(object.spec.selector, object.?metadata.?annotations)", "false"],
    ["matchesSelector(object.spec.?selector, object.metadata.?labels)", "true"],
    ["matchesSelector(object.spec.selector, null)", "false"],
    ["matchesSelector({}, {})", "true"],
    ["matchesSelector({}, object.metadata.labels)", "true"],
    [
      'matchesSelector({"matchExpressions": [{"key": "app", "operator": "In", "values": ["x", "y"]}]}, {"app": "y"})',
      "fault: a value of type list(string) is mixed with values of type string",
    ],
    [
      'matchesSelector({"matchExpressions": [{"key": dyn("app"), "operator": "In", "values": ["x", "y"]}]}, {"app": "y"})',
      "fault: a value of type string is mixed with values of type dyn",
    ],
    [
      'matchesSelector(parseJson("{\\"matchExpressions\\": [{\\"key\\": \\"app\\", \\"operator\\": \\"In\\", \\"values\\": [\\"x\\", \\"y\\"]}]}"), {"app": "y"})',
      "true",
    ],
    ["matchesSelector(parseYaml('matchExpressions: [{key: app, operator: NotIn, values: [x]}]'), {})", "true"],
    [
      "matchesSelector(parseYaml('matchExpressions: [{key: app, operator: NotIn, values: [x]}]'), object.metadata.labels)",
      "false",
    ],
    ["matchesSelector(parseYaml('matchExpressions: [{key: app, operator: Exists}]'), object.metadata.labels)", "true"],
    [
      "matchesSelector(parseYaml('matchExpressions: [{key: app, operator: DoesNotExist}]'), object.metadata.labels)",
      "false",
    ],
    [
      "matchesSelector(parseYaml('{matchLabels: {app: x}, matchExpressions: [{key: tier, operator: In, values: [db]}]}'), object.metadata.labels)",
      "false",
    ],
    [
      "matchesSelector(parseYaml('matchExpressions: [{key: app, operator: Like}]'), {})",
      "error: it is not a label selector",
    ],
    ["matchesSelector(parseYaml('matchExpressions: [{operator: Exists}]'), {})", "error: it is not a label selector"],
    ["matchesSelector(parseYaml('matchLabels: {app: 1}'), {})", "error: it is not a label selector"],
    ["matchesSelector(null, {})", "error: no such overload"],
    ["matchesSelector(object.spec.?missing, {})", "error: no such overload"],
    ["matchesSelector('app=x', object.metadata.labels)", "error: no such overload"],
    ["matchesSelector(object.spec.selector, 'app=x')", "error: no such overload"],
  ],
  OBJECT,
);

testFunction(
  "ref",
  [
    ["ref(object)", '"Deployment b/a"'],
    ['ref({"apiVersion": "v1", "kind": "Node", "name": "n"})', '"Node n"'],
    [
      'ref({"apiVersion": "config.openshift.io/v1", "kind": "Node", "name": "cluster"})',
      '"nodes.config.openshift.io cluster"',
    ],
    ['ref({"apiVersion": "v1", "kind": "Pod", "namespace": "b", "name": "a"})', '"Pod b/a"'],
    ["ref({'apiVersion': 'v1', 'kind': 'Pod'})", "error: it has no kind or no name"],
    ["ref({'metadata': {'name': 'a'}})", "error: it has no kind or no name"],
    ["ref({})", "error: it has no kind or no name"],
    ["ref('Node a')", "error: no such overload"],
    ["ref(null)", "error: no such overload"],
    ["ref(object.missing)", "error: no such key: missing"],
    ["ref(timestamp('2024-01-01T00:00:00Z'))", "error: no such overload"],
  ],
  OBJECT,
);
