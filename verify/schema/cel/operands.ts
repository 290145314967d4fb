import type { JsonObject } from "../../../src/model/json.ts";
import { INT, STRING, listType, mapType } from "../../../src/schema/cel/types/types.ts";
import { FORMAT_TEXTS } from "../random/text-generator.ts";
import { FIELDS, OBJECT } from "./table.ts";

/** The fields of the tables, and some whose sizes are bounded, so that the cost of an expression can be small. */
export const SCHEMA: JsonObject = {
  ...FIELDS,
  properties: {
    ...Object(FIELDS["properties"]),
    short: { type: "string", maxLength: 10 },
    color: { type: "string", enum: ["red", "green"] },
    few: { type: "array", maxItems: 5, items: { type: "string", maxLength: 5 } },
    pairs: { type: "object", maxProperties: 3, additionalProperties: { type: "integer" } },
    grid: { type: "array", maxItems: 3, items: { type: "array", maxItems: 4, items: { type: "integer" } } },
    rows: {
      type: "array",
      maxItems: 4,
      items: {
        type: "object",
        properties: {
          brief: { type: "string", maxLength: 3 },
          long: { type: "string", maxLength: 60 },
          index: { type: "integer" },
          names: { type: "array", maxItems: 6, items: { type: "string", maxLength: 20 } },
          counts: { type: "object", maxProperties: 2, additionalProperties: { type: "integer" } },
        },
      },
    },
  },
};

/** Lists of objects, and the fields of each, whose bounds differ: that estimates take the right one shows where several are used at once. */
export const ROWS = {
  ranges: ["self.rows", "self.rows.filter(r, r.index > 0)"],
  fields: {
    brief: STRING,
    long: STRING,
    index: INT,
    names: listType(STRING),
    counts: mapType(STRING, INT),
  },
} as const;

export const VALUE: JsonObject = {
  ...OBJECT,
  short: "1.2.3.4",
  color: "red",
  few: ["b", "a", "b"],
  pairs: { x: 1, y: -2 },
  grid: [[1, 2], [], [3]],
  rows: [
    { brief: "a", long: "a long one", index: 1, names: ["a", "b"], counts: { a: 1 } },
    { brief: "b", long: "b", index: 0, names: ["b"], counts: {} },
  ],
};

