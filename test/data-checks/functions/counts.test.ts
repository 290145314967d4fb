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
