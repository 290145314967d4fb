import { testExplanations } from "../../support/data-checks/explain.ts";

testExplanations("a name that is not declared gets the one that was meant, or where it is known", [
  ["size + 1"],
  ["sise", "[sise] the name sise is not declared (did you mean size?)"],
  ["later + 1", "[later] the name later is not declared (it is declared below: move it up)"],
  [
    "object.a",
    "[object] the name object is not declared (object is known in where and index of a read, and in rules with forEach)",
  ],
  ["objects", "[objects] the name objects is not declared (objects is known in the message of the risk)"],
  ["nil", "[nil] the name nil is not declared (did you mean null?)"],
  ["True", "[True] the name True is not declared (did you mean true?)"],
  ["toString", "[toString] the name toString is not declared"],
  ["qqqqqqqq", "[qqqqqqqq] the name qqqqqqqq is not declared"],
  ["math.greatest(1)", "[math] the name math is not declared"],
  ["  nope  ", "[nope] the name nope is not declared (did you mean node?)"],
]);

testExplanations("a field that a value does not have gets the one that was meant, or those that it has", [
  ["target.minr", "[minr] there is no field minr (did you mean minor?)"],
  ["target.nope", "[nope] there is no field nope (it has kubernetes, minor, openshift, ordinal, pre, text, version)"],
  [
    "source.target",
    "[target] there is no field target (it has kubernetes, minor, openshift, ordinal, pre, text, version)",
  ],
  ["target.version.nope", "[nope] a value of type string has no field nope"],
  ["size.items", "[items] a value of type int has no field items"],
  ["cluster.platfrom", "[platfrom] there is no field platfrom (did you mean platform?)"],
  ["nodes.item", "[item] there is no field item (did you mean items?)"],
  ["nodes.byZone", "[byZone] there is no field byZone (did you mean by.byZone?)"],
  ["nodes.by.byZon", "[byZon] there is no field byZon (did you mean byZone?)"],
  ["nodes.metadata", "[metadata] there is no field metadata (it has by, byNamespace, items, served)"],
  ["update.kind"],
]);

testExplanations("what is left open is named, the innermost first", [
  ["1 +", "[] the expression is incomplete"],
  ["(1 + 2", "[] the expression is incomplete (a ) is missing)"],
  ["size([1, 2", "[] the expression is incomplete (a ] is missing)"],
  ["{'a': (1)", "[] the expression is incomplete (a } is missing)"],
  ["'a'.size(", "[] the expression is incomplete (a ) is missing)"],
  ["size )", '[)] unexpected ")"'],
]);

testExplanations("what other languages write is told in the words of this one", [
  ["'a' = 'b'", '[=] unexpected "=" (to compare, write ==)'],
  ["true & false", '[&] unexpected "&" (write &&)'],
  ["true | false", '[|] unexpected "|" (write ||)'],
  ["true and false", '[and] unexpected "and" (write &&)'],
  ["true or false", '[or] unexpected "or" (write ||)'],
  ["size is 1", '[is] unexpected "is" (write ==)'],
  ["not true", '[true] unexpected "true" (for not, write !)'],
  ["a.not true", '[true] unexpected "true" (for not, write !)'],
  ["${size}", '[$] unexpected "$" (write the expression alone: ${...} belongs into texts)'],
  ["a b", '[b] unexpected "b"'],
  ["if", "[if] the name if is reserved (CEL keeps it: use another name)"],
  ["has(node)", "[node] has() takes the selection of a field"],
]);

testExplanations("a text or a pattern that is wrong is marked", [
  ["'abc", "['] unexpected \"'\" (the closing ' is missing)"],
  ['"abc', '["] unexpected "\\"" (the closing " is missing)'],
  ["'a\\d'", "['] unexpected \"'\" (in a text, write each backslash twice)"],
  ["\"a\\d\" + 'b'", '["] unexpected "\\"" (in a text, write each backslash twice)'],
  ["'a' 'b'", "['b'] unexpected \"'b'\""],
  ["'abc'.matches('[')", "['['] \"[\" is not a valid regular expression: missing closing ]: `[`"],
  ["'a'.matches('a') && 'b'.matches('[')", "['['] \"[\" is not a valid regular expression: missing closing ]: `[`"],
  [
    "'abc'.matches('(?=a)')",
    "['(?=a)'] \"(?=a)\" is not a valid regular expression: invalid or unsupported Perl syntax: `(?=` (RE2 has no look-ahead: write !value.matches(...))",
  ],
  [
    "'abc'.matches('(?<!a)b')",
    "['(?<!a)b'] \"(?<!a)b\" is not a valid regular expression: invalid named capture: `(?<!a)b` (RE2 has no look-ahead: write !value.matches(...))",
  ],
  ["crosses('4.x')", '[\'4.x\'] "4.x" is not a minor version (write two numbers, as in "4.21")'],
  ["timestamp('x')", '[\'x\'] "x" is not a time (write day, time and zone: "2026-12-24T10:00:00Z")'],
]);

