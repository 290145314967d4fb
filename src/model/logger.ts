export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where a long-running command reports what it does. */
export type Logger = {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

/** Logs a message only if it differs from the last one; "" logs nothing and clears it. */
export function createChangeLogger(log: (message: string) => void): (message: string) => void {
  let last = "";
  return (message) => {
    if (message !== last && message !== "") log(message);
    last = message;
  };
}
