import { testFaultyTexts } from "../../support/data-checks/text-faults.ts";

const CHECK = `kind: PreflightCheck
apiVersion: preflight.openshift.io/v1alpha1
metadata: {name: quotas}
spec:
  title: A
  applies: {updates: [minor]}
  `;
const RISK = `${CHECK}risks:
    - name: SiteA
      title: a
      url: https://example.com/
      message: a
      remediation: b
      `;

testFaultyTexts(
  "what is no field gets the one that was meant, or what it is a field of",
  [
    ["titel: a", "7:3 [titel] spec.titel: titel is not a field here (did you mean title?)"],
    [
      "zzzzzzz: a",
      "7:3 [zzzzzzz] spec.zzzzzzz: zzzzzzz is not a field here (the fields are name, requires, title, applies, onManifests, reads, variables, notApplicable, risks, notices, unknowns, seenAfterUpdate)",
    ],
    ["list: v1/nodes", "7:3 [list] spec.list: list is not a field here (it is a field of a read)"],
    ["reads: {a: {lst: v1/nodes}}", "7:15 [lst] spec.reads.a.lst: lst is not a field here (did you mean list?)"],
    [
      "notices: [{mesage: a}]",
      "7:14 [mesage] spec.notices[0].mesage: mesage is not a field here (did you mean message?)",
    ],
    [
      "notices: [{message: a, reason: b}]",
      "7:26 [reason] spec.notices[0].reason: reason is not a field here (it is a field of an unknown)",
    ],
  ],
  CHECK,
);

testFaultyTexts(
  "a kind gets the form of an API's path",
  [
    [
      "reads: {a: {list: nodes}}",
      "7:21 [nodes] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/nodes?)",
    ],
    [
      "reads: {a: {list: deployments.apps}}",
      "7:21 [deployments.apps] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean apps/v1/deployments?)",
    ],
    [
      "reads: {a: {list: apps/v1/Deployment}}",
      "7:21 [apps/v1/Deployment] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean apps/v1/deployments?)",
    ],
    [
      "reads: {a: {list: Ingress}}",
      "7:21 [Ingress] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/ingresses?)",
    ],
    [
      "reads: {a: {list: a.b/v1/NetworkPolicy}}",
      "7:21 [a.b/v1/NetworkPolicy] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean a.b/v1/networkpolicies?)",
    ],
    [
      "reads: {a: {list: v1/Gateway}}",
      "7:21 [v1/Gateway] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/gateways?)",
    ],
    [
      "reads: {a: {list: v1/Box}}",
      "7:21 [v1/Box] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/boxes?)",
    ],
    [
      "reads: {a: {list: v1/Batch}}",
      "7:21 [v1/Batch] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/batches?)",
    ],
    [
      "reads: {a: {list: v1/Dish}}",
      "7:21 [v1/Dish] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/dishes?)",
    ],
    [
      "reads: {a: {list: v1/Endpoints}}",
      "7:21 [v1/Endpoints] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/endpoints?)",
    ],
    [
      "reads: {a: {list: v1/DNS}}",
      "7:21 [v1/DNS] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/dnses?)",
    ],
    [
      'reads: {a: {list: "v1/a b"}}',
      "7:22 [v1/a b] spec.reads.a.list: it must be a kind such as apps/v1/deployments or v1/nodes",
    ],
    [
      "reads: {a: {get: Nodes}}",
      "7:20 [Nodes] spec.reads.a.get: it must be a kind such as apps/v1/deployments or v1/nodes (did you mean v1/nodes?)",
    ],
  ],
  CHECK,
);

testFaultyTexts(
  "a name gets the form that it has to have",
  [
    [
      "name: quotas",
      "7:9 [quotas] spec.name: it must be in PascalCase, with 3 to 60 letters and digits (did you mean Quotas?)",
    ],
    [
      "name: my-quotas_used  up",
      "7:9 [my-quotas_used  up] spec.name: it must be in PascalCase, with 3 to 60 letters and digits (did you mean MyQuotasUsedUp?)",
    ],
    ["name: A", "7:9 [A] spec.name: it must be in PascalCase, with 3 to 60 letters and digits"],
    [
      "reads: {a: {get: v1/nodes, name: A b}}",
      "7:36 [A b] spec.reads.a.name: it must be NAME or NAMESPACE/NAME (did you mean a-b?)",
    ],
    [
      "reads: {a: {get: v1/nodes, name: a/B-c_D}}",
      "7:36 [a/B-c_D] spec.reads.a.name: it must be NAME or NAMESPACE/NAME (did you mean a/b-c-d?)",
    ],
    ["reads: {a: {get: v1/nodes, name: a/b/c}}", "7:36 [a/b/c] spec.reads.a.name: it must be NAME or NAMESPACE/NAME"],
    [
      "reads: {A: {list: v1/nodes}}",
      "7:11 [A] spec.reads.A: this is not a name here: names begin with a small letter and have letters and digits, at most 40",
    ],
    [
      "reads: {a: {list: v1/nodes, index: {B: a}}}",
      "7:39 [B] spec.reads.a.index.B: this is not a name here: names begin with a small letter and have letters and digits, at most 40",
    ],
    [
      "variables: [{name: A, expression: a}]",
      "7:22 [A] spec.variables[0].name: names begin with a small letter and have letters and digits, at most 40 (did you mean a?)",
    ],
    [
      "variables: [{name: Big-size, expression: a}]",
      "7:22 [Big-size] spec.variables[0].name: names begin with a small letter and have letters and digits, at most 40 (did you mean bigSize?)",
    ],
    [
      'variables: [{name: "", expression: a}]',
      '7:23 ["] spec.variables[0].name: names begin with a small letter and have letters and digits, at most 40',
    ],
  ],
  CHECK,
);

