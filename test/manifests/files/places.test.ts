import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ManifestPath } from "../../../src/model/manifest.ts";
import { parseManifests } from "../../../src/manifests/files/parse-manifests.ts";
import { describeManifest, formatPlace } from "../../support/manifests/files.ts";

const ORIGIN = { file: "a.yaml", isNamed: true };

function parse(text: string): readonly string[] {
  return [...parseManifests(text, ORIGIN)].map((item) => describeManifest(item));
}

/** "line:column" of the field of a text's first object. */
function locate(text: string, path: ManifestPath, index = 0): string {
  const item = [...parseManifests(text, ORIGIN)][index];
  assert.ok(item && "object" in item, JSON.stringify(item));
  return formatPlace(item.locate(path)).replace("a.yaml:", "");
}

const POD = `# a comment
apiVersion: v1
kind: Pod
metadata: {name: a, labels: {"x.y/z": q}}
spec:
  containers:
  - name: one   # the first
    image: >-
      folded: no key
      text
    ports: [{containerPort: 1},
            {containerPort: 2}]
  -
    name: 'two'
    env: &env
    - {name: A, value: "1"}
  - name: three
    env: *env
    on: x
    <<: &rest
      stdin: true
      tty: true
  - <<: *rest
    name: four
  - *rest
`;

test("a field has the line and the column of its key, in every style", () => {
  const places: readonly (readonly [ManifestPath, string])[] = [
    [[], "2:1"],
    [["metadata", "name"], "4:12"],
    [["metadata", "labels", "x.y/z"], "4:30"],
    [["spec", "containers"], "6:3"],
    [["spec", "containers", 0], "7:5"],
    [["spec", "containers", 0, "image"], "8:5"],
    [["spec", "containers", 0, "ports", 1, "containerPort"], "12:14"],
    [["spec", "containers", 1, "name"], "14:5"],
    [["spec", "containers", 2, "env", 0, "value"], "16:17"],
    [["spec", "containers", 2, "true"], "19:5"],
    [["spec", "containers", 2, "tty"], "22:7"],
    [["spec", "containers", 3, "tty"], "22:7"],
    [["spec", "containers", 4, "stdin"], "21:7"],
    [["spec", "containers", 4], "25:5"],
  ];
  for (const [path, place] of places) assert.equal(locate(POD, path), place, path.join("."));
});

test("a field that is not there has the place of the nearest field around it", () => {
  assert.equal(locate(POD, ["spec", "nodeName"]), "5:1");
  assert.equal(locate(POD, ["spec", "containers", 1, "ports", 0, "name"]), "13:5".replace("13", "14"));
  assert.equal(locate(POD, ["status"]), "2:1");
});

test("places are the same with CRLF and with a mark of UTF-8, and count characters", () => {
  assert.equal(locate(POD.replaceAll("\n", "\r\n"), ["spec", "containers", 2, "tty"]), "22:7");
  assert.equal(locate("apiVersion: v1\nkind: A\nd: {é: 1, b: 2}\n", ["d", "b"]), "3:11");
  assert.equal(locate('{\n\t"apiVersion": "v1",\n\t"kind": "A", "x": [1,\n\t\t2]}', ["x", 1]), "4:3");
});

test("brackets and quotes may close in the column of their key, as for kubectl", () => {
  const text = `apiVersion: v1\nkind: A\na: {\n  b: [\n1, 2\n], "c": 'x\ny'\n}\nd: 1\n`;
  const [item] = parseManifests(text, ORIGIN);
  assert.ok(item && "object" in item, JSON.stringify(item));
  assert.deepEqual(item.object, { apiVersion: "v1", kind: "A", a: { b: [1, 2], c: "x y" }, d: 1 });
  assert.deepEqual(
    [["a", "b", 1], ["a", "c"], ["d"]].map((path) => locate(text, path)),
    ["5:4", "6:4", "9:1"],
  );
  assert.deepEqual(parse("apiVersion: v1\nkind: A\na: {\nb: c"), [
    "a.yaml:4:5 NotUnderstood: it is not valid YAML: unexpected end of the stream within a flow collection",
  ]);
});

