import { gunzipSync } from "node:zlib";
import { redactAssignments } from "../../model/secrets/assignments.ts";
import { isWord, redactForms } from "../../model/secrets/redact-text.ts";
import { SECRET_WORD } from "../../model/secrets/secret-forms.ts";
import { decodeDataUrl } from "../../model/data-url.ts";
import { redactEmbedded } from "./embedded-text.ts";

/** Repetitions are bounded, so that the time grows in proportion to the text's length. */
type LineRule = readonly [pattern: RegExp, replacement: string];

const FLOW_KEY = `[{,][ \\t\\n]{0,80}["']?[\\w.-]{0,80}(?:${SECRET_WORD})["']?[ \\t]{0,20}:[ \\t]{1,20}`;

const LINE_RULES: readonly LineRule[] = [
  // A line of YAML, of properties, of TOML, of HCL or of a shell, to its end: password: ..., DB_PASSWORD=...
  [
    new RegExp(
      `^((?:[ \\t]|#|;|//)*(?:- |export |set |Environment=["']?)?["']?[\\w.-]*(?:${SECRET_WORD})["']?[ \\t]*(?:: |=>?(?!=))[ \\t]*)(?![|>{[&*]|$)\\S.*$`,
      "gim",
    ),
    "$1REDACTED",
  ],
  // A flow mapping of YAML: basicAuth: {username: u, password: ...}
  [new RegExp(`(${FLOW_KEY})"(?:[^"\\\\]|\\\\.)*"`, "gi"), '$1"REDACTED"'],
  [new RegExp(`(${FLOW_KEY})'(?:[^']|'')*'`, "gi"), "$1'REDACTED'"],
  [new RegExp(`(${FLOW_KEY})[^\\s,{}\\[\\]"'][^,{}\\[\\]\\n]*`, "gi"), "$1REDACTED"],
  // A line of a configuration with a key and a value only: bindpw ...
  [
    new RegExp(`^([ \\t]*(?:[\\w.-]*(?:${SECRET_WORD})|bindpw|rootpw|requirepass|masterauth)[ \\t]+)\\S+$`, "gim"),
    "$1REDACTED",
  ],
  // .pgpass: host:port:database:user:password
  [/^([^:\s#]{1,255}:(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:)\S{1,500}$/gm, "$1REDACTED"],
];

/** How scripts, units, user data and Ignition configurations begin: commands and files, which no check reads. */
const PROGRAM =
  /^\s*(?:#!\s*\/|#cloud-config|#cloud-boothook|#ps1|<powershell>|content-type: multipart\/|mime-version:|\{\s{0,80}"ignition")/i;
const UNIT_SECTION = /^\[(?:Unit|Service|Socket|Mount|Timer|Install)\][ \t]*$/m;

/** A text may be readable as YAML or JSON only once something in it is replaced, and then shows more. */
const MAX_ROUNDS = 4;

/** Replaces what looks like a secret in a text of a recording, also if the whole text is base64 or a data URL that holds one. */
export function redactContent(text: string): string {
  let before = text;
  let redacted = redactOnce(text);
  for (let round = 1; redacted !== before && round < MAX_ROUNDS; round++)
    [before, redacted] = [redacted, redactOnce(redacted)];
  return redacted;
}

function redactOnce(text: string): string {
  if (isWord(text)) return text;
  if (PROGRAM.test(text) || UNIT_SECTION.test(text)) return "REDACTED";
  const decoded = decodeText(text);
  if (decoded !== undefined && (isPrivateDer(decoded.bytes) || hasSecret(unpack(decoded.bytes))))
    return decoded.replacement;
  return applyRules(redactEmbedded(text, redactOnce) ?? text);
}

function hasSecret(text: string): boolean {
  return redactOnce(text) !== text;
}

function applyRules(text: string): string {
  const forms = redactForms(text);
  const lines = LINE_RULES.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), forms);
  return redactAssignments(lines, () => true);
}

type DecodedText = { readonly bytes: Buffer; readonly replacement: string };

/** A shorter text holds no key, and many names are base64 by chance. */
const MIN_BASE64_LENGTH = 24;

function decodeText(text: string): DecodedText | undefined {
  const bytes = decodeDataUrl(text);
  // A MachineConfig's files are data URLs.
  if (bytes !== undefined) return { bytes, replacement: "data:,REDACTED" };
  if (text.length < MIN_BASE64_LENGTH || !/^[\w+/-]+(?:\r?\n[ \t]*[\w+/-]+)*={0,2}\s*$/.test(text)) return undefined;
  return { bytes: Buffer.from(text, "base64"), replacement: "REDACTED" };
}

const PBES2 = Buffer.from("06092a864886f70d01050d", "hex");
const KEY_STORES = [Buffer.from("feedfeed", "hex"), Buffer.from("cececece", "hex"), Buffer.from("03d9a29a", "hex")];

/** Private keys (PKCS #1, #8, SEC 1) and stores of keys (PKCS #12) begin with a version, unlike certificates and public keys. */
function isPrivateDer(bytes: Buffer): boolean {
  if (KEY_STORES.some((magic) => bytes.subarray(0, magic.length).equals(magic))) return true;
  if (bytes[0] !== 0x30 || bytes.length < MIN_BASE64_LENGTH) return false;
  const length = bytes[1] ?? 0;
  const start = length > 0x80 ? 2 + (length & 0x7f) : 2;
  const [tag, size, version = 0] = bytes.subarray(start, start + 3);
  return (tag === 2 && size === 1 && version <= 3) || bytes.subarray(0, 40).includes(PBES2);
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
