/** Base64 within base64, as a login in a file of a MachineConfig. */
const MAX_LAYERS = 3;
const CANARY = /c4n\d\dr\d\dy7/gi;

/** A text that occurs nowhere but in the secret of one kind in one place. */
export function buildCanary(kind: number, place: number): string {
  return `c4N${String(kind).padStart(2, "0")}r${String(place).padStart(2, "0")}y7`;
}

/** The canaries that a text shows, also in base64 within it, or percent-encoded. */
export function findLeaks(text: string): readonly string[] {
  return [...new Set(decode(text, MAX_LAYERS).flatMap((one) => one.match(CANARY) ?? []))];
}

function decode(text: string, layers: number): readonly string[] {
  if (layers === 0) return [text];
  const runs = (text.match(/[\w+/-]{12,}={0,2}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((start) => run.slice(start)),
  );
  const within = runs.map((run) => Buffer.from(run, "base64").toString("latin1")).join("\n");
  return [text, decodePercent(text), ...(within === "" ? [] : decode(within, layers - 1))];
}

function decodePercent(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) =>
    Buffer.from(part.replaceAll("%", ""), "hex").toString("latin1"),
  );
}