testExplanations("what may be absent is told once, with how to ask for it", [
  [
    "nodes.items.exists(x, x.status.phase == 'a')",
    "warning: [x.status] status may be absent, and the check is then unknown (write .?status, and .orValue(...) at the end)",
  ],
  ["nodes.items.exists(x, x.?status.?phase.orValue('') == 'a')"],
  [
    "nodes.items.exists(x, has(x.status) && x.status.phase == 'a')",
    "warning: [x.status.phase] phase may be absent, and the check is then unknown (write .?phase, and .orValue(...) at the end)",
  ],
  [
    "nodes.items.exists(x, has(x.status.phase) && x.status.phase == 'a')",
    "warning: [x.status] status may be absent, and the check is then unknown (write .?status, and .orValue(...) at the end)",
  ],
  ["nodes.items.exists(x, x.?status.?phase.orValue('') == 'a' && x.status.phase == 'a')"],
  [
    "nodes.items.exists(x, x.status.phase == 'a' && x.status.nodeInfo.architecture == 'b')",
    "warning: [x.status] status may be absent, and the check is then unknown (write .?status, and .orValue(...) at the end)",
  ],
  [
    "nodes.items.exists(x, x.status.phase == 'a' && x.spec.podCIDR == 'b')",
    "warning: [x.status] status may be absent, and the check is then unknown (write .?status, and .orValue(...) at the end)",
    "warning: [x.spec.podCIDR] podCIDR may be absent, and the check is then unknown (write .?podCIDR, and .orValue(...) at the end)",
  ],
  [
    "nodes.items.exists(x, x.?status.?conditions.orValue([]).exists(c, c.type == 'a' && c.message == 'b'))",
    "warning: [c.message] message may be absent, and the check is then unknown (write .?message, and .orValue(...) at the end)",
  ],
  [
    "nodes.items.exists(x, x.metadata.uid == 'b' && x.metadata.annotations.a == 'b')",
    "warning: [x.metadata.annotations] annotations may be absent, and the check is then unknown (write .?annotations, and .orValue(...) at the end)",
  ],
  ["nodes.items.exists(x, x.?spec.?taints.orValue([]).exists(taint, taint.effect == 'a'))"],
  [
    "nodes.items.groupBy(x, size(x.metadata.name)).size()",
    "[nodes.items.groupBy(x, size(x.metadata.name))] groupBy does not accept this key (write string(...) around the key)",
  ],
  [
    "nodes.items.groupBy(x, x.metadata.name).exists(name, all, all.exists(x, x.?spec.?podCIRD.hasValue()))",
    "[podCIRD] there is no field podCIRD (did you mean podCIDR?)",
  ],
  ["nodes.items.exists(x, 'a' in x.?spec.?podCIDRs.orValue([]) || 'b' in x.metadata.?finalizers.orValue([]))"],
  [
    "nodes.by.byZone['a'].size() == 1",
    "warning: [nodes.by.byZone['a']] this may be absent, and the check is then unknown (write [?KEY], and .orValue(...) behind it)",
  ],
  ["nodes.by.byZone[?'a'].orValue([]).size() == 1"],
  [
    "nodes.items[0]",
    "warning: [nodes.items[0]] this may be absent, and the check is then unknown (write [?KEY], and .orValue(...) behind it)",
  ],
  ["node.status.phase"],
]);

testExplanations("what costs too much, or keeps whole objects, is refused", [
  [
    "nodes.items.exists(x, nodes.items.exists(y, y.metadata.name == x.metadata.name))",
    "[nodes.items] this goes through all objects once for each object of another list (declare an index in reads, and look up: READ.by.INDEX[?key])",
  ],
  ["nodes.items.exists(x, nodes.items.size() > 1)"],
  ["nodes.items.exists(x, x == node)", "all it uses a whole object (name the fields that it needs, or ref(object))"],
  ["nodes.items.exists(x, ref(x) == 'a')"],
]);

testExplanations("a text that no cluster makes right is marked", [
  [
    "target.version < '4.20'",
    '[target.version < \'4.20\'] texts are compared letter by letter (write target.openshift >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3")))',
  ],
  [
    "'4.9' >= source.minor",
    '[\'4.9\' >= source.minor] texts are compared letter by letter (write target.openshift >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3")))',
  ],
  [
    "target.minor <= '4.9'",
    '[target.minor <= \'4.9\'] texts are compared letter by letter (write target.openshift >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3")))',
  ],
  [
    "source.version > '4'",
    '[source.version > \'4\'] texts are compared letter by letter (write target.openshift >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3")))',
  ],
  ["target.minor == '4.9'"],
  ["target.text < '4.9'"],
  ["minor('x') > 1", '[\'x\'] "x" is not a minor version (write two numbers, as in "4.21")'],
  [
    "version('x').major()",
    '[\'x\'] "x" is not a version (write its numbers, as in version("1.9") or version("1.9.3"))',
  ],
  ["version('1.2').major() + minor('4.20')"],
  ["capture('a', '(a)(b)')", "['(a)(b)'] the pattern has more than one group: write (?:...)"],
  ["capture('(a)(b)', '(a)')"],
]);
