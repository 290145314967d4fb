/** A kind of secret, and the text in which it stands around a canary of letters and digits. */
export type SecretKind = { readonly kind: string; readonly write: (canary: string) => string };

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const padded = (canary: string, length: number): string => canary.padEnd(length, "0aB1cD2eF3gH4iJ5");

/** A PKCS #12 store begins with its version, 3. */
function writeKeyStore(canary: string): string {
  const body = Buffer.concat([Buffer.from([2, 1, 3]), Buffer.from(canary.repeat(40))]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([Buffer.from([0x30, 0x82]), length, body]).toString("base64");
}

export const SECRET_KINDS: readonly SecretKind[] = [
  { kind: "argument", write: (c) => `/usr/bin/agent --password ${c} --listen :80` },
  { kind: "option", write: (c) => `/usr/bin/agent --api-token=${c} --listen :80` },
  { kind: "short option", write: (c) => `mysql -h db -u root -p${c} -e 'select 1'` },
  { kind: "login to a registry", write: (c) => `podman login -u robot -p ${c} registry.example.com` },
  { kind: "curl", write: (c) => `curl -u admin:${c} https://example.com/x` },
  { kind: "piped password", write: (c) => `echo ${c} | passwd --stdin root` },
  { kind: "variable of a command", write: (c) => `PGPASSWORD=${c} psql -h db` },
  { kind: "address", write: (c) => `https://admin:${c}@registry.example.com/v2/` },
  { kind: "address of a database", write: (c) => `postgres://app:p@/${c}@db.example.com:5432/app` },
  { kind: "address without a scheme", write: (c) => `app:${c}@tcp(db.example.com:3306)/app` },
  { kind: "query", write: (c) => `https://example.com/graph?channel=a&access_token=${c}` },
  { kind: "fragment", write: (c) => `https://example.com/back#id_token=${c}&state=1` },
  { kind: "shared access signature", write: (c) => `https://a.blob.core.windows.net/c/f?sp=r&sig=${c}%3D&se=2030` },
  { kind: "Slack webhook", write: (c) => `https://hooks.slack.com/services/T024BE7LH/B1H9RESGL/${padded(c, 24)}` },
  { kind: "Discord webhook", write: (c) => `https://discord.com/api/webhooks/112233445566/${padded(c, 68)}` },
  {
    kind: "Teams webhook",
    write: (c) => `https://contoso.webhook.office.com/webhookb2/0a1b@2c3d/IncomingWebhook/${c}/e4f5`,
  },
  { kind: "PagerDuty webhook", write: (c) => `https://events.pagerduty.com/integration/${padded(c, 32)}/enqueue` },
  { kind: "routing key", write: (c) => `routing_key: ${padded(c, 32)}` },
  { kind: "Opsgenie header", write: (c) => `Authorization: GenieKey ${c}` },
  { kind: "bearer token", write: (c) => `Authorization: Bearer ${c}` },
  { kind: "basic login", write: (c) => `Authorization: Basic ${base64(`admin:${c}`)}` },
  { kind: "cookie", write: (c) => `Cookie: session=${c}; theme=dark` },
  { kind: "API key header", write: (c) => `X-Api-Key: ${c}` },
  { kind: "GitHub token", write: (c) => `ghp_${padded(c, 36)}` },
  { kind: "fine-grained GitHub token", write: (c) => `github_pat_${padded(c, 22)}_${padded("", 59)}` },
  { kind: "GitLab token", write: (c) => `glpat-${padded(c, 20)}` },
  { kind: "Slack token", write: (c) => `xoxb-123456789012-1234567890123-${padded(c, 24)}` },
  { kind: "Google API key", write: (c) => `AIza${padded(c, 35)}` },
  { kind: "Google access token", write: (c) => `ya29.${padded(c, 60)}` },
  { kind: "Stripe key", write: (c) => `sk_live_${padded(c, 24)}` },
  { kind: "SendGrid key", write: (c) => `SG.${padded("", 22)}.${padded(c, 43)}` },
  { kind: "AWS key id", write: (c) => `AKIA${padded(c, 16).toUpperCase()}` },
  { kind: "AWS secret key", write: (c) => `aws_secret_access_key = ${padded(c, 40)}` },
  { kind: "npm token", write: (c) => `npm_${padded(c, 36)}` },
  { kind: "DigitalOcean token", write: (c) => `dop_v1_${padded(c, 64)}` },
  { kind: "Vault token", write: (c) => `hvs.${padded(c, 24)}` },
  { kind: "JSON web token", write: (c) => `eyJhbGciOiJSUzI1NiJ9.${base64url(`{"sub":"${c}"}`)}.${padded(c, 43)}` },
  { kind: "OAuth token", write: (c) => `sha256~${padded(c, 43)}` },
  { kind: "private key", write: (c) => `-----BEGIN PRIVATE KEY-----\n${padded(c, 64)}\n-----END PRIVATE KEY-----` },
  { kind: "age key", write: (c) => `AGE-SECRET-KEY-1${padded(c, 58).toUpperCase()}` },
  { kind: "connection string", write: (c) => `Server=db;User Id=sa;Password=${c};Encrypt=true` },
  {
    kind: "storage account",
    write: (c) => `AccountName=a;AccountKey=${padded(c, 86)}==;EndpointSuffix=core.windows.net`,
  },
  { kind: ".netrc", write: (c) => `machine example.com login me password ${c}` },
  { kind: "htpasswd line", write: (c) => `admin:$2y$05$${padded(c, 53)}` },
  { kind: "pull secret", write: (c) => JSON.stringify({ auths: { "quay.io": { auth: base64(`me:${c}`) } } }) },
  { kind: "service account of a cloud", write: (c) => JSON.stringify({ type: "service_account", private_key_id: c }) },
  { kind: "XML", write: (c) => `<server><id>a</id><password>${c}</password></server>` },
  { kind: "HCL", write: (c) => `provider "x" { client_secret = "${c}" }` },
  { kind: "escaped JSON", write: (c) => JSON.stringify(JSON.stringify({ user: "me", password: c })) },
  { kind: "key store", write: writeKeyStore },
  { kind: "passphrase in a sentence", write: (c) => `the key can't be opened, its passphrase is ${c}` },
  { kind: "password of a user in a sentence", write: (c) => `the password for user admin is ${c}` },
  { kind: "login to a telephone service", write: (c) => `AC${"0a1b".repeat(8)}:${padded(c, 32)}` },
  { kind: "community string", write: (c) => `no answer to the community string ${c}` },
];
