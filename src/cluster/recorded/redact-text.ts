import { gunzipSync } from "node:zlib";
import { redactEmbedded } from "./embedded-text.ts";
import { SECRET_WORD } from "./field-scope.ts";

/** Repetitions are bounded, so that the time grows in proportion to the text's length. */
type RedactionRule = readonly [pattern: RegExp, replacement: string];

const FLOW_KEY = `[{,][ \\t\\n]{0,80}["']?[\\w.-]{0,80}(?:${SECRET_WORD})["']?[ \\t]{0,20}:[ \\t]{1,20}`;

const RULES: readonly RedactionRule[] = [
  [/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----[\s\S]*?(?:-----END \1-----|$)/g, "REDACTED"],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "REDACTED"],
  [/\b(bearer|basic)\s+[\w+/=.~-]{20,}/gi, "$1 REDACTED"],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@"']{1,500}@/gi, "$1REDACTED@"],
  [/\bsha256~[\w-]{20,}/g, "REDACTED"],
  // A query: https://host/path?token=...
  [new RegExp(`([?&][\\w.-]{0,80}(?:${SECRET_WORD}|\\bsig|\\bcode)=)[^&\\s"'#]+`, "gi"), "$1REDACTED"],
  // The address of a database: user:password@tcp(host)
  [/(?<![\w.:-])[\w.-]{1,100}:[^\s:@/"']{1,200}@(tcp|unix|udp)\(/g, "REDACTED@$1("],
  // In JSON text: "password": "..."; also the logins of a pull secret: "auth": "...".
  [new RegExp(`("[\\w.-]{0,80}(?:${SECRET_WORD}|\\bauth)"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)+"`, "gi"), '$1"REDACTED"'],
  // A line of YAML, of properties or of a shell: password: ..., DB_PASSWORD=..., and an argument: --token=...
  [
    new RegExp(
      `^((?:[ \\t]|#|;|//)*(?:- |export |Environment=["']?)?[\\w.-]*(?:${SECRET_WORD})[ \\t]*(?:: |=(?!=))[ \\t]*)(?![|>{[&*]|$)\\S.*$`,
      "gim",
    ),
    "$1REDACTED",
  ],
  // A flow mapping of YAML: basicAuth: {username: u, password: ...}
  [new RegExp(`(${FLOW_KEY})"(?:[^"\\\\]|\\\\.)*"`, "gi"), '$1"REDACTED"'],
  [new RegExp(`(${FLOW_KEY})'(?:[^']|'')*'`, "gi"), "$1'REDACTED'"],
  [new RegExp(`(${FLOW_KEY})[^\\s,{}\\[\\]"'][^,{}\\[\\]\\n]*`, "gi"), "$1REDACTED"],
  [new RegExp(`(--?[\\w-]{0,80}(?:${SECRET_WORD})=)\\S+`, "gi"), "$1REDACTED"],
];

/** Replaces what looks like a secret in a text, also if the whole text is base64 or a data URL that holds one. */
export function redactText(text: string): string {
  const decoded = decodeText(text);
  if (decoded !== undefined && redactText(decoded.plain) !== decoded.plain) return decoded.replacement;
  return applyRules(redactEmbedded(text, redactText) ?? text);
}

function applyRules(text: string): string {
  return RULES.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), text);
}

type DecodedText = { readonly plain: string; readonly replacement: string };

/** A shorter text holds no key, and many names are base64 by chance. */
const MIN_BASE64_LENGTH = 24;

function decodeText(text: string): DecodedText | undefined {
  if (text.startsWith("data:")) return decodeDataUrl(text);
  if (text.length < MIN_BASE64_LENGTH || !/^[\w+/-]+={0,2}\s*$/.test(text)) return undefined;
  return { plain: unpack(Buffer.from(text, "base64")), replacement: "REDACTED" };
}

/** A MachineConfig's files are data URLs. */
function decodeDataUrl(url: string): DecodedText | undefined {
  const comma = url.indexOf(",");
  if (comma < 0) return undefined;
  const [head, body] = [url.slice(0, comma), url.slice(comma + 1)];
  const replacement = "data:,REDACTED";
  if (head.endsWith(";base64")) return { plain: unpack(Buffer.from(body, "base64")), replacement };
  return { plain: decodePercent(body), replacement };
}

const MAX_UNPACKED_BYTES = 16 << 20;

/** Files may be packed with gzip. */
function unpack(bytes: Buffer): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString("utf8");
  } catch {
    return "";
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
