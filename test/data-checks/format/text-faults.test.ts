import { testFaultyTexts } from "../../support/data-checks/text-faults.ts";

testFaultyTexts("a text that holds no check is told so once", [
  ["", "1:1 [] it holds no check"],
  ["---\n---", "1:1 [---] it holds no check"],
  ["# nothing", "1:1 [# nothing] it holds no check"],
  ["[]", "1:1 [[] it must be a map"],
  ["a", "1:1 [a] it must be a map"],
  [
    "a: b]",
    "1:1 [a] the field apiVersion is missing",
    "1:1 [a] the field kind is missing",
    "1:1 [a] the field metadata is missing",
    "1:1 [a] the field spec is missing",
    "1:1 [a] a: a is not a field here (the fields are apiVersion, kind, metadata, spec)",
  ],
  [
    "kind: PreflightChek\napiVersion: v1\nspec: 7",
    '2:13 [v1] apiVersion: it must be "preflight.openshift.io/v1alpha1"',
    '1:7 [PreflightChek] kind: it must be "PreflightCheck"',
  ],
]);

testFaultyTexts("a text that is not YAML is marked where the mistake is", [
  [
    "a: b: c",
    "1:5 [:] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "a: b {c: d}",
    "1:8 [:] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "a:  'b' in c",
    "1:5 ['] it is not valid YAML: bad indentation of a mapping entry (a value that begins with a quote is quoted as a whole: '\"a\" in b')",
  ],
  [
    'a: "b" == c',
    '1:4 ["] it is not valid YAML: bad indentation of a mapping entry (a value that begins with a quote is quoted as a whole: \'"a" in b\')',
  ],
  [
    "x: {a: b [c]}",
    "1:10 [[] it is not valid YAML: missed comma between flow collection entries (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "x: {a: 'b' c}",
    "1:8 ['] it is not valid YAML: missed comma between flow collection entries (a value that begins with a quote is quoted as a whole: '\"a\" in b')",
  ],
  [
    "x: {a: 'b', c: 'd' e}",
    "1:16 ['] it is not valid YAML: missed comma between flow collection entries (a value that begins with a quote is quoted as a whole: '\"a\" in b')",
  ],
  [
    "x: {a: b: c}",
    "1:9 [:] it is not valid YAML: missed comma between flow collection entries (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "x: [a b: !c]",
    "1:10 [!c] it is not valid YAML: unknown scalar tag !<!c> (put an expression that begins with ! in quotes)",
  ],
  [
    "x: !a.b",
    "1:4 [!a.b] it is not valid YAML: unknown scalar tag !<!a.b> (put an expression that begins with ! in quotes)",
  ],
  [
    "x: {a: !has(b)}",
    "1:8 [!has(b)] it is not valid YAML: unknown scalar tag !<!has(b)> (put an expression that begins with ! in quotes)",
  ],
  ["x: !a, b", "1:7 [ ] it is not valid YAML: tag suffix cannot contain flow indicator characters"],
  ["a: 1\na: 2", "2:1 [a] it is not valid YAML: duplicated mapping key (leave one of them out)"],
  ["a:\n\t- b", "2:1 [\t] it is not valid YAML: tab characters must not be used in indentation (indent with spaces)"],
  [
    "a:\n  - b\n - c",
    "3:2 [-] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "a: b\n  c: d",
    "2:4 [:] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  [
    "a: |\n  x\n y",
    "3:2 [y] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  ["  a: b\nc: d", "2:1 [c] it is not valid YAML: end of the stream or a document separator is expected"],
  ["a: *b", '1:5 [b] it is not valid YAML: unidentified alias "b"'],
  ["a: [b", "1:6 [] it is not valid YAML: unexpected end of the stream within a flow collection"],
  ['a: "b', "1:6 [] it is not valid YAML: unexpected end of the stream within a double quoted scalar"],
  [
    "a: @b",
    "1:4 [@] it is not valid YAML: bad indentation of a mapping entry (quote the value, or write it below >- : it has a colon, a brace or a quote in it)",
  ],
  ['a: "\\d"', "1:6 [d] it is not valid YAML: unknown escape sequence"],
  ["{a: b, c}}", "1:10 [}] it is not valid YAML: end of the stream or a document separator is expected"],
  ["- a\nb: c", "2:1 [b] it is not valid YAML: end of the stream or a document separator is expected"],
]);
