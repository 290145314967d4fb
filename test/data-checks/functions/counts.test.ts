import { testFunction } from "../../support/data-checks/function-cases.ts";

const OBJECT = { list: ["b", "a", "b", "c", "a"], mixed: ["a", 1], pods: [{ on: "x" }, { on: "y" }, { on: "x" }] };

testFunction(
  "countBy",
  [
    ["countBy(object.list)", '{"a": 2, "b": 2, "c": 1}'],
    ["countBy([])", "{}"],
    ["countBy(object.pods.map(pod, pod.on))['x']", "2"],
    ["countBy(object.pods.map(pod, pod.on))[?'z'].orValue(0)", "0"],
    ["countBy(object.list).exists(text, count, count > 2)", "false"],
    ["countBy(object.list).transformList(text, count, count).sum()", "5"],
    ["countBy(['__proto__', '10', '9'])", '{"10": 1, "9": 1, "__proto__": 1}'],
    ["countBy(object.mixed)", "error: no such overload"],
    ["countBy(object)", "error: no such overload"],
    ["countBy([1])", "fault: countBy does not accept (list(int))"],
  ],
  OBJECT,
);

testFunction(
  "mostCommon",
  [
    ["mostCommon(object.list)", 'optional("b")'],
    ["mostCommon(['a', 'b', 'b'])", 'optional("b")'],
    ["mostCommon([]).orValue('none')", '"none"'],
    ["mostCommon([''])", 'optional("")'],
    ["object.pods.filter(pod, pod.on != mostCommon(object.pods.map(p, p.on)).value()).size()", "1"],
    ["mostCommon(object.mixed)", "error: no such overload"],
    ["mostCommon('a')", "fault: mostCommon does not accept (string)"],
  ],
  OBJECT,
);

testFunction(
  "groupBy",
  [
    ["object.pods.groupBy(pod, pod.on).transformList(on, pods, on + ' ' + string(pods.size()))", '["x 2", "y 1"]'],
    ["object.list.groupBy(text, text)['b']", '["b", "b"]'],
    ["object.pods.groupBy(pod, pod.on)[?'z'].orValue([]).size()", "0"],
    ["[].groupBy(text, text)", "{}"],
    ["object.pods.groupBy(pod, pod.of)", "error: no such key: of"],
    ["object.mixed.groupBy(one, one)", "error: no such overload"],
    ["object.groupBy(key, key)", "error: no such overload"],
    ["[1, 2].groupBy(number, number)", "fault: @groupByAssociatedKeys does not accept (list(int), list(int))"],
    ["'a'.groupBy(text, text)", "fault: groupBy() must be called on a list"],
  ],
  OBJECT,
);