/** Expressions of each type, by its text, that are not made of others. */
export const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false", "self.flag"],
  int: [
    ..."0 1 -1 2 3 7 -9 100 0x1F -0x1 9007199254740993 -9007199254740993 2147483648 253402300800".split(" "),
    ..."9223372036854775807 -9223372036854775808 9223372036854775295 4611686018427387904".split(" "),
    ..."self.i self.ints[0] self.ints[9] self.objects[0].x self.keyed[1].v self.pairs.x self.pairs['y']".split(" "),
    "google.protobuf.Int64Value{value: 5}",
    "google.protobuf.Int32Value{value: -5}",
    "google.protobuf.NullValue.NULL_VALUE",
  ],
  uint: [
    ..."0u 1u 2u 7U 0xFFu 18446744073709551615u 9223372036854775808u 9007199254740993u".split(" "),
    "google.protobuf.UInt64Value{value: 5u}",
  ],
  double: [
    ..."0.0 -0.0 1.0 -1.5 .5 2.0 0.1 1e21 1e-7 123456789.5 1e308 5e-324 9007199254740992.0 2.5".split(" "),
    ..."9223372036854775808.0 9223372036854774784.0 18446744073709551616.0 -9223372036854775808.0".split(" "),
    ..."self.n self.doubles[1] (0.0/0.0) (1.0/0.0) (-1.0/0.0) double('NaN')".split(" "),
    "google.protobuf.DoubleValue{value: 1.5}",
    "google.protobuf.FloatValue{value: 0.1}",
  ],
  string: [
    ..."'' 'a' 'b' 'ab' 'A' 'x-y' 'one' '1' '-7' '1.5' 'true' 'é' '😀x' '\\u00e9' 'NaN' 'Infinity'".split(" "),
    ..."r'\\d+' '[a-z]+' '(' 'a*' '^a|b$' \"q'\" '''a''' '\\n' '\\000' '%s' '%d' ','".split(" "),
    ..."self.s self.short self.color self.absent self.maybe self.defaulted self.list[0] self.list[9]".split(" "),
    ..."self.map.one self.map['two.three'] self.map.none self.nulls['a'] self.embedded.kind self.few[1]".split(" "),
    "google.protobuf.StringValue{value: 'w'}",
  ],
  bytes: [
    ..."b'' b'abc' b'\\xff' b'ÿ' b'é' br'\\xff' b'\\377\\x00' b\"\"\"a\"\"\" self.bytes".split(" "),
    "google.protobuf.BytesValue{value: b'x'}",
  ],
  null: ["null"],
  type: "int uint double bool string bytes list map null_type type google.protobuf.Timestamp optional_type net.IP".split(
    " ",
  ),
  duration: [
    ..."self.span duration('1h') duration('-1.5s') duration('0s') duration('1ns') duration('90m')".split(" "),
    "duration('2562047h47m16.854775807s')",
    "google.protobuf.Duration{seconds: 5}",
  ],
  timestamp: [
    "self.time",
    "self.date",
    "timestamp(0)",
    "timestamp('2024-02-29T23:59:59.999999999Z')",
    "timestamp('2024-01-01T00:00:00.5+01:00')",
    "timestamp('0001-01-01T00:00:00Z')",
    "timestamp('9999-12-31T23:59:59.999999999Z')",
    "timestamp('1969-12-31T23:59:59.5Z')",
    "google.protobuf.Timestamp{seconds: 1}",
  ],
  dyn: [
    ..."self.percent self.count dyn(1) dyn(1u) dyn(1.0) dyn(1.5) dyn('a') dyn(b'a') dyn(true) dyn(null)".split(" "),
    ..."dyn(self) dyn(self.list) dyn(self.map) dyn(self.objects) dyn(self.embedded) dyn(self.grid) dyn([])".split(" "),
    ..."dyn({}) dyn(int) dyn(duration('1s')) dyn(timestamp(0)) dyn(optional.none()) dyn(optional.of(1))".split(" "),
    "google.protobuf.Value{number_value: 1.5}",
    "google.protobuf.Any{}",
  ],
  "list(string)": ["self.list", "self.set", "self.other", "self.few", "['a', 'b']", "['b', 'a', 'a']", "[]"],
  "list(int)": ["self.ints", "[1, 2]", "[3, 1, 2]", "[0]", "self.grid[0]", "self.grid[1]", "[9223372036854775807, 1]"],
  "list(double)": ["self.doubles", "[1.5]", "[0.0, -0.0]", "[double('NaN')]", "[1.0, 2.0]"],
  "list(dyn)": ["[1, 'a', 2.5, null]", "[dyn(1), 1.0]", "dyn(self.list)", "google.protobuf.ListValue{}"],
  "list(list(int))": ["self.grid", "[[1], [2, 3]]", "[[]]"],
  "map(string, string)": ["self.map", "self.nulls", "{'a': 'b'}", "{}"],
  "map(string, int)": ["self.pairs", "{'a': 1}", "{'a': 1, 'b': 2}"],
  "map(string, dyn)": ["self.embedded", "{'a': dyn(1), 'b': dyn('x')}", "google.protobuf.Struct{}"],
  "map(dyn, dyn)": ["{dyn(1.5): dyn(1)}", "{dyn(1): dyn(1), dyn(1.0): dyn(2)}", "{dyn(b'a'): dyn(1)}", "dyn(self.map)"],
  "optional_type(string)": ["self.?absent", "self.?s", "self.?maybe", "self.map[?'one']", "optional.of('a')"],
  "optional_type(int)": ["self.?i", "self.ints[?0]", "self.ints[?9]", "optional.none()", "self.pairs.?x"],
  "optional_type(dyn)": ["self.?percent", "optional.none()", "self.?embedded", "optional.of(dyn(1))"],
  object: ["self", "self.embedded", "self.objects[0]", "self.keyed[0]", "self.objects[1]"],
  "list(object)": ["self.objects", "self.keyed", "self.keyed2"],
  "net.IP": ["ip('10.0.0.1')", "ip('::1')", "ip('fe80::1')", "ip(self.short)", "ip('0.0.0.0')"],
  "net.CIDR": ["cidr('10.0.0.0/8')", "cidr('::/0')", "cidr('10.1.2.3/16')", "cidr('fd00::/48')"],
  "kubernetes.URL": ["url('https://u@h:8443/a%20b?x=1&x=2#f')", "url('/a')", "url('http://[::1]:80/')"],
  "kubernetes.Quantity": ["quantity('1Ki')", "quantity('1.5')", "quantity('0')", "quantity('-9E')", "quantity('1n')"],
  "kubernetes.Semver": ["semver('1.2.3')", "semver('1.2.3-rc.1+b')", "semver('v1.2', true)", "semver('0.0.0')"],
  "kubernetes.NamedFormat": ["format.dns1123Label()", "format.uri()", "format.named('byte').value()"],
};

