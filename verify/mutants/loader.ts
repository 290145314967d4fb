import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findMutants } from "./find-mutants.ts";
import { instrument } from "./instrument.ts";

const COLLECTOR = import.meta.resolve("./collector.ts");

/** From now on, test files get the collector for node:test, and the files of the folder come with their mutants. */
export function registerLoader(root: string, folder: string): void {
  const base = pathToFileURL(`${root}/`).href;
  const instrumented = pathToFileURL(`${root}/${folder}/`).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "node:test" ? { url: COLLECTOR, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      if (!url.startsWith(instrumented) || !url.endsWith(".ts")) return next(url, context);
      const file = url.slice(base.length);
      const source = instrument(file, findMutants(file, readFileSync(fileURLToPath(url), "utf8")));
      return { format: "module", source, shortCircuit: true };
    },
  });
}
