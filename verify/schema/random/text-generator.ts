import { type Json, numberAt, textAt } from "../../../src/model/json.ts";
import type { Random } from "./random.ts";

const PLAIN_TEXTS: readonly [string, ...string[]] = [
  "a",
  "abc",
  "Abc",
  "my-name",
  "example.com",
  "a.b.c",
  "a/b",
  "1",
  "0",
  "v1",
  "100Mi",
  "5m",
  "1h30m",
  "1.5s",
  "3 days",
  "",
  " ",
  "\u00e9\u{1f600}",
  "https://example.com/x?y=z",
  "http://[::1]:80/",
  "ftp://a@b:x/",
  "/path",
  "10.0.0.0/8",
  "010.0.0.1",
  "1.2.3.4",
  "fd00::/48",
  "::1",
  "::ffff:1.2.3.4",
  "2024-02-29T00:00:00Z",
  "2023-02-29T00:00:00Z",
  "2024-01-01T00:00:00.5+01:00",
  "YWJj",
  "YWJ",
  "123e4567-e89b-42d3-a456-426614174000",
  "sha256:0000000000000000000000000000000000000000000000000000000000000000",
  "quay.io/a/b@sha256:" + "0".repeat(64),
  "arn:aws:kms:us-east-1:101010101010:key/x",
  "True",
  "False",
  "Unknown",
  "Managed",
  "A".repeat(64),
  "[[:print:]]",
  "*.example.com",
  "key=value",
  "\u0000",
  "line\nbreak",
  "0x1f",
  "-5",
  "1e3",
];

/** A string for a schema: with a length near its bounds, made from its pattern, or arbitrary. */
export function generateText(schema: Json, random: Random): string {
  const pattern = textAt(schema, "pattern");
  const matching = PATTERN_TEXTS[pattern ?? ""];
  if (matching !== undefined && random.chance(0.7)) return random.pick(matching);
  if (pattern !== undefined && random.chance(0.6)) return generateLikePattern(pattern, random);
  const bound = random.oneOf(
    [numberAt(schema, "maxLength"), numberAt(schema, "minLength")].filter((limit) => limit !== undefined),
  );
  if (bound !== undefined && random.chance(0.3)) return generateSized(bound + random.below(3) - 1, random);
  const format = FORMAT_TEXTS[textAt(schema, "format") ?? ""];
  return format !== undefined && random.chance(0.8) ? random.pick(format) : random.pick(PLAIN_TEXTS);
}

function generateSized(length: number, random: Random): string {
  return random.pick(["a", "\u00e9", "\u{1f600}", "A"]).repeat(Math.max(0, Math.min(length, 70_000)));
}

/** A pattern without its special characters, which is often nearly a match. */
function generateLikePattern(pattern: string, random: Random): string {
  const alternatives = pattern.replaceAll(/\(\?[a-zA-Z:]+\)?|\{[0-9,]*\}/g, "").split("|");
  const one = random.oneOf(alternatives) ?? pattern;
  const plain = one
    .replaceAll(/\[\^?([^\]])[^\]]*\]/g, "$1")
    .replaceAll(/\\([dws])/g, (_, letter: string) => ({ d: "1", w: "a", s: " " })[letter] ?? "");
  const text = plain.replaceAll(/\\([^a-z])/g, "$1").replaceAll(/[\^$()*+?]/g, "");
  return random.chance(0.3) ? text + random.pick(PLAIN_TEXTS) : text;
}

/** Patterns and strings that match them. */
export const PATTERN_TEXTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "^[a-z]+$": ["a", "b", "abc"],
  "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$": ["a", "my-name", "0"],
  "^a": ["a", "ab", "a\nb"],
  "b+c": ["bc", "abbc", "xbcx"],
  "^[0-9]+%?$": ["1", "10%", "100"],
  "^[[:print:]]*$": ["", "a b", "A"],
  "^\\p{Lu}\\pL*$": ["A", "Ab", "\u00c9a"],
  "(?i)^true$": ["true", "TRUE", "tRuE"],
  "(?s)^.{1,3}$": ["a", "\n", "\u{1f600}b"],
  "^\\d+(\\.\\d+){0,2}$": ["1", "1.2", "1.2.3"],
  "^$|^[^A-Z]+$": ["", "a", "1 2"],
  "\\bfoo\\b": ["foo", "a foo b"],
  "^(?:a|b)*?$": ["", "ab", "ba"],
  "\\Ax\\z": ["x"],
};

