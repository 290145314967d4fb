import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first has no user interface, and takes two thirds of the CPU time of the others. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** A Chromium of this machine: of CHROMIUM, or on the path. Tests of pages are skipped without one. */
export function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return process.env["CHROMIUM"] ?? candidates.find((path) => existsSync(path));
}
