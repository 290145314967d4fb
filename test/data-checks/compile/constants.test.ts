import { testExplanations } from "../../support/data-checks/explain.ts";

testExplanations("a text that a function does not understand gets the nearest that it does", [
  ['quantity("10Gi")'],
  ['quantity("10GB")', '["10GB"] "10GB" is not an amount (write "10Gi" (powers of 1024) or "10G" (of 1000))'],
  [
    'quantity("512 MiB")',
    '["512 MiB"] "512 MiB" is not an amount (write "512Mi" (powers of 1024) or "512M" (of 1000))',
  ],
  ['quantity("ten")', '["ten"] "ten" is not an amount (write it as Kubernetes does: "500m", "2" or "10Gi")'],
  ['cidr("10.0.0.0")', '["10.0.0.0"] "10.0.0.0" is not a network (add the length of its prefix: "10.0.0.0/LENGTH")'],
  [
    'cidr("10.0.0/8")',
    '["10.0.0/8"] "10.0.0/8" is not a network (write the address and the length of its prefix: "10.0.0.0/16")',
  ],
  ['ip("10.0.0.0/8")', '["10.0.0.0/8"] "10.0.0.0/8" is not an address (write cidr(...) for a network)'],
  ['ip("10.0.0")', '["10.0.0"] "10.0.0" is not an address (write all of its parts: "10.0.0.1")'],
  [
    'semver("1.2")',
    '["1.2"] "1.2" is not a version with three parts (write version("1.2"), or all three parts: semver("1.2.0"))',
  ],
  ['semver("1.2", true)'],
  ['duration("2d")', '["2d"] "2d" is not a duration (hours are the longest unit: "48h")'],
  ['duration("5")', '["5"] "5" is not a duration (give each number a unit: "90s", "15m" or "1h30m")'],
  [
    'timestamp("2026-12-24")',
    '["2026-12-24"] "2026-12-24" is not a time (write day, time and zone: "2026-12-24T10:00:00Z")',
  ],
  ['url("abc")', '["abc"] "abc" is not a URL (write it whole: "https://example.com/path")'],
  [
    'version("1.2.3.4")',
    '["1.2.3.4"] "1.2.3.4" is not a version (write its numbers, as in version("1.9") or version("1.9.3"))',
  ],
  ['int("a")', "[int(\"a\")] int() can't convert a constant: type conversion error from 'string' to 'int'"],
  ['isQuantity("10GB")'],
]);

testExplanations("what is written down is evaluated, from the inside", [
  ["[1, 2][5]", "[[1, 2][5]] index out of bounds: 5"],
  ['parseJson("{")', '["{"] the text is not JSON'],
  ["1 / 0", "[1 / 0] division by zero"],
  ["size > 1 / 0", "[1 / 0] division by zero"],
  ["size > (1 + 1)"],
  ['duration("1h") < duration("2h")'],
]);

testExplanations("a part of a condition that is always the same is marked", [
  ["size > 1 && 1 > 2", "warning: [1 > 2] this is always false (leave it out)"],
  ['node.hasValue() || "a" == "a"', 'warning: ["a" == "a"] this is always true (leave it out)'],
  ['"a".matches("^b$") && size > 0', 'warning: ["a".matches("^b$")] this is always false (leave it out)'],
  ["[1, 2].exists(x, x == size)"],
]);

testExplanations("a key that is written as a field gets its brackets", [
  [
    'nodes.items.filter(n, n.metadata.labels.app.kubernetes.io/name == "x")',
    '[app.kubernetes.io/name] app.kubernetes.io/name is a key, and not a name that a dot selects (write labels[?"app.kubernetes.io/name"], and .orValue(...) behind it)',
  ],
  [
    'nodes.items.filter(n, n.metadata.?labels.?node-role.orValue("") == "x")',
    '[node-role] node-role is a key, and not a name that a dot selects (write labels[?"node-role"], and .orValue(...) behind it)',
  ],
  [
    "nodes.items.filter(n, has(n.metadata.labels.a.b/c))",
    '[a.b/c] a.b/c is a key, and not a name that a dot selects (write labels[?"a.b/c"], and .orValue(...) behind it)',
  ],
  [
    'nodes.items.filter(n, has(n.metadata.labels["a.b/c"]))',
    '[n.metadata.labels["a.b/c"]] has() takes the selection of a field (of a key, write [?KEY].hasValue())',
  ],
  ["nodes.items.filter(n, size - foo == 1)", "[foo] the name foo is not declared"],
]);
