import assert from "node:assert/strict";
import { test } from "node:test";
import { redactAssignments } from "../../src/model/secrets/assignments.ts";

type Rows = readonly (readonly [before: string, after: string])[];

const QUOTED: Rows = [
  ['password="two words", a', 'password="REDACTED", a'],
  ["password='two words', a", "password='REDACTED', a"],
  ["password='it''s', a", "password='REDACTED', a"],
  ['password="hun\\"ter2", a', 'password="REDACTED", a'],
  ['password="hunter2', 'password="REDACTED'],
  ['password="hunter2\\', 'password="REDACTED\\'],
  ["password='hunter2", "password='REDACTED"],
  ["password='hunter2\nuser=me", "password='REDACTED\nuser=me"],
  ['{\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"}', '{\\\\\\"password\\\\\\":\\\\\\"REDACTED\\\\\\"}'],
  ['password=\\"hunter2" a', 'password=\\"REDACTED" a'],
  ['password=\\"two words', 'password=\\"REDACTED'],
  ["--password=hunter2 --token=ab12", "--password=REDACTED --token=REDACTED"],
  ["password=a{b", "password=REDACTED"],
];

const AFTER_SIGNS: Rows = [
  ["password: ## hunter2", "password: ## REDACTED"],
  ["password: #  hunter2", "password: #  REDACTED"],
  ["password: : # hunter2", "password: : # REDACTED"],
  ["--password hunter2", "--password REDACTED"],
];

/** What may follow a secret's key and be no secret. */
const NO_VALUES = [
  "password=[a, b]",
  "password=$(cat f)",
  "password=$PW",
  "password=${PW}",
  "password=%(pw)s",
  "password={{ x }}",
  "password=, a",
  "password=***",
  'password="***"',
  "password=...",
  "password=None",
  "password=''",
  'password="" a',
  '{\\"password\\":\\"\\"}',
];

/** After "secret: " may come words, and after "token" anything. */
const LOOSE: Rows = [
  ["secret: ab12", "secret: REDACTED"],
  ["secret: ab1", "secret: ab1"],
  ["secret: ab1??", "secret: ab1??"],
  ["secret: 1:23", "secret: REDACTED"],
  ["secret: 1234abcd", "secret: REDACTED"],
  ["secret: 12ab", "secret: REDACTED"],
  ["secret: 123", "secret: 123"],
  ["secret: 1234", "secret: REDACTED"],
  ["secret: hunter", "secret: hunter"],
  ["secret: the-name.of/something", "secret: the-name.of/something"],
  ["secret: /etc/a1", "secret: /etc/a1"],
  ["secret: x1://y", "secret: x1://y"],
];

const RANDOM: Rows = [
  ["token aB3dE5fG given", "token REDACTED given"],
  ["token aB3dE5f given", "token aB3dE5f given"],
  ["token 3abcdEfG given", "token REDACTED given"],
  ["token aBCDEFG1 given", "token REDACTED given"],
  ["token Abcdefg1 given", "token REDACTED given"],
  ["token ABCDEFG1 given", "token ABCDEFG1 given"],
  ["token abcdefg1 given", "token abcdefg1 given"],
  ["token me@aB3dE5fG given", "token me@aB3dE5fG given"],
  ["token aB3dE5fG% given", "token aB3dE5fG% given"],
  ["token 1abcdefghij2klmnopqr given", "token REDACTED given"],
  ["token abcdefghijklmnopqr12 given", "token REDACTED given"],
  ["token abcdefghijklmnopqr1 given", "token abcdefghijklmnopqr1 given"],
  ["token abcdefghijklmnopqrs1 given", "token abcdefghijklmnopqrs1 given"],
  ["token 1abcdefghijklmnopqrs given", "token 1abcdefghijklmnopqrs given"],
  ["token a1234567890123456789 given", "token REDACTED given"],
  ["token a123456789012345678 given", "token a123456789012345678 given"],
  ["token 01234567890123456789 given", "token 01234567890123456789 given"],
  ["token me@a1234567890123456789 given", "token me@a1234567890123456789 given"],
  ["token a1234567890123456789% given", "token a1234567890123456789% given"],
];

const TABLES: Readonly<Record<string, Rows>> = {
  "a value in quotes ends with its quote, its line or the text": QUOTED,
  "signs alone are no value": AFTER_SIGNS,
  "a variable, a structure or nothing is no secret": NO_VALUES.map((text) => [text, text]),
  "what may name a secret is one if it is no word": LOOSE,
  "after a word, only a random value is a secret": RANDOM,
};

for (const [name, rows] of Object.entries(TABLES))
  test(name, () => {
    const redacted = rows.map(([before]) => redactAssignments(before));
    assert.deepEqual(
      redacted,
      rows.map(([, after]) => after),
    );
  });

test("the caller may say what a secret's value is, if its key may name one", () => {
  const isSecretValue = (value: string): boolean => value === "words";
  const text = "secret: words, token=words, secret: ab12, password=ab12";
  const expected = "secret: REDACTED, token=REDACTED, secret: ab12, password=REDACTED";
  assert.equal(redactAssignments(text, isSecretValue), expected);
});
