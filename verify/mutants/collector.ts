/**
 * Stands for node:test in a process that runs tests again and again: keeps what a test file registers as functions. A suite's `before`
 * runs once, ahead of its first test, and its `after` when the process ends, since the suite is never over.
 */

type Run = (context?: unknown) => unknown;
type Hooks = { readonly before: Run[]; readonly after: Run[]; readonly beforeEach: Run[]; readonly afterEach: Run[] };
type Suite = { readonly name: string; readonly parent: Suite | undefined; readonly hooks: Hooks; isPrepared: boolean };
type Options = { readonly skip?: unknown; readonly todo?: unknown };

/** `skipped`: why it is never run. */
export type CollectedTest = { readonly name: string; readonly run: () => Promise<void>; readonly skipped: boolean };

export class SkippedError extends Error {}

const createHooks = (): Hooks => ({ before: [], after: [], beforeEach: [], afterEach: [] });
const createSuite = (name: string, parent?: Suite): Suite => ({
  name,
  parent,
  hooks: createHooks(),
  isPrepared: false,
});

const state: { suite: Suite; tests: CollectedTest[]; cleanups: Run[] | undefined } = {
  suite: createSuite(""),
  tests: [],
  cleanups: undefined,
};
const suites: Suite[] = [];

/** Imports a test file, and gives its tests in order. Equal names are numbered. */
export async function collect(importFile: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  state.suite = createSuite("");
  state.tests = [];
  // A test that waits for ever is given up, and never cleans up.
  state.cleanups = undefined;
  suites.push(state.suite);
  await importFile();
  const counts = new Map<string, number>();
  return state.tests.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1;
    counts.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

/** Runs what the tests left for their end. */
export async function finish(): Promise<void> {
  for (const { hooks } of suites.toReversed()) for (const run of hooks.after) await run();
}

function parse(args: readonly unknown[]): { name: string; options: Options; run: Run } {
  const name = args.find((arg) => typeof arg === "string");
  const options = args.find((arg): arg is Options => typeof arg === "object" && arg !== null);
  const run = args.find((arg): arg is Run => typeof arg === "function");
  return { name: name ?? run?.name ?? "", options: options ?? {}, run: run ?? (() => {}) };
}

function registerTest(args: readonly unknown[], skips: boolean): Promise<void> {
  const { name, options, run } = parse(args);
  if (state.cleanups !== undefined) throw new Error("a test registers another one beside itself");
  const { suite } = state;
  const path = [...listSuites(suite).map((one) => one.name), name].filter(Boolean).join(" > ");
  const skipped = skips || Boolean(options.skip) || Boolean(options.todo);
  state.tests.push({ name: path, skipped, run: () => runTest(name, suite, run) });
  return Promise.resolve();
}

function registerSuite(args: readonly unknown[], skips: boolean): Promise<void> {
  const { name, options, run } = parse(args);
  if (skips || options.skip) return Promise.resolve();
  const outer = state.suite;
  state.suite = createSuite(name, outer);
  suites.push(state.suite);
  try {
    run();
  } finally {
    state.suite = outer;
  }
  return Promise.resolve();
}

/** From the outermost one. */
function listSuites(suite: Suite | undefined): readonly Suite[] {
  return suite === undefined ? [] : [...listSuites(suite.parent), suite];
}

async function runTest(name: string, suite: Suite, run: Run): Promise<void> {
  const around = listSuites(suite);
  for (const one of around) await prepare(one);
  const cleanups: Run[] = [];
  state.cleanups = cleanups;
  const context = createContext(name, cleanups);
  try {
    for (const { hooks } of around) for (const hook of hooks.beforeEach) await hook(context);
    await run(context);
  } finally {
    for (const cleanup of cleanups) await cleanup(context);
    for (const { hooks } of around.toReversed()) for (const hook of hooks.afterEach) await hook(context);
    if (state.cleanups === cleanups) state.cleanups = undefined;
  }
}

async function prepare(suite: Suite): Promise<void> {
  if (suite.isPrepared) return;
  for (const hook of suite.hooks.before) await hook();
  suite.isPrepared = true;
}

/** What a test may ask of its context; whatever else it asks for fails, so that the test is left out by name. */
function createContext(name: string, cleanups: Run[]) {
  return {
    name,
    fullName: name,
    signal: new AbortController().signal,
    diagnostic: () => {},
    after: (run: Run) => void cleanups.push(run),
    skip: () => {
      throw new SkippedError("skips itself");
    },
    test: async (...args: readonly unknown[]) => {
      const part = parse(args);
      if (part.options.skip) return;
      await part.run(createContext(part.name, cleanups));
    },
  };
}

function hook(kind: keyof Hooks) {
  return (run: Run): void => {
    if (kind === "after" && state.cleanups !== undefined) state.cleanups.push(run);
    else state.suite.hooks[kind].push(run);
  };
}

function withVariants(register: (args: readonly unknown[], skips: boolean) => Promise<void>) {
  return Object.assign((...args: readonly unknown[]) => register(args, false), {
    only: (...args: readonly unknown[]) => register(args, false),
    skip: (...args: readonly unknown[]) => register(args, true),
    todo: (...args: readonly unknown[]) => register(args, true),
  });
}

export const test = Object.assign(withVariants(registerTest), { test: withVariants(registerTest) });
export const it = test;
export const describe = withVariants(registerSuite);
export const suite = describe;
export const before = hook("before");
export const after = hook("after");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const mock = undefined;
export default test;
