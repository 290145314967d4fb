import { listFiles, readFile } from "./pages.ts";

/** The flags of the project's own tools, as "--check": those that they parse, and those that they look for. */
export function listToolFlags(): readonly string[] {
  const flags = listFiles("tools", "verify").flatMap((file) => {
    const text = readFile(file);
    const quoted = text.matchAll(/"--([a-z-]+)"/g);
    return /parseArgs\(|requireFlags\(/.test(text)
      ? [...quoted, ...text.matchAll(/^\s+"?([a-z-]+)"?: /gm)]
      : [...quoted];
  });
  return flags.map(([, name]) => `--${name}`);
}
