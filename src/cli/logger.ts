/** Structured logs: one JSON object a line, on stderr. */
export type Logger = {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export function createJsonLogger(write: (line: string) => void, now: () => Date): Logger {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(`${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`);
  return { info: line("info"), warn: line("warn"), error: line("error") };
}
