/** A check that takes as much as it can: the variables and the condition of its rule, and the text in the object that it reads. */
export type Bomb = {
  readonly name: string;
  readonly variables: readonly (readonly [name: string, expression: string])[];
  readonly when: string;
  readonly text: string;
};

type Part = Pick<Bomb, "name" | "when"> & Partial<Bomb>;

/** What is read. */
const TEXT = "maps.items[0].data.text";

/** Bombs of all kinds and of several sizes, always the same. */
export function listBombs(): readonly Bomb[] {
  const parts = [
    ...listRanges(),
    ...listDoubled(),
    ...listShared(),
    ...listTexts(),
    ...listPatterns(),
    ...listDocuments(),
    ...listValues(),
  ];
  return parts.map((part) => ({ variables: [], text: "", ...part }));
}

/** Loops within loops, and lists of all that they went through. */
function listRanges(): readonly Part[] {
  const nest = (depth: number, count: number, inner: string): string =>
    Array.from({ length: depth }, (_, i) => `x${i}`).reduce(
      (body, name) => `lists.range(${count}).map(${name}, ${body})`,
      inner,
    );
  const shapes = [
    [2, 3_000],
    [3, 3_000],
    [4, 100],
    [6, 20],
  ] as const;
  return [
    ...shapes.flatMap(([depth, count]) => [
      { name: `range ${count}^${depth}`, when: `${nest(depth, count, "0")}.size() < 0` },
      { name: `range ${count}^${depth} of texts`, when: `${nest(depth, count, "string(x0) + 'abc'")}.size() < 0` },
      { name: `range ${count}^${depth} of maps`, when: `${nest(depth, count, "{'a': x0}")}.size() < 0` },
    ]),
    { name: "macros in macros", when: `${nest(40, 2, "0")}.size() < 0` },
    { name: "one range", when: "lists.range(1000000).map(x, [x, x, x]).size() < 0" },
    { name: "range to map", when: "lists.range(1000000).transformMap(i, x, string(x)).size() < 0" },
    { name: "nothing that costs", when: `lists.range(1000000).exists(x, ${"false || ".repeat(800)}false)` },
    { name: "conditions", when: `lists.range(1000000).exists(x, ${"false ? true : ".repeat(200)}false)` },
  ];
}

/** A variable that is twice the one before it. */
function listDoubled(): readonly Part[] {
  const kinds = {
    list: ["[1, 2]", (v: string) => `${v} + ${v}`],
    text: ["'abcdefgh'", (v: string) => `${v} + ${v}`],
    bytes: ["b'abcdefgh'", (v: string) => `${v} + ${v}`],
    flattened: ["[1, 2]", (v: string) => `[${v}, ${v}].flatten()`],
    joined: ["'abcdefgh'", (v: string) => `[${v}, ${v}].join(',')`],
    formatted: ["'abcdefgh'", (v: string) => `'%s%s'.format([${v}, ${v}])`],
    replaced: ["'aaaaaaaa'", (v: string) => `${v}.replace('a', 'aa')`],
    mapped: ["[1, 2]", (v: string) => `(${v} + ${v}).map(x, x)`],
  } as const;
  return Object.entries(kinds).flatMap(([kind, [first, next]]) =>
    [20, 30].map((count) => ({
      name: `${kind} doubled ${count} times`,
      ...repeat(first, next, count),
      when: `v${count}.size() < 0`,
    })),
  );
}

function repeat(first: string, next: (name: string) => string, count: number): Pick<Bomb, "variables"> {
  return {
    variables: Array.from({ length: count + 1 }, (_, i) => [`v${i}`, i === 0 ? first : next(`v${i - 1}`)] as const),
  };
}

/** Small values that hold each other so often that walking through them never ends. */
function listShared(): readonly Part[] {
  const shared = {
    list: repeat("[1, 2]", (v) => `[${v}, ${v}]`, 30),
    texts: repeat("['', '']", (v) => `[${v}, ${v}]`, 30),
    map: repeat("{'a': 1}", (v) => `{'a': ${v}, 'b': ${v}}`, 30),
  };
  const uses = [
    "v30 == v30",
    "v30 in [v30]",
    "[v30, v30].distinct().size() < 0",
    "[v30].indexOf(v30) < 0",
    "sets.contains([v30], [v30]) && false",
    "'%s'.format([v30]).size() < 0",
    "leaves(v30).size() < 0",
    "matchesSelector(dyn({'matchLabels': {'a': v30}}), dyn({}))",
    "dyn([v30]).max() == 1",
    "names(dyn([v30])) == ''",
  ];
  return Object.entries(shared).flatMap(([kind, variables]) =>
    uses.map((when) => ({ name: `shared ${kind}: ${when}`, ...variables, when })),
  );
}

