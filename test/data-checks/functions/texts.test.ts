import { testFunction } from "../../support/data-checks/function-cases.ts";

const OBJECT = { list: ["d", "a", "c", "b", "a", "e"], mixed: [2, "a", true], odd: [1.5] };

testFunction(
  "names",
  [
    ["names([])", '""'],
    ["names(['a'])", '"a"'],
    ["names(['b', 'a'])", '"a and b"'],
    ["names(['c', 'b', 'a'])", '"a, b and c"'],
    ["names(['d', 'c', 'b', 'a'])", '"a, b, c and 1 more"'],
    ["names(object.list)", '"a, b, c and 2 more"'],
    ["names(['a', 'a', 'a'])", '"a"'],
    ["names([10, 9])", '"10 and 9"'],
    ["names(object.mixed)", '"2, a and true"'],
    ["names(['B', 'a', 'é'])", '"B, a and é"'],
    ["names(object.list.filter(x, x > 'c'))", '"d and e"'],
    ["names(object.odd)", "error: no such overload"],
    ["names([null])", "error: no such overload"],
    ["names([object.list])", "error: no such overload"],
    ["names(object)", "error: no such overload"],
    ["names(object.nope)", "error: no such key: nope"],
    ["names('a')", "fault: names does not accept (string)"],
  ],
  OBJECT,
);

testFunction(
  "listed",
  [
    ["listed([])", '""'],
    ["listed(['a'])", '"a"'],
    ["listed(['b', 'a'])", '"b and a"'],
    ["listed(['b', 'a', 'b'])", '"b, a and b"'],
    ["listed(object.list)", '"d, a, c, b, a and e"'],
    ["listed(object.mixed)", '"2, a and true"'],
    ["listed(object.list.sort())", '"a, a, b, c, d and e"'],
    ["listed([1u])", "error: no such overload"],
    ["listed(object.odd)", "error: no such overload"],
    ["listed({'a': 1}.map(x, x))", '"a"'],
    ["listed({'a': 1})", "fault: listed does not accept (map(string, int))"],
  ],
  OBJECT,
);

testFunction("quote", [
  ["quote('a', 5)", '"a"'],
  ["quote('', 5)", '""'],
  ["quote('abcdef', 6)", '"abcdef"'],
  ["quote('abcdefg', 6)", '"abcdef..."'],
  ["quote('abc defg', 4)", '"abc..."'],
  ["quote('a sentence.', 20)", '"a sentence"'],
  ["quote('  two\\n\\tlines ', 20)", '"two lines"'],
  ["quote('😀😀😀', 2)", '"😀😀..."'],
  ["quote('a', 0)", "error: no such overload"],
  ["quote('a', -1)", "error: no such overload"],
  ["quote('a', 1000)", '"a"'],
  ["quote('a', 1001)", "error: no such overload"],
  ["quote(dyn(1), 5)", "error: no such overload"],
  ["quote('a')", "fault: quote does not accept (string)"],
]);

testFunction("plural", [
  ["plural(1, 'is', 'are')", '"is"'],
  ["plural(0, 'is', 'are')", '"are"'],
  ["plural(2, 'is', 'are')", '"are"'],
  ["plural(['a'].size(), 'is', 'are')", '"is"'],
  ["plural(dyn('1'), 'is', 'are')", "error: no such overload"],
  ["plural(dyn(1), dyn(1), 'are')", "error: no such overload"],
  ["plural('1', 'is', 'are')", "fault: plural does not accept (string, string, string)"],
]);
