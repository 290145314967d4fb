import { type CelValue, buildBytes } from "../values/value.ts";
import { getEscapedSign } from "../values/escaping.ts";
import { CompileError } from "./compile-error.ts";
import type { Token } from "./lexer.ts";

const MOST_INT = 2n ** 63n;

export function parseInt64(token: Token, isNegative: boolean): CelValue {
  const value = isNegative ? -BigInt(token.text) : BigInt(token.text);
  if (value >= MOST_INT || value < -MOST_INT) throw outOfRange("integer", token);
  return value;
}

export function parseUint64(token: Token): CelValue {
  const value = BigInt(token.text.slice(0, -1));
  if (value >= 2n * MOST_INT) throw outOfRange("integer", token);
  return { kind: "uint", value };
}

export function parseDouble(token: Token, isNegative: boolean): CelValue {
  const value = Number(token.text);
  if (!Number.isFinite(value)) throw outOfRange("number", token);
  return isNegative ? -value : value;
}

function outOfRange(what: string, token: Token): CompileError {
  return new CompileError(`the ${what} ${token.text} is out of range`, token);
}

export function parseString(token: Token): CelValue {
  const { body, isRaw } = parseBody(token.text);
  return isRaw ? body : body.replaceAll(ESCAPE, (escape) => String.fromCodePoint(parseCodePoint(escape, token)));
}

/** Escapes by number are bytes, all else is UTF-8. */
export function parseBytes(token: Token): CelValue {
  const { body, isRaw } = parseBody(token.text.slice(1));
  if (isRaw) return buildBytes(Buffer.from(body, "utf8"));
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const found of body.matchAll(ESCAPE)) {
    parts.push(Buffer.from(body.slice(last, found.index), "utf8"), parseByte(found[0], token));
    last = found.index + found[0].length;
  }
  return buildBytes(Buffer.concat([...parts, Buffer.from(body.slice(last), "utf8")]));
}

function parseByte(escape: string, token: Token): Uint8Array {
  if (/^\\[uU]/.test(escape)) throw new CompileError("bytes can't hold an escape of a character", token);
  return Uint8Array.of(escapedNumber(escape) ?? escapedSign(escape));
}

const ESCAPE = /\\(?:[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/g;

function parseCodePoint(escape: string, token: Token): number {
  const value = escapedNumber(escape) ?? escapedSign(escape);
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
    throw new CompileError(`${escape} is not a character`, token);
  }
  return value;
}

function escapedNumber(escape: string): number | undefined {
  if (/^\\[0-3]/.test(escape)) return Number.parseInt(escape.slice(1), 8);
  return /^\\[xXuU]/.test(escape) ? Number.parseInt(escape.slice(2), 16) : undefined;
}

function escapedSign(escape: string): number {
  const sign = escape.slice(1);
  return (getEscapedSign(sign) ?? sign).codePointAt(0) ?? 0;
}

function parseBody(text: string): { readonly body: string; readonly isRaw: boolean } {
  const normal = text.replaceAll(/\r\n?/g, "\n");
  const isRaw = /^[rR]/.test(normal);
  const quoted = isRaw ? normal.slice(1) : normal;
  const width = quoted.length >= 6 && /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), isRaw };
}