/** Functions of texts, many times over one of a megabyte. */
function listTexts(): readonly Part[] {
  const megabyte = "a".repeat(1 << 20);
  const uses = [
    `${TEXT}.lastIndexOf('b' + string(i)) > 0`,
    `${TEXT}.lastIndexOf('${"a".repeat(50)}b') > 0`,
    `${TEXT}.lastIndexOf('b${"a".repeat(50)}') > 0`,
    `${TEXT}.indexOf('b${"a".repeat(100)}') > 0`,
    `${TEXT}.contains('${"a".repeat(100)}b')`,
    `(${TEXT} + string(i)).charAt(i) == 'b'`,
    `(${TEXT} + string(i)).substring(i).size() < 0`,
    `${TEXT}.split('').size() < 0`,
    `${TEXT}.split('a').size() < 0`,
    `${TEXT}.replace('a', 'bb').size() < 0`,
    `${TEXT}.replace('', ${TEXT}).size() < 0`,
    `${TEXT}.upperAscii().size() < 0`,
    `${TEXT}.size() < 0`,
    `bytes(${TEXT}).size() < 0`,
    `[${TEXT}, ${TEXT} + string(i)].sort().size() < 0`,
    `strings.quote(${TEXT}).size() < 0`,
    `quote(${TEXT}, 10).size() < 0`,
    `base64.decode(${TEXT}).size() < 0`,
    `base64.encode(bytes(${TEXT})).size() < 0`,
    `names([${TEXT}, ${TEXT}]).size() < 0`,
    `listed([${TEXT}, ${TEXT}]).size() < 0`,
    `${TEXT}.startsWith(${TEXT} + 'b')`,
    `${TEXT}.endsWith(${TEXT} + 'b')`,
    `${TEXT}.lowerAscii().size() < 0`,
    `${TEXT}.trim().size() < 0`,
    `[${TEXT}, ${TEXT} + 'b'].isSorted() && false`,
    `[${TEXT}, ${TEXT} + 'b'].min() == ''`,
  ];
  return uses.map((use) => ({
    name: use.slice(0, 70),
    when: `lists.range(100000).exists(i, ${use})`,
    text: megabyte,
  }));
}

/** Patterns that are large, that are many, and that lead to many states. */
function listPatterns(): readonly Part[] {
  const text = "abacbbc".repeat(30_000);
  const large = "a{1000}".repeat(9);
  return [
    { name: "pattern of a million steps", when: `${TEXT}.matches('${"a{1000}".repeat(1_000)}')`, text },
    ...[20, 200, 900].map((count) => ({
      name: `pattern of many states (${count})`,
      when: `lists.range(1000).exists(i, ${TEXT}.matches('(?i)[a-z]*a[a-z]{${count}}!'))`,
      text: `${text}!`,
    })),
    { name: "patterns that are made", when: `lists.range(10000).exists(i, 'x'.matches('${large}' + string(i)))` },
    { name: "captures", when: `lists.range(1000).exists(i, capture(${TEXT}, '(a[a-z]{300}!)').hasValue())`, text },
    { name: "searches", when: `lists.range(1000).exists(i, ${TEXT}.find('a*b+[^!]*!') == '!')`, text },
    { name: "matches of one letter", when: `${TEXT}.findAll('a*!|a').size() < 0`, text: "a".repeat(1 << 18) },
  ];
}

/** Texts that stand for far larger values. */
function listDocuments(): readonly Part[] {
  const use = (parse: string): string => `lists.range(1000).exists(i, leaves(${parse}(${TEXT})).size() < 0)`;
  const wide = (item: string): string => `[${Array.from({ length: 50_000 }, () => item).join()}]`;
  return [
    ...[3, 5, 8].flatMap((depth) => [
      { name: `aliases of lists (${depth})`, when: use("parseYaml"), text: writeAliases(depth, (a) => `[${a}]`) },
      {
        name: `aliases of maps (${depth})`,
        when: use("parseYaml"),
        text: writeAliases(
          depth,
          (a) =>
            `{${a
              .split(",")
              .map((alias, i) => `k${i}: ${alias}`)
              .join()}}`,
        ),
      },
    ]),
    {
      name: "aliases of a long text",
      when: use("parseYaml"),
      text: `a: &a ${"x".repeat(9_999)}\nb: [${Array(999).fill("*a").join()}]`,
    },
    { name: "lists of JSON", when: use("parseJson"), text: wide("[]") },
    { name: "maps of JSON", when: use("parseJson"), text: wide("{}") },
    { name: "deep JSON", when: use("parseJson"), text: "[".repeat(900) + "]".repeat(900) },
    {
      name: "certificates",
      when: `lists.range(1000).exists(i, certificates(${TEXT}).size() < 0)`,
      text: CERTIFICATE.repeat(200),
    },
    { name: "wide YAML", when: use("parseYaml"), text: wide("{a: 1}") },
    { name: "long key in YAML", when: use("parseYaml"), text: `? ${"k".repeat(1 << 19)}\n: 1` },
  ];
}

