const ALPHABET = /^[A-Za-z0-9\-_\r\n]*={0,2}[\r\n]*$/;

/** Decodes URL-safe base64 as the API server does for fields of format "byte"; undefined if that fails. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replaceAll(/[\r\n]/g, "");
  if (!ALPHABET.test(text) || plain.length % 4 !== 0) return undefined;
  return new Uint8Array(Buffer.from(plain, "base64url"));
}

/** Undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