testFaultyTexts(
  "a value of another type is told what it must be",
  [
    ["reads: {a: {list: 1}}", "7:21 [1] spec.reads.a.list: it must be a text (put it in quotes)"],
    ["reads: {a: {list: true}}", "7:21 [true] spec.reads.a.list: it must be a text (put it in quotes)"],
    ["reads: {a: {list: null}}", "7:21 [null] spec.reads.a.list: it must be a text (give it a value, or leave it out)"],
    ["reads: {a: [1]}", "7:11 [a] spec.reads.a: it must be a map"],
    ["reads: []", "7:3 [reads] spec.reads: it must be a map"],
    ["notices: a", "7:12 [a] spec.notices: it must be a list"],
    ["notices: [null]", "7:13 [null] spec.notices[0]: it must be a map (give it a value, or leave it out)"],
    ['notices: [{message: ""}]', '7:24 ["] spec.notices[0].message: it must not be empty'],
    ["notices: [{}]", "7:3 [notices] spec.notices[0]: the field message is missing"],
    ["notices: [{message: a}, {}]", "7:3 [notices] spec.notices[1]: the field message is missing"],
    [
      "reads: {a: {list: v1/nodes, only: openshft}}",
      "7:37 [openshft] spec.reads.a.only: it must be one of openshift, kubernetes (did you mean openshift?)",
    ],
    [
      "reads: {a: {list: v1/nodes, only: xyz}}",
      "7:37 [xyz] spec.reads.a.only: it must be one of openshift, kubernetes",
    ],
    ["reads: {a: {list: v1/nodes, required: false}}", "7:41 [false] spec.reads.a.required: it must be true"],
    [
      "reads: {a: {list: v1/nodes, soundInPart: 7}}",
      "7:44 [7] spec.reads.a.soundInPart: it must be one of object, namespace",
    ],
    ["seenAfterUpdate: 4.20", "7:20 [4.20] spec.seenAfterUpdate: it must be a text (put it in quotes)"],
    [
      "unknowns: [{where: a, message: b, reason: NotFond}]",
      "7:45 [NotFond] spec.unknowns[0].reason: it must be one of NotUnderstood, NotReported, NotFound, NotServed, StaleStatus, RolloutIncomplete, TargetUnknown (did you mean NotFound?)",
    ],
  ],
  CHECK,
);

testFaultyTexts(
  "a risk is told what it lacks and what is wrong with it",
  [
    [
      "effect: stuk\n      findings: [{message: a}]",
      "13:15 [stuk] spec.risks[0].effect: it must be one of refused, notRecommended, stuck, broken (did you mean stuck?)",
    ],
    ["effect: stuck\n      findings: []", "14:7 [findings] spec.risks[0].findings: it must not be empty"],
    [
      "effect: stuck\n      findings: [{message: a}]\n      fixKind: safe",
      "15:7 [fixKind] spec.risks[0].fixKind: the field fix is missing",
    ],
    [
      "effect: stuck\n      findings: [{message: a}]\n      fixKind: save\n      fix: [{run: a}]",
      "15:16 [save] spec.risks[0].fixKind: it must be one of safe, disruptive, weakening (did you mean safe?)",
    ],
    [
      "effect: stuck\n      findings: [{mesage: a}]",
      "14:19 [mesage] spec.risks[0].findings[0].mesage: mesage is not a field here (did you mean message?)",
    ],
    ["effect: stuck", "8:7 [name] spec.risks[0]: the field findings is missing"],
    [
      "efect: stuck\n      findings: [{message: a}]",
      "13:7 [efect] spec.risks[0].efect: efect is not a field here (did you mean effect?)",
    ],
  ],
  RISK,
);
