import type { Random } from "../random/random.ts";
import { choice } from "./choice.ts";

/** Makes a mistake in the text of a rule: omits, repeats, inserts or swaps something. */
export function misspell(rule: string, random: Random): string {
  const place = random.below(rule.length + 1);
  const before = rule.slice(0, place);
  const after = rule.slice(place);
  switch (random.below(5)) {
    case 0:
      return before + after.slice(1);
    case 1:
      return before + after.slice(0, 1) + after;
    case 2:
      return before + choice(random, MARKS) + after;
    case 3:
      return before + choice(random, MARKS) + after.slice(1);
    default:
      return before;
  }
}

const MARKS = [
  ..."()[]{}.,?:!&|=<>+-*/%'\"`\\ \n@#$;~0x9_aru",
  "//",
  "&&",
  "||",
  "==",
  "in ",
  " in",
  "0x",
  "1.",
  ".5",
  "\\x4",
  "r'",
  "b'",
  "'''",
  "1u",
  "-",
];

const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\d+(?:\.\d+)?u?|==|!=|<=|>=|&&|\|\||[^\s]/g;
const OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", " in "];

/** Replaces one token of a rule by another of the same kind. */
export function retype(rule: string, names: readonly string[], random: Random): string {
  const tokens = [...rule.matchAll(TOKEN)];
  const found = tokens[random.below(tokens.length)];
  if (found === undefined) return rule;
  const next = choice(random, substitutes(found[0], names));
  return rule.slice(0, found.index) + next + rule.slice(found.index + found[0].length);
}

