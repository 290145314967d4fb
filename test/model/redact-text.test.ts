import assert from "node:assert/strict";
import { test } from "node:test";
import { createFieldMask, isWord, redactText, redactTexts } from "../../src/model/secrets/redact-text.ts";

const DIGEST = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/** What operators, API servers and registries say, and what has no secret in it. */
const KEPT = [
  "failed to fetch token: the server responded with 403",
  'secret "builder-token" not found in namespace "openshift-config"',
  "secret: openshift-config/pull-secret not found",
  "basic authentication failed, and so did the bearer challenge",
  "The token expired: 2026-01-01T00:00:00Z",
  'pods "x" is forbidden: User "system:serviceaccount:a:b" cannot list resource "pods" in API group ""',
  `quay.io/openshift-release-dev/ocp-release:4.20.8-x86_64@${DIGEST} can't be pulled`,
  "https://github.com/o/r/commit/0123456789012345678901234567890123456789 fixes it",
  "Get https://api.example.com:6443/apis/apps/v1?limit=500: dial tcp 10.0.0.1:6443: connect: connection refused",
  "https://docs.redhat.com/en/documentation/openshift_container_platform/4.17/html/updating_clusters/index",
  "run oc -n a patch deployment.apps/b -p '{\"spec\":{}}' and mkdir -p /tmp/x",
  "spec.token is immutable: self.token == oldSelf.token",
  "CVE-2023-3089 in pod prometheus-k8s-0, node ip-10-0-1-2.ec2.internal, uid 11111111-2222-4333-8444-555555555555",
  "MachineConfig rendered-worker-0123456789abcdef0123456789abcdef is not on disk",
  "The certificate kube-system/signer has 3 days left: its key: RSA, 2048 bits",
  "The password is required, and the password for user admin is incorrect",
  "the passphrase is out-of-date, base64-encoded and 8-32 characters long, and the password is SHA-256 hashed",
  "the password is 3650d old, has been set on 2026-01-01 and was changed to a stronger one",
  "the token is builder-token-x7k2p, and its secret is of type Opaque2",
  "no community string is set, and a PIN code is needed",
  "gpio pin 1234 and mapping 12345678",
  "--kubeconfig=/etc/kubernetes/static-pod-resources/secrets/token can't be read",
];

for (const text of KEPT) {
  test(`keeps: ${text}`, () => {
    assert.equal(redactText(text), text);
  });
}

const REPLACED: readonly (readonly [before: string, after: string])[] = [
  ["dial postgres://me:p@ss/word@db:5432/x failed", "dial postgres://REDACTED@db:5432/x failed"],
  ["password=hunter2, port=1", "password=REDACTED, port=1"],
  ["password: hunter2 is wrong", "password: REDACTED is wrong"],
  ["password: : hunter2 is wrong", "password: : REDACTED is wrong"],
  ["password: # hunter2", "password: # REDACTED"],
  ["invalid token 'aB3dE5fG7h' given", "invalid token 'REDACTED' given"],
  ['{"password":"hunter2","a":1}', '{"password":"REDACTED","a":1}'],
  ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":\\"REDACTED\\"}'],
  ["https://h/graph?channel=a&api_key=b&arch=c", "https://h/graph?channel=a&api_key=REDACTED&arch=c"],
  ["post https://h.example/hooks/a1b2c3: 404", "post https://h.example/hooks/REDACTED: 404"],
  ["its passphrase is hunter2, and fails", "its passphrase is REDACTED, and fails"],
  ["the passphrase is correct-horse-battery-staple", "the passphrase is REDACTED"],
  ["the password for user admin is Xy-12!", "the password for user admin is REDACTED"],
  ["the password for the user admin of db is 'swordfish'", "the password for the user admin of db is 'REDACTED'"],
  ["the password has been changed to abc123", "the password has been changed to REDACTED"],
  ["the user whose password is hunter2", "the user whose password is REDACTED"],
  [`login AC${"0a".repeat(16)}:${"b1".repeat(16)} failed`, "login REDACTED failed"],
  ["community string c0mmon is wrong", "community string REDACTED is wrong"],
  ["SNMP community string: 'public'", "SNMP community string: REDACTED"],
  ["PIN code 12345678 was refused", "PIN code REDACTED was refused"],
  ["pin code: 1234", "pin code: REDACTED"],
  ["curl -u me:pw -H 'X-Auth-Token: a1b2'", "curl -u REDACTED -H 'X-Auth-Token: REDACTED'"],
];

for (const [before, after] of REPLACED) {
  test(`replaces the secret and nothing else: ${before}`, () => {
    assert.equal(redactText(before), after);
    assert.equal(redactText(after), after, "a second time changes nothing");
  });
}

test("redacts all texts of an object", () => {
  const object = { a: ["https://me:pw@h/", 1, null], b: { c: "AsExpected", d: "password=hunter2" } };
  const expected = { a: ["https://REDACTED@h/", 1, null], b: { c: "AsExpected", d: "password=REDACTED" } };
  assert.deepEqual(redactTexts(object), expected);
});

test("a word has no digit, no space and less than twenty characters", () => {
  const texts = ["", "A", "AsExpected", "a.b/c_d-e", "a".repeat(19), "a".repeat(20), "a b", "a1", "a:", "é"];
  assert.deepEqual(texts.filter(isWord), texts.slice(0, 5));
});

test("masks values of fields that are secrets by their names, whatever their form", () => {
  const mask = createFieldMask({
    spec: { password: "the", token: 4711, tokenSecret: { name: "s", value: "correct-horse" }, mode: "fast" },
    env: [{ name: "DB_PASSWORD", value: `${"x".repeat(80)}"` }],
  });
  assert.equal(mask('The value "the" is not the one'), 'The value "REDACTED" is not the one');
  assert.equal(mask("The number 4711 is above 47110"), "The number REDACTED is above 47110");
  assert.equal(mask("s: correct-horse in mode fast"), "s: REDACTED in mode fast");
  assert.equal(mask(`The value "${"x".repeat(60)}"... is long`), 'The value "REDACTED"... is long');
});

test("masks nothing else of an object", () => {
  const mask = createFieldMask({
    mode: "recreate",
    token: "",
    password: null,
    secret: true,
    tokenSecret: { name: "builder-one", namespace: "namespace-one", key: "key-one" },
    env: [
      { name: "DB_PASSWORD", kind: "mysql-kind" },
      { name: "PORT", value: "visible" },
    ],
  });
  const text = 'recreate "" null true builder-one namespace-one key-one mysql-kind visible DB_PASSWORD';
  assert.equal(mask(text), text);
});

test("masks a value of less than six characters only in quotes, and a long one also where it is cut", () => {
  const mask = createFieldMask({ password: "sixsix", token: "fives", secret: "a".repeat(61) });
  assert.equal(mask('sixsix fives "fives" asixsixb'), 'REDACTED fives "REDACTED" aREDACTEDb');
  const cut = [60, 59].map((length) => mask(`"${"a".repeat(length)}"`));
  assert.deepEqual(cut, ['"REDACTED"', `"${"a".repeat(59)}"`]);
});
