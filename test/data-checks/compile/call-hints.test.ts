import { testExplanations } from "../../support/data-checks/explain.ts";

testExplanations("a function that does not exist gets the name that was meant", [
  ["nodes.items.any(x, true)", "[any] there is no function any (did you mean exists?)"],
  ["nodes.items.Some(x, true)", "[Some] there is no function Some (did you mean exists?)"],
  ["nodes.items.filterr(x, true)", "[filterr] there is no function filterr (did you mean filter?)"],
  ["[1].count()", "[count] there is no function count (did you mean filter(...).size?)"],
  ["len('a')", "[len] there is no function len (did you mean size?)"],
  ["'a'.hasPrefix('b')", "[hasPrefix] there is no function hasPrefix (did you mean startsWith?)"],
  ["xyzzyq('a')", "[xyzzyq] there is no function xyzzyq"],
  ["nope(1) + nope(2)", "[nope] there is no function nope (did you mean type?)"],
  ["'é'.nope()", "[nope] there is no function nope (did you mean type?)"],
  ["size + 'a'. tolower ( )", "[tolower] there is no function tolower (did you mean lowerAscii?)"],
]);

testExplanations("a macro without a name for each item is told what it needs", [
  ["nodes.items.exists(true)", "[exists] exists needs a name for each item (write exists(item, ...))"],
  ["nodes.items.exists(x > 1)", "[exists] exists needs a name for each item (write exists(x, ...))"],
  ["nodes.items.exists(item > 1)", "[exists] exists needs a name for each item (write exists(item, ...))"],
  ["nodes.items. map (x)", "[map] map needs a name for each item (write map(x, ...))"],
  ["[1].sortBy(1)", "[sortBy] sortBy needs a name for each item (write sortBy(item, ...))"],
  ["has()", "[has] has does not accept these arguments"],
  ["has(node.spec, 1)", "[has] has does not accept these arguments"],
  ["nodes.items.all(x, yak.a)", "[yak] the name yak is not declared"],
]);

testExplanations("arguments that a function does not take are told with those that it takes", [
  ["'a'.startsWith(1)", "[startsWith] startsWith does not accept (string, int) (it is string.startsWith(string))"],
  ["startsWith('a', 'b')", "[startsWith] startsWith does not accept (string, string) (write VALUE.startsWith(...))"],
  ["lowerAscii('a')", "[lowerAscii] lowerAscii does not accept (string) (write VALUE.lowerAscii(...))"],
  ["'a'.size(1)", "[size] size does not accept (string, int)"],
  ["minor(1)", "[minor] minor does not accept (int) (it is kubernetes.Semver.minor() or minor(string))"],
  [
    "'a'.replace(1)",
    "[replace] replace does not accept (string, int) (it is string.replace(string, string) or string.replace(string, string, int))",
  ],
  ["[1].sum(2)", "[sum] sum does not accept (list(int), int)"],
  ["strings.quote(1)", "[quote] strings.quote does not accept (int) (it is strings.quote(string))"],
  ["optional.of()", "[of] optional.of does not accept () (it is optional.of(V))"],
  [
    "crosses(1)",
    '[crosses] crosses does not accept (int, int, int) (write a minor, as in crosses("4.19") or crosses("1.35"))',
  ],
  ["ref()", "[ref] ref does not accept () (it is ref(dyn))"],
  [
    "'a'.orValue('b')",
    "[orValue] orValue does not accept (string, string) (only an optional value has it: select with .? or [?...])",
  ],
  [
    "node.metadata.name.hasValue(1, 2)",
    "[hasValue] hasValue does not accept (optional_type(dyn), int, int) (only an optional value has it: select with .? or [?...])",
  ],
  ["size(1) + size('a', 'b')", "[size] size does not accept (int)"],
]);

testExplanations("operands that an operator does not take are told what makes them fit", [
  ["1 + 'a'", "[1 + 'a'] + does not accept (int, string) (both sides need one type: use int(...) or string(...))"],
  ["-'a'", "[-'a'] - does not accept (string)"],
  ["'a' in 'b'", "['a' in 'b'] in does not accept (string, string)"],
  ["'a' == 1", "['a' == 1] == does not accept (string, int) (both sides need one type: use int(...) or string(...))"],
  [
    "[1, 2].exists(x, x == 'a')",
    "[x == 'a'] == does not accept (int, string) (both sides need one type: use int(...) or string(...))",
  ],
  [
    "'a' && true",
    "['a' && true] && does not accept (string, bool) (it needs a condition: compare the value, as in value == \"a\")",
  ],
  [
    "false || 'a'",
    "[false || 'a'] || does not accept (bool, string) (it needs a condition: compare the value, as in value == \"a\")",
  ],
  ["!'a'", "[!'a'] ! does not accept (string) (it needs a condition: compare the value, as in value == \"a\")"],
  [
    "1 ? 2 : 3",
    '[1 ? 2 : 3] ?: does not accept (int, int, int) (it needs a condition: compare the value, as in value == "a")',
  ],
  [
    "node.?spec + 'a'",
    "[node.?spec + 'a'] + does not accept (optional_type(dyn), string) (the value may be absent: write .orValue(...) behind it)",
  ],
  ["target + 1", "[target + 1] + does not accept (object, int) (name one of its fields, as in target.minor)"],
  ["1 == target", "[1 == target] == does not accept (int, object) (name one of its fields, as in target.minor)"],
  [
    "cluster['hosted']",
    "[cluster['hosted']] [] does not accept (object, string) (name one of its fields, as in target.minor)",
  ],
]);