/** Of the shortest kind. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBRzCB+qADAgECAggY69xed+ngtTAFBgMrZXAwLzEVMBMGA1UEChMMRXhhbXBs
ZSwgSW5jMRYwFAYDVQQDEw1hLmV4YW1wbGUuY29tMCAXDTI2MDEwMTAwMDAwMFoY
DzIwNTEwMTAxMDAwMDAwWjAvMRUwEwYDVQQKEwxFeGFtcGxlLCBJbmMxFjAUBgNV
BAMTDWEuZXhhbXBsZS5jb20wKjAFBgMrZXADIQBkMiK6WeZ/rpMH1YtcW4Wn85Dd
+6uaCeSjrk1ngp6vs6MyMDAwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUnelN
tHiEPZfGAlKGrzCgJA9Ep4YwBQYDK2VwA0EATBmxefZDhwTzaYCn79Vxqh4lXVuW
P51wm0M6VaN/Z7uMbAiVKhjltIrWghPO77+Y6FYJ31l+ooOLJglETm17BA==
-----END CERTIFICATE-----
`;

function writeAliases(depth: number, write: (aliases: string) => string): string {
  const names = Array.from({ length: depth }, (_, i) => `n${i}`);
  return names
    .map(
      (name, i) =>
        `${name}: &${name} ${write(
          Array(10)
            .fill(i === 0 ? "x" : `*${names[i - 1]} `)
            .join(),
        )}`,
    )
    .join("\n");
}

/** Numbers, versions, times and zones of which each takes long to read. */
function listValues(): readonly Part[] {
  const digits = "1".repeat(200_000);
  const uses = [
    `double(${TEXT} + 'x') > 1.0`,
    `int(${TEXT}) > 1`,
    `quantity(${TEXT}).isGreaterThan(quantity('1e900'))`,
    `isQuantity(${TEXT})`,
    `isSemver('1.2.' + ${TEXT})`,
    `isSemver('1.2.3-' + ${TEXT})`,
    `duration(${TEXT} + 'h') == duration('1h')`,
    `timestamp(${TEXT}) == timestamp('2026-01-01T00:00:00Z')`,
    `isURL('https://a/' + ${TEXT})`,
    `isIP(${TEXT})`,
    `isCIDR(${TEXT})`,
    `format.dns1123Subdomain().validate(${TEXT}).hasValue() && false`,
    `uint(${TEXT}) > 1u`,
    `bool(${TEXT})`,
    `version(${TEXT}).isLessThan(version('1.2.3'))`,
    `semver('1.2.3-' + ${TEXT}.replace('1', '1.')).isLessThan(semver('1.2.3-1'))`,
    `url('https://a/?' + ${TEXT}.replace('11', '1&')).getQuery().size() < 0`,
    `url('https://' + ${TEXT} + ':1/').getHostname() == ''`,
    `url('https://' + ${TEXT} + ':1/').getPort() == ''`,
    `ip.isCanonical(${TEXT})`,
    ...[
      "qualifiedName",
      "labelValue",
      "dns1123Label",
      "dns1035LabelPrefix",
      "uri",
      "uuid",
      "byte",
      "date",
      "datetime",
    ].map((format) => `format.${format}().validate(${TEXT}).hasValue() && false`),
    "now.getHours('Nowhere') > 100",
    ...[
      "LIST.sum() < 0",
      "LIST.max() < 0",
      "LIST.isSorted() && false",
      "LIST.reverse().size() < 0",
      "LIST.slice(0, 10000).size() < 0",
      "LIST.sort().size() < 0",
      "[LIST, LIST, LIST].flatten().size() < 0",
      "sets.intersects(LIST, [-1])",
      "sets.equivalent(LIST, [-1])",
      "LIST.map(x, optional.of(x)).unwrapOpt().size() < 0",
      "condition(dyn({'status': {'conditions': LIST}}), 'A').hasValue()",
      "images(dyn({'spec': {'containers': LIST.map(x, {'image': 'a'})}})).size() < 0",
      "dyn(LIST.map(x, {'version': '4.1.2', 'state': 'Completed'})).reached('4.9.0')",
      "dyn(LIST.map(x, {'version': '4.1.2', 'state': 'Completed'})).beganBefore('4.0.0')",
      "names(LIST.map(x, string(x))) == ''",
      "countBy(LIST.map(x, string(x))).size() < 0",
      "mostCommon(LIST.map(x, string(x))).orValue('') == 'a'",
    ].map((use) => use.replaceAll("LIST", "lists.range(10000)")),
    "[lists.range(10000), lists.range(10000)] == [[1]]",
  ];
  return uses.map((use) => ({
    name: use.slice(0, 70),
    when: `lists.range(100000).exists(i, ${use})`,
    text: digits,
  }));
}
