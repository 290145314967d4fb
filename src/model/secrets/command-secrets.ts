import { REDACTED } from "./secret-forms.ts";

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
