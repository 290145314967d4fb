import { open } from "node:fs/promises";

export type AuditLine = {
  readonly verb: string;
  readonly uri: string;
  readonly agent: string;
  readonly user: string;
  readonly code: number;
};

/** Reads an API server's audit log as it grows, and each line of it once: tests ask for it again and again. */
export function followAuditLog(file: string): () => Promise<readonly AuditLine[]> {
  let seen: Seen = { position: 0, lines: [] };
  let reading: Promise<unknown> = Promise.resolve();
  const readOn = async (): Promise<readonly AuditLine[]> => {
    seen = await readMore(file, seen);
    return seen.lines;
  };
  return () => {
    const next = reading.then(readOn);
    reading = next.catch(() => undefined);
    return next;
  };
}

/** What was read so far, up to the end of a line. */
type Seen = { readonly position: number; readonly lines: readonly AuditLine[] };

async function readMore(file: string, seen: Seen): Promise<Seen> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    // It was emptied.
    const { position, lines } = size < seen.position ? { position: 0, lines: [] } : seen;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - position), 0, size - position, position);
    // The last line may not be written to its end yet.
    const whole = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1);
    return { position: position + whole.length, lines: [...lines, ...parseLines(whole.toString("utf8"))] };
  } finally {
    await handle.close();
  }
}

type AuditEvent = {
  readonly stage?: string;
  readonly verb?: string;
  readonly requestURI?: string;
  readonly userAgent?: string;
  readonly user?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
};

function parseLines(text: string): readonly AuditLine[] {
  const events: readonly AuditEvent[] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return events
    .filter((event) => event.stage === "ResponseComplete")
    .map((event) => ({
      verb: event.verb ?? "",
      uri: event.requestURI ?? "",
      agent: event.userAgent ?? "",
      user: event.user?.username ?? "",
      code: event.responseStatus?.code ?? 0,
    }));
}
