/** Runs test files in this process, one after the other, each as a suite of its own: `node verify/tests/batch.ts COSTS FILE...`. */
import { appendFileSync } from "node:fs";
import { flushCompileCache, registerHooks } from "node:module";
import { resolve } from "node:path";
import { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { collect } from "./collector.ts";
import { findLeaks, takeSnapshot } from "./leaks.ts";
import { measureCpu } from "./process-cpu.ts";

const COLLECTOR = import.meta.resolve("./collector.ts");
/** How our files name each other. */
const SOURCE = /^\.\.?\/.*\.ts$/;
const TESTS = pathToFileURL(`${resolve(".")}/`).href;

registerHooks({
  resolve(specifier, context, next) {
    // Node would look for a package.json in each folder above, a tenth of the CPU time that loading tests takes.
    if (SOURCE.test(specifier) && context.parentURL !== undefined)
      return { url: new URL(specifier, context.parentURL).href, format: "module-typescript", shortCircuit: true };
    if (specifier !== "node:test" || context.parentURL === COLLECTOR) return next(specifier, context);
    return context.parentURL?.startsWith(TESTS) ? { url: COLLECTOR, shortCircuit: true } : next(specifier, context);
  },
});

const [costs = "", ...files] = process.argv.slice(2);

async function prepare(file: string): Promise<() => void> {
  const begun = { cpu: measureCpu(), time: performance.now(), process: takeSnapshot() };
  try {
    const registrations = await collect(() => import(pathToFileURL(resolve(file)).href));
    const imported = {
      cpu: measureCpu() - begun.cpu,
      seconds: (performance.now() - begun.time) / 1000,
      leaks: findLeaks(begun.process, takeSnapshot()),
    };
    return () => void describe(file, () => runFile(file, registrations, imported));
  } catch (thrown) {
    return () =>
      void describe(file, () => {
        throw thrown;
      });
  }
}

type Imported = { readonly cpu: number; readonly seconds: number; readonly leaks: readonly string[] };

function runFile(file: string, registrations: readonly (() => void)[], imported: Imported): void {
  const begun = { cpu: 0, time: 0, process: takeSnapshot() };
  before(() => {
    Object.assign(begun, { cpu: measureCpu(), time: performance.now(), process: takeSnapshot() });
  });
  for (const register of registrations) register();
  after(() => {
    const cpu = measureCpu() - begun.cpu + imported.cpu;
    const seconds = (performance.now() - begun.time) / 1000 + imported.seconds;
    appendFileSync(costs, `${JSON.stringify({ file, cpu, seconds })}\n`);
    const leaks = [...imported.leaks, ...findLeaks(begun.process, takeSnapshot())];
    if (leaks.length > 0) throw new Error(`${file} leaves behind for the next file: ${leaks.join(", ")}`);
  });
}

const suites: (() => void)[] = [];
for (const file of files) suites.push(await prepare(file));
// For the jobs that start while this one runs.
flushCompileCache();
for (const build of suites) build();
