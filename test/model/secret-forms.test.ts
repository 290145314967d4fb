import assert from "node:assert/strict";
import { test } from "node:test";
import { redactText } from "../../src/model/secrets/redact-text.ts";

/** Each form with the most that it may leave out or add, beside what looks like it and is none. */
const TEXTS: readonly (readonly [before: string, after: string])[] = [
  ["htpasswd -Bb users bob hunter2 failed", "htpasswd -Bb users bob REDACTED failed"],
  ["htpasswd  -nb  bob  x  hunter2", "htpasswd  -nb  bob  x  REDACTED"],
  ["htpasswd -B users bob", "htpasswd -B users bob"],
  ["echo hunter2|passwd --stdin bob", "echo REDACTED|passwd --stdin bob"],
  ["echo  -n  hunter2  |  sudo  passwd --stdin bob", "echo  -n  REDACTED  |  sudo  passwd --stdin bob"],
  ['echo "hunter 2" | oc login --password-stdin', "echo REDACTED | oc login --password-stdin"],
  ["echo hunter2 > file", "echo hunter2 > file"],
  ["echo hunter2 | base64", "echo hunter2 | base64"],
  ["mariadb-dump -phunter2 db", "mariadb-dump -pREDACTED db"],
  ["mysql -phunter2", "mysql -pREDACTED"],
  ["join abcdef.0123456789abcdef now", "join REDACTED now"],
  ["host abcdef.abcdefghijklmnop is down", "host abcdef.abcdefghijklmnop is down"],
  ["host x.abcdef.0123456789abcdef is down", "host x.abcdef.0123456789abcdef is down"],
  ["host a.0123456789abcdef is down", "host a.0123456789abcdef is down"],
  ['{"auth": "dTpw/+=AAAA"}', '{"auth": "REDACTED"}'],
  ['{"auth":"dTpw/+=AAAA", "email": "x"}', '{"auth":"REDACTED", "email": "x"}'],
  ["Cookie: session=abc; b=c", "Cookie: REDACTED"],
  ["set-cookie: id=12345", "set-cookie: REDACTED"],
  ["cookie : a=b", "cookie : REDACTED"],
  ["a cookie recipe", "a cookie recipe"],
  ['<property name = "db.password" value="hunter2"/>', '<property name = "db.password" value="REDACTED"/>'],
  ["name='my-token' value='hunter2'", "name='my-token' value=\"REDACTED\""],
];

for (const [before, after] of TEXTS)
  test(`${before === after ? "keeps" : "redacts"}: ${before}`, () => {
    assert.equal(redactText(before), after);
  });
