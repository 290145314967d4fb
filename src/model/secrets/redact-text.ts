import { type Json, type JsonNumber, type JsonObject, isList, isNumber, isObject, textAt } from "../json.ts";
import { redactAssignments } from "./assignments.ts";
import { SECRET_FORMS, isSecretKey, REDACTED } from "./secret-forms.ts";

/** Most texts of objects are one word such as "AsExpected". Secrets that are known by their form have digits, or are longer. */
const WORD = /^[A-Za-z./_-]{0,19}$/;

export function isWord(text: string): boolean {
  return WORD.test(text);
}

/** Replaces the secrets in a text of others, such as a condition's message or an error, and keeps the rest of the sentence. */
export function redactText(text: string): string {
  return isWord(text) ? text : redactAssignments(redactForms(text));
}

/** Replaces what is a secret wherever it stands, whatever the text is. */
export function redactForms(text: string): string {
  const addresses = redactAddresses(text);
  const forms = SECRET_FORMS.reduce(
    (before, [pattern, replacement]) => before.replace(pattern, replacement),
    addresses,
  );
  return redactCommands(forms);
}

/** Redacts every text of an object. */
export function redactTexts(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, redactValue(value)]));
}

function redactValue(value: Json): Json {
  if (typeof value === "string") return redactText(value);
  if (isList(value)) return value.map(redactValue);
  return isObject(value) ? redactTexts(value) : value;
}