const { "date-time": times = [], uri = [], cidr = [], ipv4 = [], ipv6 = [], duration = [] } = FORMAT_TEXTS;
const QUANTITIES = ["1", "1.5Gi", "1e3", "-1m", "1kk", "", ".5", "5.", "99999999999999999999", "1E1", "0x1"];
const VERSIONS = [
  "1.2.3",
  "v1.2.3",
  "1.2",
  "01.2.3",
  "1.2.3-rc.1",
  "1.2.3+b",
  "1.2.3-",
  "1",
  "v",
  "99999999999999999999.0.0",
];
const PATTERNS = ["a", "^[a-z]+$", "(", "(?i)A", "a{2,1}", "[[:alpha:]]*", "\\pL", "x*", "", "(a)|b", "\\d{1001}"];
const NUMBERS = [
  "1",
  "-1",
  "+1",
  "1.5",
  "1e3",
  " 1",
  "1_0",
  "0x1p4",
  "inf",
  "-Infinity",
  "nan",
  "1e400",
  "٣",
  "00",
  "-0",
];

/** Texts that a function reads, or nearly does. */
export const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ip: [...ipv4, ...ipv6],
  isIP: [...ipv4, ...ipv6],
  "ip.isCanonical": [...ipv4, ...ipv6],
  containsIP: [...ipv4, ...ipv6],
  cidr,
  isCIDR: cidr,
  containsCIDR: cidr,
  url: uri,
  isURL: uri,
  duration: [...duration, "1.5h", "-1us", "1h1h", ".5s", "9223372036854775807ns", "9223372036854775808ns", "1", "+0"],
  timestamp: [
    ...times,
    "2024-01-01T00:00:00-23:59",
    "2024-01-01T1:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-01:00",
  ],
  quantity: QUANTITIES,
  isQuantity: QUANTITIES,
  semver: VERSIONS,
  isSemver: VERSIONS,
  matches: PATTERNS,
  find: PATTERNS,
  findAll: PATTERNS,
  int: NUMBERS,
  uint: NUMBERS,
  double: NUMBERS,
  bool: ["true", "TRUE", "tRUE", "t", "1", "yes", "False"],
  format: [
    "%s",
    "%d %s",
    "%.3f",
    "%e",
    "%x",
    "%X",
    "%b",
    "%o",
    "%%",
    "%",
    "%v",
    "%s%s",
    "%.0f|%.100f",
    "%.2e",
    "%5d",
    "é%s",
  ],
  "format.named": ["dns1123Label", "uri", "x", "datetime"],
  getHours: ["UTC", "+01:00", "-02:30", "", "x", "1:2:3", "+25:00"],
  getFullYear: ["UTC", "-12:00", "02:00"],
};