/** Strings that match each format, or nearly do. */
export const FORMAT_TEXTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "date-time": [
    "2024-01-01T00:00:00Z",
    "2024-01-01t00:00:00z",
    "2024-13-01T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01",
    "2024-01-01T00:00:00+01:00",
  ],
  byte: ["YWJj", "YWI=", "YQ==", "YQ=", "", "a b=", "____"],
  uri: [
    "https://example.com",
    "a",
    "/a",
    "http://a b/",
    "http://[::1",
    "mailto:x",
    "*",
    "http://a:b:c",
    "x://a:b:c/",
    "http://%zz",
    "http://a[b]/",
    "http://[1.2.3.4]/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%25]/",
    "http://a%41/",
    "http://u:p%2@a/",
    "HTTP://a:1:2/",
    "//a",
    "http://a/%2",
    ":x",
  ],
  cidr: [
    "10.0.0.0/8",
    "10.0.0.1/32",
    "10.0.0.0/33",
    "10.0.0/8",
    "::/0",
    "::1/128",
    "::/129",
    "10.0.0.0",
    "010.0.0.0/08",
    "a/8",
  ],
  duration: ["1h", "1h30m", "5", "0", "1.5h", "3 days", "x", "1 sfoo", "1 seconds", "-5m", "99999999999999999999h"],
  ipv4: ["1.2.3.4", "1.2.3", "256.1.1.1", "::ffff:1.2.3.4", "01.2.3.4", "::1"],
  ipv6: [
    "::1",
    "1.2.3.4",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7",
    "::01.2.3.4",
    ":::",
    "1:2:3:4:5:6:7::8",
    "1:2:3:4:5:6::8",
    "1::2::3",
    "12345::",
  ],
  hostname: ["example.com", "a", "a_b", "-a", "a.b1", "x".repeat(64), "caf\u00e9.example", "1.2.3.4", "example.com."],
  uuid: ["123e4567-e89b-42d3-a456-426614174000", "123E4567E89B42D3A456426614174000", "x"],
  ip: ["x", "1.2.3.4"],
  date: ["2024-02-29", "2023-02-29", "2024-00-10", "2024-1-1", "1900-02-29", "2000-02-29", "2024-12-32"],
  datetime: ["2024-01-01T00:00:00Z", "x"],
  password: ["x", ""],
  email: [
    "a@b",
    "a@b.c",
    "A <a@b>",
    '"A B" <a@b>',
    "a",
    "a@",
    "@b",
    "a b@c",
    "a@b c",
    "<a@b>",
    "a..b@c",
    ".a@b",
    "a@b.",
    "a@[1.2.3.4]",
    "a@[x]",
    '"a b"@c',
    '""@c',
    "a@b (c)",
    "a@b (c",
    "A (x) B <a@b>",
    "g: a@b;",
    "g:;",
    "g: a@b, c@d;",
    "\u00e9@b",
    "A.B <a@b>",
    "a@b,",
    " a@b ",
    "A <a@b> x",
    '"A\\"B" <a@b>',
    "A\u0001 <a@b>",
  ],
  mac: [
    "01:23:45:67:89:ab",
    "01-23-45-67-89-AB",
    "0123.4567.89ab",
    "0123456789ab",
    "01:23:45:67:89",
    "01:23-45:67:89:ab",
    "0123.4567.89ab.cdef",
    "01:23:45:67:89:ab:cd",
    "012.3456.789a.b",
  ],
  uuid3: [
    "123e4567-e89b-32d3-a456-426614174000",
    "123e4567-e89b-42d3-a456-426614174000",
    "123e4567-e89b-32d3-0456-426614174000",
  ],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-7456-426614174000"],
  uuid5: ["123E4567-E89B-52D3-B456-426614174000", "123e4567-e89b-42d3-a456-426614174000"],
  isbn: ["0321751043", "978-0321751041", "0321751044", "x"],
  isbn10: ["0321751043", "3 401 01319 X", "978-0321751041", "032175104X"],
  isbn13: ["978-0321751041", "9780321751042", "0321751043"],
  creditcard: [
    "4111 1111 1111 1111",
    "4111-1111-1111-1112",
    "30190239451016",
    "374953669708156",
    "6011464355444102",
    "3548209662790989",
  ],
  ssn: ["123-45-6789", "123456789", "123 45 6789", "123-456789", "1234-5-6789"],
  hexcolor: ["#fff", "ffffff", "#ffff", "#FFFFFG"],
  rgbcolor: ["rgb(1,2,3)", "rgb( 1 , 255 , 0 )", "rgb(256,0,0)", "rgb(01,0,0)", "rgb(1,2)", "RGB(1,2,3)"],
  bsonobjectid: ["0123456789abcdef01234567", "0123456789ABCDEF0123456", "g".repeat(24)],
  "k8s-short-name": ["a-b", "A", "a.b", "-a", "x".repeat(64)],
  "k8s-long-name": ["a.b", "A.b", "a..b", "x".repeat(254), "a-.b"],
};
