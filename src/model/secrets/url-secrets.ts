import { isSecretKey } from "./secret-names.ts";
import { REDACTED } from "./secret-forms.ts";

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
