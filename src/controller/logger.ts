export type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where a controller tells people what it does. */
export type Logger = {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};
