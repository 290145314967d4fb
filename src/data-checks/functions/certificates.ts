import { type Certificate, parseCertificate } from "../../encoding/certificates.ts";
import { listCertificates } from "../../model/pem.ts";
import {
  BYTES,
  type CelValue,
  type FunctionRows,
  type Meter,
  NO_OVERLOAD,
  READS_ONCE,
  buildError,
  buildList,
  countMemory,
  countWork,
  isKind,
} from "../../schema/cel/index.ts";
import { buildMap } from "./values.ts";

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;

/** Of a certificate, beside its text. */
const CERTIFICATE_WORK = 1_000;
const CERTIFICATE_BYTES = 12 * BYTES.entry;

/** What is no certificate may stand around them, but an error is never passed over. No error shows the text. */
function readCertificates([value = null]: readonly CelValue[], meter: Meter): CelValue {
  const bytes = isKind(value, "bytes") ? value.bytes : undefined;
  if (typeof value !== "string" && bytes === undefined) return NO_OVERLOAD;
  const text = typeof value === "string" ? value : Buffer.from(bytes ?? []).toString("latin1");
  countMemory(meter, 3 * text.length);
  if (PRIVATE_KEY.test(text)) return buildError("the text holds a private key");
  const blocks = listCertificates(text);
  if (blocks.length === 0 && text.trim() !== "") return buildError("the text holds no certificate in PEM");
  const values: CelValue[] = [];
  for (const block of blocks) {
    countWork(meter, CERTIFICATE_WORK);
    countMemory(meter, CERTIFICATE_BYTES + 2 * (block?.length ?? 0));
    const certificate = block === undefined ? undefined : parseCertificate(block);
    if (certificate === undefined) return buildError(`certificate ${values.length + 1} of the text can't be read`);
    values.push(buildCertificate(certificate));
  }
  return buildList(values);
}

function buildCertificate({ names, notBefore, notAfter, ...texts }: Certificate): CelValue {
  return buildMap([
    ...Object.entries(texts),
    ["names", buildList(names)],
    ["notBefore", buildTime(notBefore)],
    ["notAfter", buildTime(notAfter)],
  ]);
}

function buildTime(seconds: number): CelValue {
  return { kind: "timestamp", seconds, nanos: 0, offset: 0 };
}

export const CERTIFICATE_FUNCTIONS: FunctionRows = {
  certificates: {
    types: "(string) list(map(string, dyn)) | (bytes) list(map(string, dyn))",
    ...READS_ONCE,
    call: readCertificates,
  },
};
