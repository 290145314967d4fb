import type { LogFields, Logger } from "../../model/logger.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import { toVisible } from "../../model/visible-text.ts";

/** Structured logs: one JSON object a line, on stderr. */
export function createJsonLogger(write: (line: string) => void, now: () => Date): Logger {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(
        `${JSON.stringify(toVisible({ time: now().toISOString(), level, message: redactText(message), ...redactFields(fields) }))}\n`,
      );
  return { info: line("info"), warn: line("warn"), error: line("error") };
}

function redactFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? redactText(value) : value]),
  );
}