function substitutes(token: string, names: readonly string[]): readonly string[] {
  if (OPERATORS.includes(token)) return OPERATORS;
  if (/^\d/.test(token)) return LITERALS;
  if (/^["']/.test(token)) return LITERALS;
  return /^\w/.test(token) ? [...METHODS, ...GLOBALS, ...names, "self", "oldSelf"] : [token];
}

const LITERALS = [
  "1",
  "-1",
  "0x1F",
  "1u",
  "1.5",
  "1e3",
  "true",
  "null",
  "'a'",
  '"b"',
  "b'c'",
  "r'\\d+'",
  "''",
  "[]",
  "{}",
  "[1, 2]",
  "['a', 'b']",
  "[1, 'a']",
  "{'a': 1}",
  "{'a': 1, 'b': 'c'}",
  "duration('1h')",
  "duration('x')",
  "timestamp('2020-01-01T00:00:00Z')",
  "int('5')",
  "int('x')",
  "optional.none()",
  "optional.of(1)",
  "dyn('a')",
  "quantity('1Gi')",
  "url('http://a')",
  "ip('1.2.3.4')",
  "cidr('10.0.0.0/8')",
  "semver('1.2.3')",
  "format.dns1123Label()",
  "9223372036854775807",
  "9223372036854775808",
  "type(1)",
  "string",
  "duration",
];
const METHODS =
  "size contains startsWith endsWith matches find findAll split join replace substring trim lowerAscii upperAscii charAt indexOf lastIndexOf format isSorted sum min max sort reverse distinct flatten slice first last hasValue value orValue or getSeconds getFullYear getHours isGreaterThan isLessThan compareTo asInteger isInteger add sub family isLoopback containsIP containsCIDR prefixLength masked getHost getPort getQuery major validate all exists exists_one map filter existsOne optMap optFlatMap transformList transformMap transformMapEntry sortBy name path".split(
    " ",
  );
const GLOBALS =
  "size int uint double string bytes bool dyn type duration timestamp quantity isQuantity url isURL ip isIP cidr isCIDR semver isSemver has sets.contains sets.intersects sets.equivalent lists.range strings.quote ip.isCanonical format.named optional.of optional.ofNonZeroValue matches".split(
    " ",
  );
const ITERATED = new Set("all exists exists_one map filter existsOne optMap optFlatMap sortBy".split(" "));
const PAIRED = new Set("transformList transformMap transformMapEntry".split(" "));

/** An expression over `self` with the given field names; most don't type-check. */
export function expression(names: readonly string[], depth: number, random: Random): string {
  const again = (): string => expression(names, depth - 1, random);
  if (depth <= 0)
    return choice(random, [...LITERALS, ...names.flatMap((name) => [name, name, name, name]), "self", "self"]);
  switch (random.below(12)) {
    case 0:
    case 1:
      return `${again()} ${choice(random, OPERATORS)} ${again()}`;
    case 2:
      return `${choice(random, GLOBALS)}(${[again(), again()].slice(random.below(2)).join(", ")})`;
    case 3:
    case 4:
    case 5:
      return method(names, depth, random);
    case 6:
      return `(${again()} ? ${again()} : ${again()})`;
    case 7:
      return `[${again()}, ${again()}]`;
    case 8:
      return `${again()}[${choice(random, ["0", "'a'", again(), `?${again()}`])}]`;
    case 9:
      return `has(${again()}.${choice(random, ["a", "name", "spec"])})`;
    case 10:
      return `${choice(random, ["!", "-", "--"])}${again()}`;
    default:
      return `${again()}.?${choice(random, ["a", "name", "spec"])}`;
  }
}

function method(names: readonly string[], depth: number, random: Random): string {
  const target = expression(names, depth - 1, random);
  const inner = (): string => expression([...names, "x", "x"], depth - 1, random);
  const name = choice(random, METHODS);
  if (ITERATED.has(name)) return `${target}.${name}(x, ${random.below(3) === 0 ? "y, " : ""}${inner()})`;
  if (PAIRED.has(name)) return `${target}.${name}(x, y, ${inner()})`;
  const args = [inner(), inner()].slice(random.below(3));
  return `${target}.${name}(${args.join(", ")})`;
}

/** Rules that iterate over everything repeatedly. */
export function costly(names: readonly string[], random: Random): string {
  const field = choice(random, [...names, "self"]);
  const other = choice(random, [...names, "self"]);
  return choice(random, [
    `${field}.all(x, ${other}.exists(y, y == x))`,
    `${field}.all(x, ${field}.exists_one(y, y == x))`,
    `${field}.all(x, x.size() < 100)`,
    `${field}.all(x, x.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))`,
    `${field}.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')`,
    `${field}.map(x, x).map(y, ${other}.filter(z, z == y)).size() > 0`,
    `${field}.contains(${other})`,
    `${field}.split('.').all(x, x.size() > 0 && x.startsWith('a'))`,
    `${field}.all(k, ${field}[k] == ${other}[k])`,
    `${field} == oldSelf || ${field}.all(x, x in ${other})`,
    `${field}.all(i, x, x.size() < i)`,
    `${field}.transformList(i, x, x).all(y, y == y)`,
    `${field}.map(x, x + x).join(',').size() < 5`,
    `sets.contains(${field}, ${other})`,
    `${field}.distinct().size() == ${field}.size()`,
    `${field}.sort() == ${field}`,
    `${field}.replace('a', 'bb').replace('b', 'cc').lowerAscii() == ${field}`,
    `${field}.sortBy(x, x).reverse() == ${field}`,
    `string(${field}).find('[a-z]+').size() > 3`,
    `${field}.all(x, ip(x).family() == 4 && cidr('10.0.0.0/8').containsIP(x))`,
    `isQuantity(${field}) && quantity(${field}).isGreaterThan(quantity('1'))`,
    `${field}.exists(x, x.a == x.b && x.a.all(y, y == x.b))`,
    `${field}.filter(x, x.size() > 1).all(y, y.filter(z, z == y[0]).size() == 1)`,
    `dyn(${field}) == dyn(${other})`,
    `[${field}, ${other}].all(x, x.size() > 0)`,
    `{'a': ${field}}.all(k, k == 'a')`,
    `optional.of(${field}).optMap(v, v.size()).orValue(0) < 5`,
    `self.?a.orValue('').size() < 3 && ${field}.orValue([]).size() < 2`,
    `format.dns1123Label().validate(${field}).hasValue()`,
  ]);
}
