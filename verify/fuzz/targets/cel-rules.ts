import { compileSchema, validateObject, validateUpdate } from "../../../src/schema/crd/index.ts";
import { isObject, parseObject } from "../../../src/model/json.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const ANY_TEXT = { type: "string" };
const PROPERTIES = {
  text: ANY_TEXT,
  size: { type: "integer", format: "int64" },
  ratio: { type: "number" },
  isOn: { type: "boolean" },
  list: { type: "array", items: ANY_TEXT, "x-kubernetes-list-type": "set" },
  map: { type: "object", additionalProperties: { type: "integer" } },
  items: {
    type: "array",
    items: { type: "object", properties: { name: ANY_TEXT, at: { type: "string", format: "date-time" } } },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  },
  port: { "x-kubernetes-int-or-string": true },
};
const OBJECT = {
  metadata: { name: "a" },
  text: "1.5Gi",
  size: 3,
  ratio: 0.5,
  isOn: true,
  list: ["a", "b"],
  map: { k: 1 },
  items: [{ name: "n", at: "2026-01-02T03:04:05Z" }],
  port: "http",
};
const RULES = [
  "self.list.all(x, x.matches('^[a-z]+$')) && size(self.map) < 3",
  "has(self.text) ? quantity(self.text).isGreaterThan(quantity('1Gi')) : self.size >= oldSelf.size",
  "self.items.exists_one(i, i.name == 'n' && i.at > timestamp('2020-01-01T00:00:00Z'))",
  "'%s %d %.2f %b %x'.format([self.text, self.size, self.ratio, 5, 'a']).lowerAscii().split(' ').size() > 2",
  "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1') && url('https://a/b?c=d').getHost() == 'a'",
  "self.list.map(x, x + 'y').filter(x, x in ['ay']).join(',') == [1u, 2u].indexOf(2u) + b'a'.size()",
  "duration('1h').getMinutes() == 60 && int(self.port) > 0 || self.text.find('[0-9]+').replace('1', '2', -1) != ''",
  "semver('1.2.3-a+b').compareTo(semver('2.0.0')) < 0 && self.?text.orValue('x') == optional.none().or(optional.of('a')).value()",
  "cel.bind(x, self.list, x.sum() + [3, 1].min() > 2) ? base64.decode('YQ==') == b'a' : sets.contains([1], [1, 2])",
];

/** A rule and its message are evaluated for an object or left out, within the cost that the API server allows. */
export const target: FuzzTarget = {
  seeds: RULES.map((rule) => joinTexts(rule, "'bad: ' + self.text", JSON.stringify(OBJECT))),
  maxBytes: 2048,
  run: (input) => {
    const [rule = "", messageExpression = "", objectText = ""] = splitTexts(input);
    const rules = [{ rule, messageExpression, message: "m" }];
    const schema = { type: "object", properties: PROPERTIES, "x-kubernetes-validations": rules };
    const compiled = compileSchema(JSON.stringify(schema), { kubernetesMinor: 36 });
    const object = parseObject(objectText) ?? OBJECT;
    if (compiled.kind === "refused" || !isObject(object)) return;
    validateObject(compiled, object);
    validateUpdate(compiled, object);
  },
};
