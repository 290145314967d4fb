import assert from "node:assert/strict";
import { test } from "node:test";
import { redactCommands } from "../../src/model/secrets/redact-text.ts";

type Rows = Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;

const REPLACED: Rows = {
  "a login": [
    ["skopeo copy --creds me:pw a b", "skopeo copy --creds REDACTED a b"],
    ["skopeo copy --src-creds=me:pw a b", "skopeo copy --src-creds=REDACTED a b"],
    ["skopeo copy --dest-creds  me:pw a b", "skopeo copy --dest-creds  REDACTED a b"],
    ["curl -ume:pw h", "curl -uREDACTED h"],
    ["curl -U 'me:p\"w' h", "curl -U 'REDACTED\"w' h"],
    ["curl --proxy-user me%pw h", "curl --proxy-user REDACTED h"],
    ["podman run -u 1000:1000x i", "podman run -u REDACTED i"],
  ],
  "an option of one letter": [
    ["mysqldump -phunter2 db", "mysqldump -pREDACTED db"],
    ["mysql -u me -p 'two words' db", "mysql -u me -p REDACTED db"],
    ['mysql -p "two words" db', "mysql -p REDACTED db"],
    ["mariadbcheck -p hunter2", "mariadbcheck -p REDACTED"],
    ["mariadb -p hunter2", "mariadb -p REDACTED"],
    ["ldapsearch -x -w hunter2", "ldapsearch -x -w REDACTED"],
    ["mongodump -p hunter2", "mongodump -p REDACTED"],
    ["mongo -p hunter2", "mongo -p REDACTED"],
    ["ipmitool -P h", "ipmitool -P REDACTED"],
    ["impitool -P hunter2", "impitool -P REDACTED"],
    ["redis-cli -a hunter2 ping", "redis-cli -a REDACTED ping"],
    ["oc login -p hunter2", "oc login -p REDACTED"],
    ["az acr login -p hunter2", "az acr login -p REDACTED"],
    ["docker\tlogin\t-p\thunter2", "docker\tlogin\t-p\tREDACTED"],
  ],
  "a password after a word": [
    ["openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:REDACTED -in k"],
    ["rootpw hunter2 # of kickstart", "rootpw REDACTED # of kickstart"],
    ["rootpw  --iscrypted  hunter2 x", "rootpw  --iscrypted  REDACTED x"],
    ["rootpw --plaintext 'two words' x", "rootpw --plaintext REDACTED x"],
    ["vault  login  hunter2", "vault  login  REDACTED"],
    ["ConvertTo-SecureString  hunter2 -AsPlainText", "ConvertTo-SecureString  REDACTED -AsPlainText"],
    ['ConvertTo-SecureString "two words" -Force', "ConvertTo-SecureString REDACTED -Force"],
    ["htpasswd -b users bob hunter2", "htpasswd -b users bob REDACTED"],
    ["htpasswd -bB users bob hunter2", "htpasswd -bB users bob REDACTED"],
  ],
  "what is piped to a program that reads a password": [
    ["echo hunter2 | passwd bob", "echo REDACTED | passwd bob"],
    ["echo hunter2 | sudo  chpasswd", "echo REDACTED | sudo  chpasswd"],
    ["echo -en 'two words' | passwd", "echo -en REDACTED | passwd"],
    ["echo hunter2 | podman login --stdin", "echo REDACTED | podman login --stdin"],
  ],
};

const KEPT: Readonly<Record<string, readonly string[]>> = {
  "a user and a group": ["podman run -u 1000:1000 i", "podman run -u 0:0"],
  "another option": [
    "curl --user-agent a:b h",
    "x-u me:pw",
    "mysql -p -h db",
    "mkdir -p a && oc apply -f b",
    "oclogin -p a",
    "oc get nodes; oc relogin -p a",
  ],
  "a word that ends so": [
    "bypass:hunter2",
    "by-pass:hunter2",
    "xrootpw hunter2",
    "vault login -method=github",
    "htpasswd -B users bob hunter2",
    "echo hunter2 | tee passwd",
  ],
};

for (const [what, rows] of Object.entries(REPLACED))
  test(`redacts in a command ${what}`, () => {
    const redacted = rows.map(([before]) => redactCommands(before));
    assert.deepEqual(
      redacted,
      rows.map(([, after]) => after),
    );
  });

for (const [what, texts] of Object.entries(KEPT))
  test(`keeps in a command ${what}`, () => {
    assert.deepEqual(texts.map(redactCommands), texts);
  });
