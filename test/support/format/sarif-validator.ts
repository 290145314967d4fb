import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import { Ajv } from "ajv";

/** Draft 4 differs from what ajv reads only in names that this schema does not use. */
export function buildSarifValidator() {
  const { $schema: _, id: __, ...schema } = sarifSchema;
  const textFormats = {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": isReference,
    "date-time": (text: string) => !isNaN(Date.parse(text)),
  };
  return new Ajv({ strict: false, unicodeRegExp: false, allErrors: true, formats: textFormats }).compile(schema);
}

function isReference(text: string): boolean {
  return /^[!-~]*$/.test(text) && URL.canParse(text, "https://docs.example/");
}
