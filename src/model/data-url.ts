/** The bytes of a data URL (RFC 2397): data:[media type][;base64],data. Undefined for a URL of any other kind. */
export function decodeDataUrl(url: string): Buffer | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || !url.includes(",")) return undefined;
  const body = decodePercent(url.slice(comma + 1));
  if (body === undefined) return undefined;
  return Buffer.from(body, url.slice(0, comma).endsWith(";base64") ? "base64" : "utf8");
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
