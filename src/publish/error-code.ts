/** "ENOENT" of an error of the operating system. */
export function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
