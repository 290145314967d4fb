import assert from "node:assert/strict";
import { test } from "node:test";
import { isSecretKey, mayNameSecret } from "../../src/model/secrets/secret-forms.ts";

const SECRET = [
  ..."password dbPasswd passphrase passcode PWD token tokens idToken jwt bearer secret credential credentials dsn".split(
    " ",
  ),
  ..."apiKey api-key api_key apikeys access.key preSharedKey pre-shared-key serviceKey passwordHash accessKeyId keyIds".split(
    " ",
  ),
  ..."connectionString webhook-url slack_api_url authorization Cookie sessionId userData cloud-init cloudConfig".split(
    " ",
  ),
  ..."startup-script registryAuth sas_url htpasswd kubeconfig dockerConfigJson docker-cfg tokenData token_b64".split(
    " ",
  ),
  ..."pass db.pass DB_PASS smtp-pass dbPass otp psk wpaPsk wpaPSK pw rootPw myPAT pat bindpw requirepass sshpass".split(
    " ",
  ),
  ..."smtp_auth smtp-auth SMTP_AUTH 2Pass rootpw masterauth".split(" "),
];

const OTHER = [
  ..."secrets secretName tokenConfig tokenSecretRef key keys publicKey name user".split(" "),
  ..."bypass compass passive pass-through hotp laptop author oauth auth authN smtp_authority smtp_auth2".split(" "),
  ..."dbPassed wpaPskMode _Pass2 -Passx path myPATH pwx".split(" "),
];

test("a key names a secret by its last word", () => {
  const keys = [...SECRET, ...OTHER];
  assert.deepEqual(keys.filter(isSecretKey), SECRET);
});

const REFERENCES = [
  ..."secret clientSecret token credential credentials cookie api-key api_key api.key API_KEY TOKEN".split(" "),
  ..."kubeconfig cloudconfig cloud-config cloud_config cloud.config".split(" "),
];

const VALUES = "apikey apiKey key password tokenized secretly cookies cloudxconfig config kubeconfigs".split(" ");

test("some of these keys may name another object that has the secret", () => {
  const keys = [...REFERENCES, ...VALUES];
  assert.deepEqual(keys.filter(mayNameSecret), REFERENCES);
});
