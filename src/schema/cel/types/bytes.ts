const ALPHABET = /^[A-Za-z0-9\-_\r\n]*={0,2}[\r\n]*$/;

/** The bytes of URL-safe base64, by which the API server reads fields of the format "byte"; undefined where it can't. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replaceAll(/[\r\n]/g, "");
  if (!ALPHABET.test(text) || plain.length % 4 !== 0) return undefined;
  return new Uint8Array(Buffer.from(plain, "base64url"));
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Undefined where the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** Less than, equal to or greater than zero. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
