import assert from "node:assert/strict";
import { test } from "node:test";
import { redactForms, redactText } from "../../src/model/secrets/redact-text.ts";

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

type Rows = readonly (readonly [before: string, after: string])[];

const KEY = "-----BEGIN PRIVATE KEY-----";
const JWT = "eyJhbGciOiJ.eyJzdWIiOiI";

const KEYS: Rows = [
  [`x ${KEY}\nAB\n-----END PRIVATE KEY----- y`, "x REDACTED y"],
  [`x ${KEY}-----END PRIVATE KEY----- y`, "x REDACTED y"],
  [`x ${KEY}\nAB c`, "x REDACTED"],
  [
    "x -----BEGIN EC PRIVATE KEY-----\nAB\n-----END EC PRIVATE KEY-----\n-----BEGIN PGP PRIVATE KEY BLOCK-----\nAB",
    "x REDACTED\nREDACTED",
  ],
  [
    "-----BEGIN CERTIFICATE-----\nAB\n-----END CERTIFICATE-----",
    "-----BEGIN CERTIFICATE-----\nAB\n-----END CERTIFICATE-----",
  ],
  ["x PuTTY-User-Key-File-3: ssh\nAB", "x REDACTED"],
  ["x PuTTY-User-Key-File-", "x REDACTED"],
  ["xPuTTY-User-Key-File-3: ssh", "xPuTTY-User-Key-File-3: ssh"],
  [`der MIIab AIBA MIIabAIBA${"A".repeat(20)}.`, "der MIIab AIBA REDACTED."],
  [`der MIIabAIBA${"A".repeat(19)}.`, `der MIIabAIBA${"A".repeat(19)}.`],
  [`der MIIabBIBA${"A".repeat(20)}`, `der MIIabBIBA${"A".repeat(20)}`],
  [`der xMIIabAIBA${"A".repeat(20)}`, `der xMIIabAIBA${"A".repeat(20)}`],
  [`store zs7Ozg${"A".repeat(20)}.`, "store REDACTED."],
  [`store A9mimg${"A".repeat(19)}.`, `store A9mimg${"A".repeat(19)}.`],
  [`store /u3+7QAAAA${"A".repeat(20)}`, "store REDACTED"],
  [`azure ${"A".repeat(86)}==.`, "azure REDACTED."],
  [`azure ${"A".repeat(85)}==.`, `azure ${"A".repeat(85)}==.`],
  [`azure ${"A".repeat(87)}==.`, `azure ${"A".repeat(87)}==.`],
];

const TOKENS: Rows = [
  [`jwt ${JWT}.sig-nature. y`, "jwt REDACTED y"],
  [`jwt ${JWT}, y`, "jwt REDACTED, y"],
  [`jwt ${JWT}..ab..cd`, "jwt REDACTED.cd"],
  [`jwt x${JWT}`, `jwt x${JWT}`],
  [`jwt -${JWT}`, `jwt -${JWT}`],
  ["jwt eyJabcdefg.abcdefgh", "jwt eyJabcdefg.abcdefgh"],
  ["jwt eyJabcdefgh.abcdefg", "jwt eyJabcdefgh.abcdefg"],
  ["join abcdef.a1b2ccccccccccccc", "join abcdef.a1b2ccccccccccccc"],
  ["join abcdef.a1b2cccccccccccc", "join REDACTED"],
  ["join abcdef.1ab2cccccccccccc", "join REDACTED"],
  ["join abcdef.cccccccccccccc12", "join REDACTED"],
  ["join abcdef.ccccccccccccccc1", "join abcdef.ccccccccccccccc1"],
  ['{"auth" : "dTpwdw=="}', '{"auth" : "REDACTED"}'],
  ['{\\"auth\\":\\"dTpwdw==\\"}', '{\\"auth\\":\\"REDACTED\\"}'],
];

