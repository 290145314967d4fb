import type { JsonObject } from "../../../src/model/json.ts";
import { judgeDefinition } from "../../../src/schema/crd/index.ts";
import { wrapSpec } from "../../schema/cel/cases.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const PROPERTIES = {
  text: { type: "string", maxLength: 100 },
  words: { type: "array", items: { type: "string" }, maxItems: 10 },
  size: { type: "integer" },
  map: { type: "object", additionalProperties: { type: "string" }, maxProperties: 5 },
  inner: { type: "object", properties: { at: { type: "string", format: "date-time" }, on: { type: "boolean" } } },
};
const RULES = [
  "self.words.all(w, w.size() < 5 && w.matches('^a+$'))",
  "self.map.exists(k, self.map[k] == k) || has(self.inner.at) && self.inner.at < timestamp('2026-01-01T00:00:00Z')",
  "self.words.map(w, w.split(',')).filter(l, l.size() > 2).size() == oldSelf.words.size()",
  "cel.bind(x, self.text.lowerAscii(), x.contains('a') ? x.replace('a', 'b') : x + 'c') == 'b'",
  "quantity(self.text).add(quantity('1Ki')).isInteger() && self.?inner.?on.orValue(false)",
  "[1, 2, 3].sum() > 2 && {'a': [1.0, 2.0]}['a'][0] == 1.0 && type(self.size) == int",
  "ip(self.text).family() == 4 && cidr('10.0.0.0/8').containsIP(ip(self.text)) && url('https://a').getPort() == ''",
  "self.words.sortBy(w, w)[0] == 'a' && self.words.transformList(i, w, i > 0, w + '!').size() > 0",
];

/** Rules are checked, and their cost is estimated, for a definition that has them at its root and below a list. */
export const target: FuzzTarget = {
  seeds: RULES.map((rule) => joinTexts(rule, "'m: ' + self.text")),
  maxBytes: 2048,
  run: (input) => {
    const [rule = "", messageExpression = ""] = splitTexts(input);
    judgeDefinition(buildDefinition([{ rule, messageExpression }]));
    judgeDefinition(buildDefinition([{ rule, optionalOldSelf: true, fieldPath: messageExpression, reason: "x" }]));
  },
};

type Rules = readonly Readonly<Record<string, string | boolean>>[];

function buildDefinition(rules: Rules): JsonObject {
  const ruled = { type: "object", properties: PROPERTIES, "x-kubernetes-validations": rules };
  return wrapSpec({ ...ruled, properties: { ...PROPERTIES, list: { type: "array", items: ruled, maxItems: 5 } } });
}
