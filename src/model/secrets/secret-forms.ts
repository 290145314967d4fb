/** A pattern of a secret, and what replaces it. */
type SecretForm = readonly [pattern: RegExp, replacement: string];

export const REDACTED = "REDACTED";

/** Patterns that white space separates, as one that matches any of them. */
function listPatterns(text: string): string {
  return text.trim().split(/\s+/).join("|");
}

/** Tokens that their issuers begin with a mark of their own, so that they can be found. */
const MARKED_TOKENS = listPatterns(String.raw`
  gh[pousr]_[A-Za-z0-9]{16,255} github_pat_\w{16,255} gl(?:pat|ptt|dt|rt|cbt|ft|agent|oas|soat|ffct|imt)-[\w-]{15,255}
  xox[abceoprs]-[\w-]{8,255} xapp-\d-[\w-]{8,255} AIza[\w-]{25,60} ya29\.[\w.-]{10,2000} GOCSPX-[\w-]{15,60}
  1//0[\w-]{20,255} [prs]k_(?:live|test)_\w{8,255} whsec_[\w+/=]{8,255} SG\.[\w-]{10,80}\.[\w-]{10,80}
  (?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,124} npm_\w{20,255} pypi-[\w-]{16,500} do[opr]_v1_\w{20,255}
  hv[sbr]\.[\w-]{16,500} dckr_(?:pat|oat)_[\w-]{16,255} ATATT3[\w=+/-]{16,500} sq0(?:atp|csp|idp)-[\w-]{16,255}
  shp(?:at|ca|pa|ss)_\w{16,255} NRAK-\w{16,255} gl(?:c|sa)_[\w=+/]{16,500} dapi[0-9a-f]{32} SK[0-9a-f]{32}
  AC[0-9a-fA-F]{16,64}:[0-9a-zA-Z]{16,64} [0-9a-f]{32}-us\d{1,2} LTAI\w{12,60} AKID\w{13,60} AKCp\w{20,255}
  EAACEdEose0cBA\w{4,500} dt0[a-z]\d{2}\.\w{20,64}\.\w{20,80} dp\.[a-z]{2,5}\.\w{20,80} pscale_\w{16,255} sbp_\w{20,255}
  pul-[0-9a-f]{40} sk-(?:proj-|ant-)?[\w-]{20,255} hf_\w{20,255} lin_api_\w{16,255} rubygems_\w{16,255} PMAK-[\w-]{16,255}
  sntry[su]_[\w=+/]{16,500} key-[0-9a-f]{32} AGE-SECRET-KEY-1\w{16,255} sha256~[\w-]{16,255} [\w~.]{3}[78]Q~[\w~.-]{30,40}
  \w{14}\.atlasv1\.[\w-]{30,255} \d{8,10}:[\w-]{35}(?![\w-])
`);

/**
 * Secrets that their form alone gives away, in the order in which they are replaced. Repetitions are bounded, or begin where a run of their
 * characters begins, so that the time grows in proportion to the text's length.
 */
export const SECRET_FORMS: readonly SecretForm[] = [
  [/-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----[\s\S]*?(?:-----END \1-----|$)/g, REDACTED],
  [/\bPuTTY-User-Key-File-[\s\S]*/g, REDACTED],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g, REDACTED],
  [new RegExp(`(?<![A-Za-z0-9])(?:${MARKED_TOKENS})`, "g"), REDACTED],
  // Private keys and key stores in base64: DER with a version at its beginning, unlike certificates.
  [/(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{2}[AQgw]IBA[A-Za-z0-9+/=]{20,}/g, REDACTED],
  [/(?<![A-Za-z0-9+/])(?:\/u3\+7QAAAA|zs7Ozg|A9mimg)[A-Za-z0-9+/=]{20,}/g, REDACTED],
  // A bootstrap token of kubeadm.
  [/(?<![\w.-])[a-z0-9]{6}\.(?=[a-z]{0,14}\d[a-z]{0,14}\d)[a-z0-9]{16}(?![\w.-])/g, REDACTED],
  // The logins of a pull secret: "auth": "...".
  [/(["']auth\\{0,3}["']\s{0,20}:\s{0,20}\\{0,3}["'])[\w+/=-]{6,2000}/g, "$1REDACTED"],
  // An account key of Azure: 64 bytes in base64.
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}==/g, REDACTED],
  // Hashes of passwords, as crypt and LDAP write them.
  [/\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2\w{0,2}|pbkdf2[\w-]{0,10}|scrypt)\$[\w./$,=+-]{8,500}/g, REDACTED],
  [/\{S?SHA\d{0,3}\}[\w+/=]{8,200}/g, REDACTED],
  // Headers: only what is not a word, so that "basic authentication" stays.
  [
    /\b(bearer|basic|negotiate|digest|genie-?key|apikey|splunk)([ \t]{1,5})(?:(?=[\w+/=.~-]{0,500}[\d+/=.~])[\w+/=.~-]{8,}|[\w+/=.~-]{20,})/gi,
    "$1$2REDACTED",
  ],
  [
    /\b((?:proxy-)?authorization["'\\]{0,2}[ \t]{0,5}[:=][ \t]{0,5}["'\\]{0,2}(?:token|bearer|basic|splunk|genie-?key|apikey)[ \t]{1,5})[^\s"'\\,;}\]]+/gi,
    "$1REDACTED",
  ],
  [/\b((?:set-)?cookie["'\\]{0,2}[ \t]{0,5}: ?["'\\]{0,2})[^\s=;"'\\]{1,200}=[^\n"'\\]+/gi, "$1REDACTED"],
  // A personal number, and the community string of SNMP, which is its password. Words after them are a sentence.
  [
    /\b((?:PIN|[Pp]in[ -]?[Cc]ode)(?:[ \t]{1,3}(?:[Cc]ode|[Nn]umber))?(?:[ \t]{1,3}(?:is|was))?(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t]{1,3})["']?)\d{4,12}(?!\w)/g,
    "$1REDACTED",
  ],
  [
    /\b((?:community[ \t]string|snmp-server[ \t]{1,5}community)(?:[ \t]{1,5}(?:is|was))?[ \t]{0,5}[:=]?[ \t]{1,5})(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|(?=[^\s"',;)]{0,200}[\d!@#$%^&*])[^\s"',;)]{4,200})/gi,
    "$1REDACTED",
  ],
  // .netrc
  [
    /\b((?:machine[ \t\n]{1,20}\S{1,255}|default)[ \t\n]{1,20}login[ \t\n]{1,20})\S{1,255}([ \t\n]{1,20}password[ \t\n]{1,20})\S{1,500}/g,
    "$1REDACTED$2REDACTED",
  ],
  // Elements of XML: <password>...</password>, and <add key="password" value="...">.
  [
    /(<([\w:.-]{0,60}(?:password|passwd|secret|token|api-?key|passphrase|privatekey)[\w:.-]{0,20})(?:\s[^<>]{0,200})?>)[^<]{1,2000}(?=<\/\2>)/gi,
    "$1REDACTED",
  ],
  [
    /((?:name|key)\s{0,5}=\s{0,5}["'][\w:.-]{0,60}(?:password|passwd|secret|token|api-?key|passphrase)["']\s{1,20}value\s{0,5}=\s{0,5})(?:"[^"]{1,2000}"|'[^']{1,2000}')/gi,
    '$1"REDACTED"',
  ],
];

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
