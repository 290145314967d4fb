import { strict as assert } from "node:assert";
import { test } from "node:test";
import { judgeCluster } from "../support/data-checks/judge-check.ts";

const NODES = `cluster:
  /api/v1/nodes:
    - {apiVersion: v1, kind: Node, metadata: {name: a, labels: {size: "3"}}, spec: {unschedulable: true}}
    - {apiVersion: v1, kind: Node, metadata: {name: b, labels: {size: x, empty: null}}}
`;
const FORBIDDEN = `cluster:
  /api/v1/nodes: {error: 403 forbidden}
  /api/v1/namespaces: {error: 403 forbidden}
`;
const RISK = `risks:
- name: SampleBroken
  effect: broken
  title: It breaks
  url: https://example.com
  message: "\${objects} breaks with \${target.version}."
  remediation: Mend it.
  findings:`;

/** Risk, spec and cluster to: outcome, findings as "object: message", unknowns as "where: message", notices. */
type Sample = readonly [what: string, spec: string, cluster: string, expected: readonly string[]];

const UNSERVED = "cluster: {/apis/example.com/v1/widgets: {error: 404 not found, what: resource}}\n";

const SAMPLES: readonly Sample[] = [
  [
    "a rule finds objects",
    `reads: {nodes: {list: v1/nodes}}
${RISK}
  - forEach: nodes.items
    when: object.?spec.?unschedulable.orValue(false)
    message: It is cordoned, \${object.metadata.name}.`,
    NODES,
    ["risk", "Node a: It is cordoned, a.", "SampleBroken: Node a breaks with 4.19.2. Mend it."],
  ],
  [
    "an error of one object is unknown, and the others are judged",
    `reads: {nodes: {list: v1/nodes}}
${RISK}
  - forEach: nodes.items
    when: int(object.metadata.labels.size) > 2
    message: It is large.`,
    NODES,
    [
      "unknown",
      "Node b: spec.risks[0].findings[0].when has no value: type conversion error from 'string' to 'int'",
      "Node a: It is large.",
      "SampleBroken: Node a breaks with 4.19.2. Mend it.",
    ],
  ],
  [
    "a list that could not be read does not matter if the condition is false without it",
    `reads: {nodes: {list: v1/nodes}}
${RISK}
  - forEach: nodes.items
    when: crosses("5.7") && object.?spec.?unschedulable.orValue(false)
    message: It is cordoned.`,
    FORBIDDEN,
    ["clear"],
  ],
  [
    "what is not understood is told with the object that the rule names",
    `reads: {settings: {get: v1/namespaces, name: demo}}
${RISK}
  - when: int(settings.?metadata.?name.orValue("")) > 2
    object: settings
    message: It is large.`,
    "cluster: {/api/v1/namespaces/demo: {apiVersion: v1, kind: Namespace, metadata: {name: demo}}}",
    [
      "unknown",
      "Namespace demo: spec.risks[0].findings[0].when has no value: type conversion error from 'string' to 'int'",
    ],
  ],
  [
    "an error of `where` keeps the object as an error",
    `reads: {nodes: {list: v1/nodes, where: int(object.metadata.labels.size) > 2}}
notices: [{when: nodes.items.size() == 2, message: There are two.}]
${RISK}
  - forEach: nodes.items
    message: It is large.`,
    NODES,
    [
      "unknown",
      "Node b: spec.reads.nodes.where has no value: type conversion error from 'string' to 'int'",
      "Node a: It is large.",
      "There are two.",
      "SampleBroken: Node a breaks with 4.19.2. Mend it.",
    ],
  ],
  [
    "a look-up is unknown if the key of an object is",
    `reads: {nodes: {list: v1/nodes, index: {bySize: string(int(object.metadata.labels.size))}}}
notices: [{when: '!("3" in nodes.by.bySize)', message: There is none.}]`,
    NODES,
    ["unknown", "Node b: spec.reads.nodes.index.bySize has no value: type conversion error from 'string' to 'int'"],
  ],
  [
    "a failed read is unknown if nothing else decides",
    `reads: {nodes: {list: v1/nodes}, namespaces: {list: v1/namespaces}}
notices: [{when: nodes.items.size() > 1 || namespaces.items.size() > 1, message: There are several.}]`,
    FORBIDDEN,
    ["unknown", "nodes: 403 forbidden", "namespaces: 403 forbidden"],
  ],
  [
    "a failed read that decides nothing is not reported",
    `reads: {nodes: {list: v1/nodes}, namespaces: {list: v1/namespaces}}
notices: [{when: target.minor == "4.20" && nodes.items.size() > 1, message: There are several.}]`,
    FORBIDDEN,
    ["clear"],
  ],
  [
    "a rule may ask whether a read succeeded, which is reported all the same",
    `reads: {nodes: {list: v1/nodes}, namespaces: {list: v1/namespaces}}
notices: [{when: "!readable.nodes || nodes.items.size() > 1", message: There may be several.}]`,
    FORBIDDEN,
    ["unknown", "nodes: 403 forbidden", "There may be several."],
  ],
  [
    "an error of notApplicable leaves the check unknown, and what it would find unsaid",
    `reads: {nodes: {list: v1/nodes}}
notApplicable: [{when: "nodes.items.size() == 0", reason: There are none.}]
notices: [{message: It was judged.}]`,
    FORBIDDEN,
    ["unknown", "nodes: 403 forbidden"],
  ],
  [
    "a text without a value keeps the finding",
    `reads: {nodes: {list: v1/nodes}}
${RISK}
  - forEach: nodes.items
    when: object.metadata.name == "b"
    message: It is \${object.spec.providerID}.`,
    NODES,
    [
      "unknown",
      "Node b: spec.risks[0].findings[0].message has no value: no such key: spec",
      "Node b: (could not be formatted)",
      "SampleBroken: Node b breaks with 4.19.2. Mend it.",
    ],
  ],
  [
    "a finding that two rules make counts once",
    `reads: {nodes: {list: v1/nodes}}
${RISK}
  - {forEach: nodes.items, message: It is there.}
  - {forEach: 'nodes.items.filter(n, n.metadata.name == "a")', message: It is there.}`,
    NODES,
    [
      "risk",
      "Node a: It is there.",
      "Node b: It is there.",
      "SampleBroken: Node a and Node b breaks with 4.19.2. Mend it.",
    ],
  ],
  [
    "a member that is null is absent",
    `reads: {nodes: {list: v1/nodes}}
notices: [{when: 'nodes.items.exists(n, has(n.metadata.labels.empty))', message: It is empty.}]`,
    NODES,
    ["clear"],
  ],
  [
    "a read whose condition is false is not performed",
    `reads: {nodes: {list: v1/nodes}, namespaces: {list: v1/namespaces, when: nodes.items.size() > 2}}
notices: [{when: namespaces.items.size() == 0, message: There are none.}]`,
    `${NODES}  /api/v1/namespaces: {error: 403 forbidden}\n`,
    ["clear", "There are none."],
  ],
  [
    "a read whose condition has no value is performed",
    `reads:
  nodes: {list: v1/nodes}
  namespaces: {list: v1/namespaces, when: 'int(nodes.items[1].metadata.labels.size) > 2'}
notices: [{when: namespaces.items.size() == 0, message: There are none.}]`,
    `${NODES}  /api/v1/namespaces: {error: 403 forbidden}\n`,
    ["unknown", "namespaces: 403 forbidden"],
  ],
  [
    "an expression that goes through too much is unknown",
    `reads: {nodes: {list: v1/nodes}}
variables:
- {name: ten, expression: "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"}
- {name: many, expression: "ten.map(a, ten.map(b, ten.map(c, ten.map(d, ten.map(e, ten.map(f, ten.map(g, g)))))))"}
notices: [{when: many.size() == 10, message: There are ten.}]`,
    NODES,
    ["unknown", "check sample: spec.notices[0].when has no value: it takes too much memory to evaluate"],
  ],
  [
    "facts of the cluster are read if an expression names them",
    `reads: {nodes: {list: v1/nodes}}
notices: [{when: cluster.hosted && nodes.items.size() == 2, message: It is hosted.}]`,
    `${NODES}  /apis/config.openshift.io/v1/infrastructures/cluster: {error: 403 forbidden}\n`,
    ["unknown", "infrastructures.config.openshift.io cluster: 403 forbidden"],
  ],
  [
    "facts are read however they are named",
    `reads: {nodes: {list: v1/nodes}}
notices: [{when: 'cluster.?topology.orValue("") == "External" && nodes.items.size() == 2', message: It is hosted.}]`,
    `${NODES}  /apis/config.openshift.io/v1/infrastructures/cluster: {error: 403 forbidden}\n`,
    ["unknown", "infrastructures.config.openshift.io cluster: 403 forbidden"],
  ],
  [
    "what is required and is not there is not applicable",
    `reads: {config: {get: config.openshift.io/v1/proxies, name: cluster, required: true}}`,
    "cluster: {/apis/config.openshift.io/v1/proxies/cluster: null}\n",
    ["notApplicable", "The cluster has no proxies.config.openshift.io cluster."],
  ],
  [
    "a kind that is not served, and of which the check does not say what that means, is unknown",
    `reads: {widgets: {list: example.com/v1/widgets}}
notices: [{when: widgets.items.size() > 0, message: There are some.}]`,
    UNSERVED,
    ["unknown", "widgets.example.com: the API server does not serve it, and the check does not say what that means"],
  ],
  [
    "a kind that is not served does not matter if something else decides",
    `reads: {widgets: {list: example.com/v1/widgets}}
notices: [{when: 'crosses("5.7") && widgets.items.size() > 0', message: There are some.}]`,
    UNSERVED,
    ["clear"],
  ],
  [
    "a kind that is not served is none to a check that asks for it",
    `reads: {widgets: {list: example.com/v1/widgets}}
notices: [{when: '!widgets.served || widgets.items.size() > 0', message: There are none.}]`,
    UNSERVED,
    ["clear", "There are none."],
  ],
  [
    "a kind that is not served is none to what excludes the check",
    `reads: {widgets: {list: example.com/v1/widgets}}
notApplicable: [{when: widgets.items.size() == 0, reason: There are none.}]
notices: [{when: widgets.items.size() > 0, message: There are some.}]`,
    UNSERVED,
    ["notApplicable", "There are none."],
  ],
  [
    "a kind that is not served is none on the platform on which it is not read",
    `reads: {widgets: {list: example.com/v1/widgets, only: kubernetes}}
notices: [{when: widgets.items.size() == 0, message: There are none.}]`,
    UNSERVED,
    ["clear", "There are none."],
  ],
  [
    "an author's name comes before ours",
    `reads: {now: {list: v1/nodes}}
variables: [{name: cluster, expression: now.items.size()}]
notices: [{when: cluster == 2, message: There are two.}]`,
    NODES,
    ["clear", "There are two."],
  ],
];

for (const [what, spec, cluster, expected] of SAMPLES) {
  test(what, async () => {
    const {
      outcome,
      reason,
      unknowns = [],
      findings = [],
      notices = [],
      risks = [],
    } = await judgeCluster(spec, cluster);
    assert.deepEqual(
      [
        outcome,
        ...(reason === undefined ? [] : [reason]),
        ...unknowns.map((one) => `${one.where}: ${one.message}`),
        ...findings.map(({ object, message }) => `${object.kind} ${object.name}: ${message}`),
        ...notices,
        ...risks.map(({ name, message }) => `${name}: ${message}`),
      ],
      expected,
    );
  });
}
