import assert from "node:assert/strict";
import { test } from "node:test";
import { redactAddresses } from "../../src/model/secrets/redact-text.ts";

type Rows = readonly (readonly [before: string, after: string])[];

const HEX = "0123456789ABCDEF0123456789ABCDEF";
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const LOGINS: Rows = [
  ["db://token@h", "db://REDACTED@h"],
  ["HTTPS://Token@h/a", "HTTPS://REDACTED@h/a"],
  ["amqp://me:p@ss/w?rd@h", "amqp://REDACTED@h"],
  ["https://h:6443/a@b", "https://h:6443/a@b"],
  ["https://h:1/a@b", "https://h:1/a@b"],
  ["jdbc:oracle:thin:me/pw@db", "jdbc:oracle:thin:REDACTED@db"],
  ["jdbc:oracle:oci:me/pw@db", "jdbc:oracle:oci:REDACTED@db"],
  ["dial me:pw@tcp(db:3306)/x", "dial REDACTED@tcp(db:3306)/x"],
  ["proxy me:pw@[::1]:80", "proxy REDACTED@[::1]:80"],
  ["me:pw@ h", "me:pw@ h"],
  ["a/me:pw@h", "a/me:pw@h"],
  ["mailto:me@h", "mailto:me@h"],
  ["pull img:tag@sha256:0123 failed", "pull img:tag@sha256:0123 failed"],
];

const PARAMETERS: Rows = [
  ["https://h/a?code=ab&x=1#key=c", "https://h/a?code=REDACTED&x=1#key=REDACTED"],
  ["https://h/a?SIG=ab&amp;sv=1", "https://h/a?SIG=REDACTED&amp;sv=REDACTED"],
  ["https://h/a?codec=ab&design=c", "https://h/a?codec=ab&design=c"],
];

const WEBHOOK_HOSTS: Rows = [
  ...[
    ..."hooks.h hook.h webhook.h webhooks.h HOOKS.h maker.ifttt.com nosnch.in hc-ping.com chat.googleapis.com".split(
      " ",
    ),
    ..."api.telegram.org me-x.webhook.office.com outlook.office.com prod-1.westus.logic.azure.com eo.m.pipedream.net".split(
      " ",
    ),
    ..."a.b.zapier.com open.feishu.cn open.larksuite.com oapi.dingtalk.com".split(" "),
  ].map((host) => [`https://${host}/a?b=c`, `https://${host}/REDACTED`] as const),
  ["https://me:pw@hooks.h/a", "https://REDACTED@hooks.h/REDACTED"],
  ["https://my.hooks.h/a", "https://my.hooks.h/a"],
  ["https://hooks.h/", "https://hooks.h/"],
  ["https://hooks.h", "https://hooks.h"],
];

const WEBHOOK_PARTS: Rows = [
  ...[
    ..."webhook webhooks web-hook web-hooks incomingwebhook incoming-webhook webhookb2 webhookv1 hook hooks".split(" "),
    ..."integration integrations enqueue alert robot bot HOOKS".split(" "),
  ].map((part) => [`https://h/${part}/a1?b=c`, `https://h/${part}/REDACTED?b=c`] as const),
  ["http://h/hooks/a1", "http://h/hooks/REDACTED"],
  ["ws://h/hooks/a1 and wss://h/hooks/a1", "ws://h/hooks/REDACTED and wss://h/hooks/REDACTED"],
  ["HTTPS://h/hooks/a1.", "HTTPS://h/hooks/REDACTED."],
  ["https://h/myhook/a1", "https://h/myhook/a1"],
  ["https://h/alerts/a1", "https://h/alerts/a1"],
  ["https://h/a1/hooks/v1/v12/services/my-own.name_x/", "https://h/a1/hooks/v1/v12/services/my-own.name_x/"],
  [`https://h/hooks/${"a".repeat(39)}`, `https://h/hooks/${"a".repeat(39)}`],
  [`https://h/hooks/${"a".repeat(40)}`, "https://h/hooks/REDACTED"],
  ["https://h/hooks/v1x", "https://h/hooks/REDACTED"],
  ["https://h/token/a1/b2", "https://h/token/REDACTED/b2"],
  ["https://h/token/a", "https://h/token/a"],
];

/** As the last part of a path. */
const RANDOM: Rows = [
  [HEX, "REDACTED"],
  [HEX.slice(1), HEX.slice(1)],
  [`X${HEX}`, `X${HEX}`],
  [`${HEX}X`, `${HEX}X`],
  ["abcdefghijklmnopqr12", "REDACTED"],
  ["abcdefghijklmnopq12", "abcdefghijklmnopq12"],
  ["abc1d2", "abc1d2"],
  ["abcdefghijklmnopqrs1", "abcdefghijklmnopqrs1"],
  ["1abcdefghijklmnopqrs", "1abcdefghijklmnopqrs"],
  ["a-bcdefghijklmnopqrstu12", "a-bcdefghijklmnopqrstu12"],
  ["abcdefghijklmnopqrst12-u", "abcdefghijklmnopqrst12-u"],
  ["ABCDEFGHIJKLMNOPQR12", "ABCDEFGHIJKLMNOPQR12"],
  ["abc_defghijklmnop_12", "abc_defghijklmnop_12"],
  ["Abc_defghijklmnop_12", "REDACTED"],
  ...["commit", "commits", "tree", "blob", "raw"].map((part) => [`${part}/${COMMIT}`, `${part}/${COMMIT}`] as const),
  [`precommit/${COMMIT}`, "precommit/REDACTED"],
  [`treehouse/${COMMIT}`, "treehouse/REDACTED"],
];

const TABLES: Readonly<Record<string, Rows>> = {
  "a login is replaced, and a port is none": LOGINS,
  "a parameter is replaced by its name": PARAMETERS,
  "all of a path is replaced if a host has webhooks": WEBHOOK_HOSTS,
  "what follows the part of a webhook is replaced unless it is a word": WEBHOOK_PARTS,
  "a random part of a path is replaced, and a commit is not": RANDOM.map(([before, after]) => [
    `https://h/${before}?b`,
    `https://h/${after}?b`,
  ]),
};

for (const [name, rows] of Object.entries(TABLES))
  test(name, () => {
    const redacted = rows.map(([before]) => redactAddresses(before));
    assert.deepEqual(
      redacted,
      rows.map(([, after]) => after),
    );
  });
