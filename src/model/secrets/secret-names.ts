import { listPatterns } from "./secret-forms.ts";

const KEY_WORDS =
  "api|secret|access|account|shared|auth|master|private|signing|encryption|routing|integration|license|storage|consumer|session|webhook|pre[-_.]?shared|hmac|host|ssh|client|server|tls|ssl|service|user";

/** What a key ends with if its value is a secret. */
export const SECRET_WORD = listPatterns(`
  password passwd passphrase passcode pin[-_.]?code (?:snmp[-_.]?)?community[-_.]?string snmp[-_.]?community pwd token jwt
  bearer secret (?:${KEY_WORDS})[-_.]?key password[-_.]?hash connection[-_.]?string dsn webhook[-_.]?url
  slack[-_.]?api[-_.]?url credentials? authorization cookie session[-_.]?id (?:user|custom|bootstrap)[-_.]?data
  cloud[-_.]?(?:init|config) (?:init|startup)[-_.]?script registry[-_.]?auth sas[-_.]?url ht[-_.]?passwd kubeconfig
  docker[-_.]?config[-_.]?json docker[-_.]?cfg
`);

/** Lists of secrets count too, but not `secrets`, which names objects. */
const SECRET_KEY = new RegExp(
  `(?:(?:${SECRET_WORD})(?:[-_.]?(?:data|value|base64|b64|encoded|plain|text|string|pem|id))?|(?:password|passphrase|token|cookie|key[-_.]?id|(?:api|access|secret|private|routing)[-_.]?key)s)$`,
  "i",
);

/** "pass" only as a word of its own: "bypass" and "compass" are no secrets. The same holds for the other short words. */
const SHORT_KEY =
  /(?:^|[-_.])(?:pass|psk|otp|pw|pat|bindpw|rootpw|requirepass|masterauth|sshpass)$|[-_]auth$|[a-z0-9](?:Pass|Psk|PSK|Pw|PAT)$/;

/** Whether a key alone marks its value as a secret: `tokenSecret` does, `secretName` and `tokenConfig` do not. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key) || SHORT_KEY.test(key) || SHORT_KEY.test(key.toLowerCase());
}

/** Keys that often refer to a secret by its name: their values are secrets only if they look like one. */
const REFERENCE_KEY = /(?:secret|token|credentials?|cookie|[-_.]key|kubeconfig|cloud[-_.]?config)$/i;

export function mayNameSecret(key: string): boolean {
  return REFERENCE_KEY.test(key);
}