/** user:password@ of an address: up to the last @, since the password may have an @ or a slash; a port is no password. */
const USERINFO =
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/)(?:[^\s/?#:@"'<>\\]{1,100}:(?!\d{1,5}[/?#])(?:(?!:\/\/)[^\s"'<>\\]){1,300}@|[^\s/?#"'<>\\]{1,500}@)/gi;
/** user/password@ of Oracle. */
const ORACLE_LOGIN = /(:(?:thin|oci):)[^\s/@:"']{1,100}\/[^\s@"']{1,200}@/g;
/** The same without a scheme: curl's proxies, and a database's user:password@tcp(host). A digest of an image follows an @ too. */
const BARE_USERINFO = /(?<![\w.:/@%+-])(?!mailto:)[\w.%+-]{1,100}:[^\s:@/"'<>\\]{1,200}@(?!sha\d{3}:)(?=[\w[])/g;
const WEB_ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>\\`{}|,;)]{1,4000}(?<![.:!])/gi;
const PARAMETER = /([?&#;]|&amp;)([\w.%-]{1,100})=([^&\s"'#<>\\;]{1,4000})/g;

/** Secrets in addresses: logins, parameters of queries and fragments, and paths of webhooks, where whoever knows the address may post. */
export function redactAddresses(text: string): string {
  const hasScheme = text.includes("://");
  const named = hasScheme ? text.replace(USERINFO, "$1REDACTED@") : text;
  const oracle =
    named.includes(":thin:") || named.includes(":oci:") ? named.replace(ORACLE_LOGIN, "$1REDACTED@") : named;
  const bare = oracle.includes("@") ? oracle.replace(BARE_USERINFO, "REDACTED@") : oracle;
  const plain = hasScheme ? bare.replace(WEB_ADDRESS, redactPath) : bare;
  return plain.includes("=") ? plain.replace(PARAMETER, redactParameter) : plain;
}

/** Names of parameters that are secrets in an address, beside those that are secrets anywhere. */
const PARAMETER_NAME =
  /^(?:sig|signature|x-amz-(?:signature|credential|security-token)|code|key|apikey|auth|pass|assertion|sas|sv|h)$/i;

function redactParameter(whole: string, mark: string, name: string): string {
  return isSecretKey(name) || PARAMETER_NAME.test(name) ? `${mark}${name}=${REDACTED}` : whole;
}

/** Hosts whose addresses are secrets as a whole. */
const WEBHOOK_HOST =
  /^(?:hooks\.|hook\.|webhooks?\.|maker\.ifttt|nosnch\.in|hc-ping\.com|chat\.googleapis|api\.telegram|[\w-]{1,60}\.webhook\.office|outlook\.office|[\w.-]{1,100}\.logic\.azure|[\w.-]{1,100}\.(?:pipedream|zapier|feishu|larksuite|dingtalk))/i;
/** What follows such a part of a path is a secret. */
const WEBHOOK_PART = /^(?:(?:incoming-?)?web-?hooks?(?:b2|v\d)?|hooks?|integrations?|enqueue|alert|robot|bot)$/i;

function redactPath(address: string): string {
  const [head = ""] = address.split(/[?#]/);
  const [scheme = "", empty = "", host = "", ...parts] = head.split("/");
  if (parts.join("") === "") return address;
  const login = host.lastIndexOf("@");
  if (WEBHOOK_HOST.test(host.slice(login + 1))) return [scheme, empty, host, REDACTED].join("/");
  const first = parts.findIndex((part) => WEBHOOK_PART.test(part));
  const shown = parts.map((part, i) => {
    const before = parts[i - 1] ?? "";
    const follows = (first >= 0 && i > first) || isSecretKey(before);
    const isSecret = follows ? !isPlainWord(part) : isRandom(part) && !isCommit(before);
    return isSecret ? REDACTED : part;
  });
  return `${[scheme, empty, host, ...shown].join("/")}${address.slice(head.length)}`;
}

function isPlainWord(part: string): boolean {
  return part.length < 40 && /^(?:v\d+|[A-Za-z]*(?:[-_.][A-Za-z]+)*)$/.test(part);
}

/** Long, and without words: as tokens are, and names are not. */
function isRandom(part: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(part)) return true;
  return (
    /^[\w~]{20,}$/.test(part) && /[a-z]/.test(part) && /\d.*\d/.test(part) && (/[A-Z]/.test(part) || !/_/.test(part))
  );
}

function isCommit(before: string): boolean {
  return /^(?:commits?|tree|blob|raw)$/.test(before);
}

/** user:password of curl and of clients of registries; numbers are a user and a group. */
const LOGIN =
  /((?<![\w-])(?:-u|-U|--user|--proxy-user|--login|--(?:src-|dest-)?creds)(?:=|[ \t]{0,5})["']?)(?!\d{1,10}:\d{1,10}(?!\S))[^\s:"'%=]{1,100}[:%][^\s"']{1,500}/g;

/** Programs whose one-letter options are passwords. */
const PROGRAM =
  /\b(?:mysql\w{0,20}|mariadb[\w-]{0,20}|sshpass|ldap\w{1,20}|ipmitool|redis-cli|smbclient|mongo\w{0,20}|sqlcmd|impi\w{0,10}|expect|plink|pscp|(?:oc|docker|podman|skopeo|buildah|crane|helm|az|argocd|vault|nerdctl)[ \t][^\n]{0,80}?\blogin)\b[^\n]{1,1000}/g;
const SHORT_OPTION = /([ \t]-[pPwaA])([ \t]?)(?!-)("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"'-][^\s"']{0,500})/g;
const OPENSSL_PASSWORD = /(?<![\w-])(pass:)[^\s"']{1,500}/g;
const HTPASSWD = /\b(htpasswd[ \t]+-\w*b\w*[ \t]+\S{1,255}[ \t]+\S{1,255}[ \t]+)\S{1,500}/g;
const PIPED_PASSWORD =
  /\b(echo(?:[ \t]+-\w{1,3})?[ \t]+)(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s|"']{1,500})(?=[ \t]*\|[ \t]*(?:sudo[ \t]+)?(?:passwd|chpasswd|[^\n|]{0,200}--password-stdin|[^\n|]{0,200}--stdin))/g;

const SHOWN_PASSWORD =
  /\b(rootpw[ \t]+(?:--\w{1,20}[ \t]+)?|vault[ \t]+login[ \t]+|ConvertTo-SecureString[ \t]+)(?!-)(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"']{1,500})/g;

/** Secrets in commands that no name marks: `curl -u user:password`, `mysql -pPASSWORD`. */
export function redactCommands(text: string): string {
  return text
    .replace(LOGIN, `$1${REDACTED}`)
    .replace(PROGRAM, (line) => line.replace(SHORT_OPTION, `$1$2${REDACTED}`))
    .replace(OPENSSL_PASSWORD, `$1${REDACTED}`)
    .replace(SHOWN_PASSWORD, `$1${REDACTED}`)
    .replace(HTPASSWD, `$1${REDACTED}`)
    .replace(PIPED_PASSWORD, `$1${REDACTED}`);
}

/** A shorter value may be a part of any word, so it is replaced only where it is quoted. */
const MIN_PLAIN_LENGTH = 6;
/** Messages quote no more of a value. */
const MAX_QUOTED_LENGTH = 60;

/** Returns a function that replaces, in texts about an object, the values of the object's fields that are secrets by their names. */
export function createFieldMask(object: JsonObject): (text: string) => string {
  const values = new Set(collectSecrets(object, false));
  return (text) => [...values].reduce(maskValue, text);
}

function collectSecrets(value: Json, isSecret: boolean): readonly (string | JsonNumber)[] {
  if (typeof value === "string" || isNumber(value)) return isSecret && value !== "" ? [value] : [];
  if (isList(value)) return value.flatMap((item) => collectSecrets(item, isSecret));
  if (!isObject(value)) return [];
  const isEntry = isSecretKey(textAt(value, "name") ?? "");
  return Object.entries(value).flatMap(([key, item]) =>
    collectSecrets(item, isSecretKey(key) || (isEntry && key === "value") || (isSecret && !isReference(key))),
  );
}

/** Below a secret's key, these fields name a secret instead of holding it. */
function isReference(key: string): boolean {
  return key === "name" || key === "namespace" || key === "key";
}

function maskValue(text: string, value: string | JsonNumber): string {
  if (isNumber(value)) return text.replaceAll(new RegExp(`(?<![\\w.])${value}(?![\\w.])`, "g"), REDACTED);
  const quoted = [value, value.slice(0, MAX_QUOTED_LENGTH)].reduce(
    (before, part) => before.replaceAll(JSON.stringify(part), `"${REDACTED}"`),
    text,
  );
  return value.length < MIN_PLAIN_LENGTH ? quoted : quoted.replaceAll(value, REDACTED);
}
