export type Fields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where a controller tells people what it does. */
export type Say = {
  readonly info: (message: string, fields?: Fields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
};
