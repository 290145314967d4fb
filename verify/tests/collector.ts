/**
 * Stands for node:test while test files are imported into one process: what a file registers is kept until its own suite is built, so
 * that its hooks and tests stay together.
 */
import * as real from "node:test";

type Registration = () => void;
type Register<Args extends unknown[]> = (...args: Args) => unknown;

const state: { kept: Registration[] | undefined } = { kept: undefined };

/** Imports a test file; resolves with what it registered, in order. */
export async function collect(importFile: () => Promise<unknown>): Promise<readonly Registration[]> {
  const kept: Registration[] = [];
  state.kept = kept;
  try {
    await importFile();
  } finally {
    state.kept = undefined;
  }
  return kept;
}

/** Inside of a suite or a test, all goes to node:test at once. */
function later<Args extends unknown[]>(register: Register<Args>) {
  return (...args: Args): unknown => {
    if (state.kept === undefined) return register(...args);
    state.kept.push(() => void register(...args));
    return Promise.resolve();
  };
}

type Variants<Args extends unknown[]> = Register<Args> & {
  readonly skip: Register<Args>;
  readonly todo: Register<Args>;
  readonly only: Register<Args>;
};

function laterWithVariants<Args extends unknown[]>(register: Variants<Args>) {
  return Object.assign(later(register), {
    skip: later(register.skip),
    todo: later(register.todo),
    only: later(register.only),
  });
}

export const test = laterWithVariants(real.test);
export const it = test;
export const describe = laterWithVariants(real.describe);
export const suite = describe;
export const before = later(real.before);
export const after = later(real.after);
export const beforeEach = later(real.beforeEach);
export const afterEach = later(real.afterEach);
export const { mock } = real;
export default test;