suite("documents", () => {
  test("each has its lines, also behind empty ones, comments and directives", () => {
    const text = `%YAML 1.1\n--- # first\napiVersion: v1\nkind: A\n---\n# nothing\n---\n\napiVersion: v1\nkind: B\n...\n---\n---\nkind: C\napiVersion: v1\n`;
    assert.deepEqual(parse(text), ["a.yaml:3:1 A", "a.yaml:9:1 B", "a.yaml:14:1 C"]);
  });

  test("a fault in one hides no other", () => {
    const text = "apiVersion: v1\nkind: A\n---\na: [\n---\napiVersion: v1\nkind: B\n";
    assert.deepEqual(parse(text), [
      "a.yaml:1:1 A",
      "a.yaml:5:1 NotUnderstood: it is not valid YAML: unexpected end of the stream within a flow collection",
      "a.yaml:6:1 B",
    ]);
  });

  test("Helm's comment says which template one is from", () => {
    const text = `---\n# Source: web/templates/a.yaml\n# more\napiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n# Source: no\n`;
    assert.deepEqual(parse(text), ["a.yaml:4:1 (web/templates/a.yaml) A", "a.yaml:7:1 B"]);
  });

  test("JSON objects may follow each other", () => {
    const text = `{"apiVersion":"v1","kind":"A","x":"}{"}\n  {"apiVersion":"v1",\n"kind":"B"}{"kind":"C"}`;
    assert.deepEqual(parse(text), ["a.yaml:1:2 A", "a.yaml:2:4 B", "a.yaml:3:13 NotAnObject: it has no apiVersion"]);
  });
});

suite("lists", () => {
  test("have their items, whose kind is the list's if they have none", () => {
    const text = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, x: {y: 1}}\n- apiVersion: v1\n  kind: BList\n  items: [{x: 1}, 2]\n`;
    assert.deepEqual(parse(text), ["a.yaml:4:4 A", "a.yaml:7:12 B", "a.yaml:7:19 NotAnObject: it is not an object"]);
    assert.equal(locate(text, ["x", "y"]), "4:33");
    assert.equal(locate(text, ["x"], 1), "7:12");
  });

  test("one without items has no object", () => assert.deepEqual(parse("apiVersion: v1\nkind: List\nitems: []\n"), []));
});

test("of keys that repeat, the last counts, and the others are told", () => {
  const text = "apiVersion: v1\nkind: A\nspec:\n  a: 1\n  b: {c: 1, c: 2}\n  a: 3\n";
  const [item] = parseManifests(text, ORIGIN);
  assert.ok(item && "object" in item);
  assert.deepEqual(item.object["spec"], { a: 3, b: { c: 2 } });
  assert.equal(locate(text, ["spec", "a"]), "6:3");
  assert.deepEqual(
    item.repeated?.map(({ path, place }) => `${path.join(".")} ${formatPlace(place)}`),
    ["spec.a a.yaml:4:3", "spec.b.c a.yaml:5:7"],
  );
});

suite("what is no manifest", () => {
  for (const [text, reason] of [
    ["a: b\n", "NotAnObject: it has no apiVersion and no kind"],
    ["kind: A\n", "NotAnObject: it has no apiVersion"],
    ["a\n", "NotAnObject: it is not an object"],
    ["apiVersion: v1\nkind: Config\n", "OtherContent: it is a file of kubectl: a kubeconfig"],
    ["apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n", "OtherContent: it is a file of kubeadm"],
    [
      "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Release.Name }}\n",
      'NotRendered: it is a template of Helm that was not rendered: give the output of "helm template" for its chart',
    ],
    [
      "apiVersion: v1\nkind: A\nmetadata:\n  name: '{{ name }}'\n",
      "NotRendered: it is a template with {{ }} that was not rendered: render it, and give what comes out",
    ],
    [
      "apiVersion: v1\nkind: A\nmetadata:\n  name: web-${ENV:=dev}\n",
      'NotRendered: it has variables ${NAME} that were not replaced: for Flux\'s, give the output of "flux build kustomization"',
    ],
  ] as const)
    test(text.trim(), () => assert.deepEqual(parse(text), [`a.yaml:1:1 ${reason}`]));

  test("braces and variables for those who read them in the cluster are values", () =>
    assert.deepEqual(
      parse("apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {x: '{{ $labels.pod }}', y: '${HOME}/a'}\n"),
      ["a.yaml:1:1 A"],
    ));
});
