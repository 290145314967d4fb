import { strict as assert } from "node:assert";
import { test } from "node:test";
import { listErrors } from "../../../verify/schema/cel/cases.ts";

type Row = readonly [format: string, good: readonly string[], bad: readonly string[]];

const ROWS: readonly Row[] = [
  ["bsonobjectid", ["0123456789abcdef01234567"], ["", "0123456789abcdef0123456"]],
  ["byte", ["YWJj", "YWI=", "YQ=="], ["", "YQ=", "YWJ", "____", "===="]],
  [
    "cidr",
    ["10.0.0.0/8", "10.0.0.1/08", "010.0.0.0/8", "::/0", "fd00::1/128"],
    ["10.0.0.0", "10.0.0.0/33", "::/129", "1:2::3", "/8"],
  ],
  ["creditcard", ["4111 1111 1111 1111"], ["4111 1111 1111 1112", ""]],
  [
    "date",
    ["2024-02-29", "2000-02-29", "0000-01-01"],
    ["2023-02-29", "1900-02-29", "2024-1-1", "2024-00-01", "2024-04-31"],
  ],
  [
    "date-time",
    ["2024-01-01T00:00:00Z", "2024-01-01t23:59:59.5+25:99"],
    ["2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "x"],
  ],
  [
    "duration",
    ["1h30m", "-1.5s", "0", "3 days", "1 seconds", "1m x"],
    ["", "5", "x", "1 sfoo", "99999999999999999999h"],
  ],
  [
    "email",
    ["a@b", "A B <a@b>", '"a b"@c', "a@[::1]", "a@b (c (d))"],
    ["a", "a..b@c", "a@b c", '""@c', "a@[x]", "g: a@b, c@d;"],
  ],
  ["hexcolor", ["#fff", "FFFFFF"], ["#ff", "ggg"]],
  ["hostname", ["a", "example.com", "caf\u00e9.example"], ["", "a_b", "-a", "a.b1", "example.com."]],
  ["ipv4", ["1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4"], ["1.2.3", "256.0.0.1", "::1", ""]],
  [
    "ipv6",
    ["::", "::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "1::7:8"],
    ["1.2.3.4", ":::", "1:2:3:4:5:6:7::8", "1::2::3", "::01.2.3.4", "fe80::1%a", "12345::"],
  ],
  ["isbn", ["0321751043", "978-0321751041"], ["0321751044"]],
  ["isbn10", ["3 401 01319 X"], ["978-0321751041"]],
  ["isbn13", ["978-0321751041"], ["0321751043"]],
  ["k8s-long-name", ["a.b"], ["A", "a..b"]],
  ["k8s-short-name", ["a-b"], ["a.b", "-a"]],
  [
    "mac",
    ["01:23:45:67:89:ab", "0123.4567.89ab", "0123456789ab"],
    ["01:23-45:67:89:ab", "01:23:45", "01:23:45:67:89:ab:cd"],
  ],
  ["password", ["", "anything"], []],
  ["rgbcolor", ["rgb(0, 255,1)"], ["rgb(256,0,0)", "rgb(01,0,0)"]],
  ["ssn", ["123-45-6789"], ["123456789"]],
  [
    "uri",
    [
      "https://a/b?c",
      "/a",
      "x:y",
      "*",
      "http://[::1]:80",
      "http://[fe80::1%25eth0]/",
      "db://a:1,b:2/",
      "http://u:p@a/",
    ],
    ["", "a", "http://a b/", "http://[::1", "http://a:1:2/", "http://[1.2.3.4]/", "/%2", ":x", "http://a[b]/", "a\nb:"],
  ],
  ["uuid", ["123e4567-e89b-42d3-a456-426614174000", "123E4567E89B42D3A456426614174000"], ["x"]],
  ["uuid3", ["123e4567-e89b-32d3-0456-426614174000"], ["123e4567-e89b-42d3-a456-426614174000"]],
  ["uuid4", ["123e4567-e89b-42d3-a456-426614174000"], ["123e4567-e89b-42d3-7456-426614174000"]],
  ["uuid5", ["123e4567-e89b-52d3-b456-426614174000"], ["123e4567-e89b-42d3-a456-426614174000"]],
];

for (const [format, good, bad] of ROWS) {
  test(`recognizes the format ${format}`, () => {
    for (const text of good) assert.deepEqual(listErrors({ type: "string", format }, text), [], text);
    for (const text of bad) assert.deepEqual(listErrors({ type: "string", format }, text), ["TypeInvalid f"], text);
  });
}

test("ignores formats that the API server doesn't check", () => {
  for (const format of ["ip", "", "int32", "regex", "semver"])
    assert.deepEqual(listErrors({ type: "string", format }, "\u0000"), []);
  assert.deepEqual(listErrors({ type: "integer", format: "date" }, 1), []);
  assert.deepEqual(listErrors({ type: "string", format: "k8s-short-name" }, "A", { kubernetesMinor: 34 }), []);
});