const HASHES: Rows = [
  ..."1 2 2a 2y 5 6 7 y gy apr1 argon2 argon2id pbkdf2 pbkdf2-sha256 scrypt"
    .split(" ")
    .map((id) => [`x $${id}$ab./,=+-$cd y`, "x REDACTED y"] as const),
  ["x $2z$abcdefgh y", "x $2z$abcdefgh y"],
  ["x $6$abcdefg y", "x $6$abcdefg y"],
  ["x $6$abcdefgh y", "x REDACTED y"],
  ["{SHA}abcdefgh= {SSHA}abcdefgh {SHA256}ab+/cdef", "REDACTED REDACTED REDACTED"],
  ["{SHA}abcdefg", "{SHA}abcdefg"],
  ["{SHAKE}abcdefgh", "{SHAKE}abcdefgh"],
];

const HEADERS: Rows = [
  ["bearer abcdefg1 x", "bearer REDACTED x"],
  ["Bearer  abcdef1 x", "Bearer  abcdef1 x"],
  ["NEGOTIATE \t1abcdefg x", "NEGOTIATE \tREDACTED x"],
  ["basic =bcdefgh x", "basic REDACTED x"],
  ["genie-key abcdefg1, geniekey abcdefg1", "genie-key REDACTED, geniekey REDACTED"],
  ["splunk abcdefghijklmnopqrst x", "splunk REDACTED x"],
  ["splunk abcdefghijklmnopqrs x", "splunk abcdefghijklmnopqrs x"],
  ["forbearer abcdefg1", "forbearer abcdefg1"],
  ["digest: abcdefg1", "digest: abcdefg1"],
  ["Authorization: Basic abc, x", "Authorization: Basic REDACTED, x"],
  ["proxy-authorization:token ab", "proxy-authorization:token REDACTED"],
  ["'authorization'  =  'genie-key  ab' x", "'authorization'  =  'genie-key  REDACTED' x"],
  ['\\"authorization\\":\\"geniekey ab\\" x', '\\"authorization\\":\\"geniekey REDACTED\\" x'],
  ["unauthorization: basic ab", "unauthorization: basic ab"],
  ["authorization basic ab", "authorization basic ab"],
  ["authorization: other ab", "authorization: other ab"],
  ["'cookie':'a=b c'", "'cookie':'REDACTED'"],
  ["cookie:a=b", "cookie:REDACTED"],
];

const FILES: Rows = [
  ["machine h.example login me password hunter2 x", "machine h.example login REDACTED password REDACTED x"],
  ["machine  h\n  login  me\n  password  hunter2", "machine  h\n  login  REDACTED\n  password  REDACTED"],
  ["default login me password hunter2", "default login REDACTED password REDACTED"],
  ["submachine h login me password hunter2", "submachine h login me password hunter2"],
  ["machine h account me password hunter2", "machine h account me password hunter2"],
  ["<password>hunter2</password>", "<password>REDACTED</password>"],
  ["<db:userPassword x='y'>two words</db:userPassword>", "<db:userPassword x='y'>REDACTED</db:userPassword>"],
  ["<token.value >a\nb</token.value >", "<token.value >a\nb</token.value >"],
  ["<token.value >a\nb</token.value>", "<token.value >REDACTED</token.value>"],
  ["<apikey>a</apikey><api-key>b</api-key>", "<apikey>REDACTED</apikey><api-key>REDACTED</api-key>"],
  ["<ApiKey>a</ApiKey>", "<ApiKey>REDACTED</ApiKey>"],
  ["<password>a</b>", "<password>a</b>"],
  ["<a>password</a>", "<a>password</a>"],
  ["<add key='apikey'  value='a b'/>", "<add key='apikey'  value=\"REDACTED\"/>"],
  ["<add key='x.api-key' value  =  'a b'/>", "<add key='x.api-key' value  =  \"REDACTED\"/>"],
  ['<add NAME="Password" Value="a b"/>', '<add NAME="Password" Value="REDACTED"/>'],
];

const TABLES: Readonly<Record<string, Rows>> = {
  "keys and key stores": KEYS,
  tokens: TOKENS,
  "hashes of passwords": HASHES,
  headers: HEADERS,
  "parts of files": FILES,
};

for (const [what, rows] of Object.entries(TABLES))
  test(`the form alone gives away ${what}`, () => {
    const redacted = rows.map(([before]) => redactForms(before));
    assert.deepEqual(
      redacted,
      rows.map(([, after]) => after),
    );
  });
