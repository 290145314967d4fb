import {
  type CelValue,
  type FunctionRows,
  type Meter,
  NO_OVERLOAD,
  READS_ONCE,
  buildBytes,
  buildError,
  countMemory,
  isKind,
  onText,
} from "../../schema/cel/index.ts";

/** As cel-go's encoders do: line breaks are left out, and so may padding be. */
function decodeBase64(text: string, meter: Meter): CelValue {
  countMemory(meter, 3 * text.length);
  const whole = text.replaceAll(/[\r\n]+/g, "");
  const digits = whole.length % 4 === 0 ? whole.replace(/={1,2}$/, "") : whole;
  if (digits.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(digits)) return buildError("the text is not base64");
  return buildBytes(new Uint8Array(Buffer.from(digits, "base64")));
}

function encodeBase64([value = null]: readonly CelValue[], meter: Meter): CelValue {
  if (!isKind(value, "bytes")) return NO_OVERLOAD;
  countMemory(meter, 2 * value.bytes.length);
  return Buffer.from(value.bytes).toString("base64");
}

/** cel-go's encoders, which API servers don't have. */
export const ENCODING_FUNCTIONS: FunctionRows = {
  "base64.decode": { types: "(string) bytes", ...READS_ONCE, call: onText(decodeBase64) },
  "base64.encode": { types: "(bytes) string", ...READS_ONCE, call: encodeBase64 },
};
