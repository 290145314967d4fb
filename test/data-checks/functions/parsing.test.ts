import { testFunction } from "../../support/data-checks/function-cases.ts";

const OBJECT = {
  image: "quay.io/x/y:v1.2.3",
  spec: { a: { b: 1, c: [true, { d: null }], "x.y": "z" }, e: {}, f: [] },
  pattern: "([a-z]+",
};

testFunction(
  "capture",
  [
    ["capture('kubelet-1.31', '-([0-9.]+)$')", 'optional("1.31")'],
    ["capture(object.image, ':v([0-9]+)')", 'optional("1")'],
    ["capture('abc', 'b')", 'optional("b")'],
    ["capture('abc', '^b')", "none"],
    ["capture('abc', 'b|(x)')", "none"],
    ["capture('', '')", 'optional("")'],
    ["capture('a1b2', '[a-z]([0-9])')", 'optional("1")'],
    ["capture('A', '(?i)(a)')", 'optional("A")'],
    ["capture('abc', '(?:a)(b)')", 'optional("b")'],
    ["capture('é😀x', '(.)x')", 'optional("😀")'],
    ["capture('abc', '(a)(b)')", "error: the pattern of capture() has more than one group"],
    ["capture(object.image, object.pattern)", "error: Illegal regex"],
    ["capture('ab', 'a' + '(b)').orValue('')", '"b"'],
    ["capture(dyn(1), 'a')", "error: no such overload"],
    ["capture('a')", "fault: capture does not accept (string)"],
  ],
  OBJECT,
);

testFunction(
  "leaves",
  [
    [
      "leaves(object.spec.a)",
      '[{"path": "b", "value": 1}, {"path": "c.0", "value": true}, {"path": "c.1.d", "value": null}, {"path": "x.y", "value": "z"}]',
    ],
    ["leaves(object.spec).map(x, x.path)", '["a.b", "a.c.0", "a.c.1.d", "a.x.y"]'],
    ["leaves(object.spec.e)", "[]"],
    ["leaves(object.spec.f)", "[]"],
    ["leaves([])", "[]"],
    ["leaves([1, 2]).map(x, x.path)", '["0", "1"]'],
    ["leaves('a')", '[{"path": "", "value": "a"}]'],
    ["leaves(null)", '[{"path": "", "value": null}]'],
    ["leaves({1: 'a'})", '[{"path": "1", "value": "a"}]'],
    ["leaves(object.spec).exists(x, x.value == 1)", "true"],
    ["leaves(object.nope)", "error: no such key: nope"],
    ["leaves()", "fault: leaves does not accept ()"],
  ],
  OBJECT,
);

testFunction("scaled", [
  ["scaled(3, 10)", "3"],
  ["scaled('25%', 10)", "2"],
  ["scaled('100%', 10)", "10"],
  ["scaled('0%', 10)", "0"],
  ["scaled('33%', 3)", "0"],
  ["scaled('34%', 3)", "1"],
  ["scaled('150%', 10)", "15"],
  ["scaled('50%', 0)", "0"],
  ["scaled(-1, 10)", "-1"],
  ["scaled('3', 10)", 'error: "3" is neither a number nor a percentage'],
  ["scaled('-5%', 10)", 'error: "-5%" is neither a number nor a percentage'],
  ["scaled('2.5%', 10)", 'error: "2.5%" is neither a number nor a percentage'],
  ["scaled('', 10)", 'error: "" is neither a number nor a percentage'],
  ["scaled(null, 10)", "error: no such overload"],
  ["scaled(1.5, 10)", "error: no such overload"],
  ["scaled('5%', 1.5)", "fault: scaled does not accept (string, double)"],
]);

testFunction("parseJson", [
  ["parseJson('{\"a\": [1, 2.5, null]}')", '{"a": [1, 2.5, null]}'],
  ["parseJson('{\"a\": 1}').a + 1", "2"],
  ["parseJson('1.0')", "1"],
  ["parseJson('\"a\"')", '"a"'],
  ["parseJson('null')", "null"],
  ['parseJson(\'{"b": 1, "a": 2}\')', '{"a": 2, "b": 1}'],
  ["parseJson('{\"__proto__\": 1}')", '{"__proto__": 1}'],
  ["parseJson('{\"a\": {}}').?a.?b.orValue('x')", '"x"'],
  ["parseJson('')", "error: the text is not JSON"],
  ["parseJson('{')", "error: the text is not JSON"],
  ["parseJson('a: 1')", "error: the text is not JSON"],
  ["parseJson('9007199254740993')", "9007199254740993"],
  ["parseJson(dyn(1))", "error: no such overload"],
  ["parseJson(1)", "fault: parseJson does not accept (int)"],
]);

testFunction("parseYaml", [
  ["parseYaml('a: [1, 2.5, null]')", '{"a": [1, 2.5, null]}'],
  ["parseYaml('a: 1').a + 1", "2"],
  ["parseYaml('{\"a\": true}')", '{"a": true}'],
  ["parseYaml('a: yes')", '{"a": true}'],
  ["parseYaml('text')", '"text"'],
  ["parseYaml('')", "null"],
  ["parseYaml('# only a comment')", "null"],
  ["parseYaml('b: 1\\na: 2')", '{"a": 2, "b": 1}'],
  ["parseYaml('a: 1\\n---\\n')", '{"a": 1}'],
  ["parseYaml('a: 1\\n---\\nb: 2')", "error: the text has several YAML documents"],
  ["parseYaml('a: [')", "error: the text is not YAML: line 1: unexpected end of the stream within a flow collection"],
  ["parseYaml('a: 1\\na: 2')", "error: the text is not YAML: line 2: duplicated mapping key"],
  ["parseYaml(dyn(1))", "error: no such overload"],
  ["parseYaml(1)", "fault: parseYaml does not accept (int)"],
]);
